import BoardProtocol
import DiceApp
import DieLab
import Foundation
import HIL
import Phone

extension Lab {
    /// A die that is set up, and that gets the notifications of the apps that the person chooses.
    func forwardedDie(
        _ choice: PersonAction.ForwardingChoice = .all, suites: [DieConfiguration.CipherSuite] = [.xWing, .p256]
    ) async throws -> (die: Die, app: DiceApp) {
        let die = try await accessory.powerOn(.die(named: "Die 7", cipherSuites: suites))
        let (app, accessory) = try await pairedDie(named: "Die 7")
        phone.person.will(.allowForwarding(choice))
        try await step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
        try await die.event(within: .seconds(10), waitingFor: "the die to have exchanged keys") {
            if case .keysExchanged = $0 { true } else { false }
        }
        try await forwarding(within: .seconds(10), waitingFor: "the phone to have exchanged keys") {
            if case .keysExchanged = $0 { true } else { false }
        }
        return (die, app)
    }

    /// Waits for something that the phone tells of forwarding, from a place in its events on.
    func forwarding(
        from place: Int = 0, within limit: Duration, waitingFor what: String,
        where matches: @escaping @Sendable (ForwardingEvent.Kind) -> Bool
    ) async throws {
        _ = try await phone.notifications.events.first(from: place, within: limit, waitingFor: what) {
            matches($0.kind)
        }
    }

    /// How often keys were exchanged, as the phone tells, from a place in its events on.
    func exchanges(since place: Int) -> Int {
        phone.notifications.events.events.dropFirst(place).count {
            if case .keysExchanged = $0.kind { true } else { false }
        }
    }

    /// Posts a notification of the chat app, and returns when the data provider is done with it.
    ///
    /// - Returns: Whether the accessory alerted, as its data provider told the phone.
    @discardableResult
    func post(_ notification: PhoneNotification) async throws -> Bool {
        let place = phone.notifications.events.count
        phone.notifications.post(notification)
        let name = notification.identifier
        let event = try await phone.notifications.events.first(
            from: place, within: .seconds(15), waitingFor: "notification \(name.notificationIdentifier) to be forwarded"
        ) { if case .added(name, _) = $0.kind { true } else { false } }.event
        guard case .added(_, let alerted) = event.kind else { return false }
        return alerted
    }
}

extension SuiteTrait {
    /// As the die calls it.
    var ofDie: DieConfiguration.CipherSuite { self == .xWing ? .xWing : .p256 }
}

extension Conditions {
    /// What the die has: with X-Wing P-256 as well, as the phone takes the best that both have.
    var suites: [DieConfiguration.CipherSuite] { suite == .xWing ? [.xWing, .p256] : [suite.ofDie] }
}

extension PhoneNotification {
    /// A message of the chat app.
    static func message(
        _ identifier: String, _ body: String = "Dinner at 8?", attributes: Attributes = [], actions: [Action] = []
    ) -> PhoneNotification {
        PhoneNotification(
            app: "com.example.chat", identifier: identifier, title: "Kim", body: body, attributes: attributes,
            actions: actions)
    }
}

extension Die {
    /// Waits until it shows the notifications of these names, oldest first, and no others.
    @discardableResult
    func shows(_ identifiers: [String], from place: Int = 0) async throws -> [ShownNotification] {
        try await screen.first(from: place, within: .seconds(10), waitingFor: "the die to show just \(identifiers)") {
            $0.map(\.identifier) == identifiers
        }
    }

    /// How often what it shows has changed, from a place in its events on.
    func screens(since place: Int) -> Int {
        events.events.dropFirst(place).count { if case .screen = $0 { true } else { false } }
    }

    /// Whether it told that it refused something, for a reason that contains `why`, from a place in its events on.
    func refused(_ why: String, since place: Int) -> Bool {
        events.events.dropFirst(place).contains {
            if case .refusedMessage(let reason) = $0 { reason.contains(why) } else { false }
        }
    }

    /// How it alerted to the notification of this name; nil if it did not.
    func alert(to identifier: String) -> DieAlert? { alerts.last { $0.notification == identifier } }
}
