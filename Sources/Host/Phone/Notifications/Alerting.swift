/// How the phone would draw attention to a notification at the moment it was posted (N4).
public struct Alerting: Sendable, Hashable {
    /// Whether its app asked for it, and the person allows it.
    public var canAlert: Bool
    /// Whether it would alert but for the Focus.
    public var isSuppressedByFocus: Bool
    /// Whether there is a sound to it.
    public var hasSound: Bool
    /// Whether that sound is to be heard although the accessory is silenced.
    public var ignoresSilentMode: Bool

    public init(
        canAlert: Bool = false, isSuppressedByFocus: Bool = false, hasSound: Bool = false,
        ignoresSilentMode: Bool = false
    ) {
        self.canAlert = canAlert
        self.isSuppressedByFocus = isSuppressedByFocus
        self.hasSound = hasSound
        self.ignoresSilentMode = ignoresSilentMode
    }

    /// By the rules of iOS: what the app asked for, what the person set, the Focus, silent mode.
    init(_ notification: PhoneNotification, _ settings: AlertSettings.Values, policy: HostPolicy) {
        let app = settings.app(notification.identifier.sourceIdentifier)
        let isCall = notification.kind == .incomingCall
        let isAlarm = notification.kind == .alarm || notification.kind == .timer
        let isCritical = notification.attributes.contains(.critical) && app.critical
        let isTimeSensitive = notification.attributes.contains(.timeSensitive) && app.timeSensitive
        // Calls and alarms do not ask for the permission that notifications need.
        let mayAlert = isCall || isAlarm || isCritical || app.alerts
        canAlert = notification.canAlert && mayAlert
        let passes =
            switch settings.focus {
            case nil: true
            case _ where isCritical || isAlarm: true
            case let focus?:
                isCall
                    ? focus.allowsCalls
                    : focus.allowedApps.contains(notification.identifier.sourceIdentifier)
                        || isTimeSensitive && focus.allowsTimeSensitive
            }
        isSuppressedByFocus = canAlert && !passes
        ignoresSilentMode = isCritical || isAlarm && policy.alarmsIgnoreSilentMode
        let maySound = isCall || isAlarm || isCritical || app.sounds
        let isHeard = !settings.isSilent || ignoresSilentMode || !policy.silentModeTakesSound
        hasSound = canAlert && notification.hasSound && maySound && isHeard
        ignoresSilentMode = ignoresSilentMode && hasSound
    }
}
