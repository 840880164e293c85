import HILPhone
import HILTiming

// Patterns for the events of forwarding notifications, as the phone reports them.

extension Lab {
    /// The phone's events about forwarding notifications to accessories.
    public nonisolated var forwarding: EventLog<ForwardingEvent> { phone.notifications.events }
}

extension EventPattern where Event == ForwardingEvent, Value == Void {
    /// Phone and accessory exchanged keys of this cipher suite.
    public static func keysExchanged(_ suite: SecurityMessage.CipherSuite) -> Self {
        Self("the phone to have exchanged keys of \(suite)") { $0.kind == .keysExchanged(suite) ? () : nil }
    }

    /// The link to the accessory came up, or was lost.
    public static func link(isUp: Bool) -> Self {
        Self("the phone's link to the accessory to \(isUp ? "come up" : "end")") {
            $0.kind == .linkChanged(isUp: isUp) ? () : nil
        }
    }

    /// The person decided which notifications to forward.
    public static func decided(_ grant: ForwardingGrant) -> Self {
        Self("the person to decide \(grant)") { $0.kind == .decided(grant) ? () : nil }
    }
}

extension EventPattern where Event == ForwardingEvent, Value == ExtensionEnd {
    /// The process of an extension ended; the value is the reason.
    public static func ended(_ which: ForwardingExtension) -> Self {
        Self("the process of \(which) to end") {
            if case .extensionEnded(which, let reason) = $0.kind { reason } else { nil }
        }
    }
}

extension EventPattern where Event == ForwardingEvent, Value == ForwardingExtension {
    /// An extension was launched again after its process had ended; the value is the extension.
    public static var launchedAgain: Self {
        Self("an extension to be launched again") {
            if case .extensionLaunchedAgain(let which) = $0.kind { which } else { nil }
        }
    }
}

extension EventPattern where Event == ForwardingEvent, Value == SecurityMessage.CipherSuite {
    /// Phone and accessory exchanged keys; the value is the cipher suite.
    public static var keysExchanged: Self {
        Self("the phone to have exchanged keys") { if case .keysExchanged(let suite) = $0.kind { suite } else { nil } }
    }
}

extension EventPattern where Event == ForwardingEvent, Value == AccessoryTransport {
    /// A message was delivered; the value is the transport.
    public static var delivered: Self {
        Self("the phone to hear that a notification was delivered") {
            if case .delivered(_, _, let transport) = $0.kind { transport } else { nil }
        }
    }
}

extension EventPattern where Event == ForwardingEvent, Value == Int {
    /// A message was delivered; the value is its length in bytes.
    public static var deliveredByteCount: Self {
        Self("a delivery's size") { if case .delivered(let count, _, _) = $0.kind { count } else { nil } }
    }

    /// A message was delivered; the value is the number of the attempt, from 1.
    public static var deliveredAtAttempt: Self {
        Self("a delivery's attempt") { if case .delivered(_, let attempt, _) = $0.kind { attempt } else { nil } }
    }
}

extension EventPattern where Event == ForwardingEvent, Value == Bool {
    /// The data provider has finished with this new notification; the value says whether the accessory alerts.
    public static func added(_ notification: PhoneNotification.Identifier) -> Self {
        Self("notification \(notification.notificationIdentifier) to be forwarded") {
            if case .added(notification, let alerted) = $0.kind { alerted } else { nil }
        }
    }
}

extension EventPattern where Event == ForwardingEvent, Value == String {
    /// A notification could not be forwarded; the value is the reason.
    public static var failed: Self {
        Self("the phone to give up a notification") { if case .failed(let why) = $0.kind { why } else { nil } }
    }

    /// The phone refused a message of the accessory; the value is the reason, which contains `part`.
    public static func refused(_ part: String) -> Self {
        reason("the phone to refuse a message: “\(part)”", part) {
            if case .refused(let why) = $0 { why } else { nil }
        }
    }

    /// A key exchange failed; the value is the reason, which contains `part`.
    public static func exchangeFailed(_ part: String) -> Self {
        reason("the key exchange to fail: “\(part)”", part) {
            if case .exchangeFailed(let why) = $0 { why } else { nil }
        }
    }

    /// The session ended; the value is the reason, which contains `part`.
    public static func sessionEnded(_ part: String = "") -> Self {
        reason("the session to end: “\(part)”", part) { if case .sessionEnded(let why) = $0 { why } else { nil } }
    }

    private static func reason(
        _ what: String, _ part: String, _ why: @escaping @Sendable (ForwardingEvent.Kind) -> String?
    ) -> Self {
        Self(what) { event in why(event.kind).flatMap { part.isEmpty || $0.contains(part) ? $0 : nil } }
    }
}

extension EventPattern where Event == NotificationResponseEvent, Value == NotificationResponseEvent {
    /// The app that posted a notification was told what the person did with it on the accessory.
    public static var response: Self { Self("the app to be told of an answer") { $0 } }
}
