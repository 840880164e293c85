/// How the phone would draw attention to a new notification.
public struct AlertingContext: Sendable, Hashable {
    /// What kind of notification it is.
    public enum Kind: Sendable, Hashable {
        case notification
        case incomingCall
        case timer
        case alarm
    }

    /// What is known of its sound.
    public struct Sound: Sendable, Hashable {
        /// Whether it is to be heard although the accessory is silenced.
        public var shouldIgnoreSilentMode: Bool

        public init(shouldIgnoreSilentMode: Bool = false) {
            self.shouldIgnoreSilentMode = shouldIgnoreSilentMode
        }
    }

    /// Whether the notification may alert: its app asked for it, and the person allows it.
    public var notificationCanAlert: Bool
    /// Whether a Focus keeps it from alerting.
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
