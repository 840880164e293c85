import HILNotificationParts
import HILPhone

/// How the phone itself would alert the person to a new notification: sound, Focus, and kind.
public struct AlertingContext: Sendable, Hashable, Codable {
    /// The kind of notification, such as an incoming call.
    public typealias Kind = NotificationParts.Kind

    /// The sound of the notification.
    public struct Sound: Sendable, Hashable, Codable {
        /// Whether the sound is played even in silent mode.
        public var shouldIgnoreSilentMode: Bool

        /// Makes a sound, for example in an extension's own tests.
        public init(shouldIgnoreSilentMode: Bool = false) {
            self.shouldIgnoreSilentMode = shouldIgnoreSilentMode
        }
    }

    /// Whether the app asked for an alert and the person allows it. A Focus has no effect on this value.
    public var notificationCanAlert: Bool
    /// Whether a Focus suppresses an alert that would be given otherwise.
    public let isSuppressedByFocus: Bool
    /// The kind of the notification, such as an incoming call.
    public let kind: Kind
    /// Nil for a notification without a sound.
    public let sound: Sound?

    /// Makes a context, for example in an extension's own tests.
    public init(
        notificationCanAlert: Bool = false, suppressedByFocus: Bool = false, kind: Kind = .notification,
        sound: Sound? = nil
    ) {
        self.notificationCanAlert = notificationCanAlert
        isSuppressedByFocus = suppressedByFocus
        self.kind = kind
        self.sound = sound
    }

    /// Whether the phone itself would alert.
    public var shouldAlert: Bool { notificationCanAlert && !isSuppressedByFocus }
    /// Whether the notification is an incoming call.
    public var isIncomingCall: Bool { kind == .incomingCall }
}

extension AlertingContext {
    init(_ alerting: Alerting, kind: Kind) {
        self.init(
            notificationCanAlert: alerting.canAlert, suppressedByFocus: alerting.isSuppressedByFocus, kind: kind,
            sound: alerting.hasSound ? Sound(shouldIgnoreSilentMode: alerting.ignoresSilentMode) : nil)
    }
}
