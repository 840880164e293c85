import Phone

/// How the phone would draw attention to a new notification.
public struct AlertingContext: Sendable, Hashable, Codable {
    /// What kind of notification it is.
    public typealias Kind = PhoneNotification.Kind

    /// What is known of its sound.
    public struct Sound: Sendable, Hashable, Codable {
        /// Whether it is to be heard although the accessory is silenced.
        public var shouldIgnoreSilentMode: Bool

        public init(shouldIgnoreSilentMode: Bool = false) {
            self.shouldIgnoreSilentMode = shouldIgnoreSilentMode
        }
    }

    /// Whether the notification may alert: its app asked for it, and the person allows it. A Focus does not count here.
    public var notificationCanAlert: Bool
    /// Whether a Focus keeps a notification from alerting that would else.
    public let isSuppressedByFocus: Bool
    public let kind: Kind
    /// Nil for a notification without a sound.
    public let sound: Sound?

    public init(
        notificationCanAlert: Bool = false, suppressedByFocus: Bool = false, kind: Kind = .notification,
        sound: Sound? = nil
    ) {
        self.notificationCanAlert = notificationCanAlert
        isSuppressedByFocus = suppressedByFocus
        self.kind = kind
        self.sound = sound
    }

    /// What the phone itself would do.
    public var shouldAlert: Bool { notificationCanAlert && !isSuppressedByFocus }
    /// Whether somebody calls.
    public var isIncomingCall: Bool { kind == .incomingCall }
}

extension AlertingContext {
    init(_ alerting: Alerting, kind: Kind) {
        self.init(
            notificationCanAlert: alerting.canAlert, suppressedByFocus: alerting.isSuppressedByFocus, kind: kind,
            sound: alerting.hasSound ? Sound(shouldIgnoreSilentMode: alerting.ignoresSilentMode) : nil)
    }
}
