import DieProtocol
import HIL

// Patterns for the events of a die.

extension EventPattern where Event == DieEvent, Value == DeviceAddress {
    /// A phone has disconnected; the value is its address.
    package static var disconnected: Self {
        Self("the die to lose its phone") { if case .disconnected(let phone) = $0 { phone } else { nil } }
    }
}

extension EventPattern where Event == DieEvent, Value == Bond {
    /// A phone was bonded, as the die's kernel reports it. The value is the strength of the key.
    package static var bonded: Self {
        Self("the die to be bonded") { if case .bonded(_, let bond) = $0 { bond } else { nil } }
    }
}

extension EventPattern where Event == DieEvent, Value == UInt32 {
    /// The die showed a number for comparison. The value is the number.
    package static var passkeyShown: Self {
        Self("the die to show a number") { if case .passkeyShown(let number) = $0 { number } else { nil } }
    }
}

extension EventPattern where Event == DieEvent, Value == ClassicLink {
    /// A phone has opened the classic channel. The value is the link.
    package static var bridged: Self {
        Self("the die to be bridged") { if case .bridged(let link) = $0 { link } else { nil } }
    }
}

extension EventPattern where Event == DieEvent, Value == Void {
    /// The die forgot its keys.
    package static var keysForgotten: Self { Self("the die to forget its keys") { $0 == .keysForgotten ? () : nil } }

    /// The die connected to its relay, or lost it.
    package static func relay(isReached: Bool) -> Self {
        Self("the die to \(isReached ? "reach" : "lose") its relay") { $0 == .reachedRelay(isReached) ? () : nil }
    }
}

extension EventPattern where Event == DieEvent, Value == String {
    /// Keys were exchanged. The value is the name of the suite.
    package static var keysExchanged: Self {
        Self("the die to have exchanged keys") { if case .keysExchanged(let suite) = $0 { suite } else { nil } }
    }

    /// The die refused a message. The reason contains `part`.
    package static func refused(_ part: String = "") -> Self {
        Self("the die to refuse a message: “\(part)”") {
            if case .refusedMessage(let why) = $0, part.isEmpty || why.contains(part) { why } else { nil }
        }
    }
}

extension EventPattern where Event == DieEvent, Value == [ShownNotification] {
    /// The screen of the die changed. The value is all that it shows, oldest first.
    package static var screen: Self {
        Self("the die's screen to change") { if case .screen(let shown) = $0 { shown } else { nil } }
    }

    /// The die shows exactly the notifications with these names, oldest first.
    package static func screen(showing names: [String]) -> Self {
        screen.where("the die to show just \(names)") { $0.map(\.identifier) == names }
    }
}

extension EventPattern where Event == DieEvent, Value == DieAlert {
    /// The die alerted to a notification.
    package static var alerted: Self {
        Self("the die to alert") { if case .alerted(let alert) = $0 { alert } else { nil } }
    }
}
