/// How the phone alerts the person to a notification, as decided when the notification is posted (N4).
public struct Alerting: Sendable, Hashable {
    /// Whether the app asks for an alert and the person allows it.
    package var canAlert: Bool
    /// Whether only the Focus prevents the alert.
    package var isSuppressedByFocus: Bool
    /// Whether the alert has a sound.
    package var hasSound: Bool
    /// Whether the sound plays even if the accessory is silenced.
    package var ignoresSilentMode: Bool

    package init(
        canAlert: Bool = false, isSuppressedByFocus: Bool = false, hasSound: Bool = false,
        ignoresSilentMode: Bool = false
    ) {
        self.canAlert = canAlert
        self.isSuppressedByFocus = isSuppressedByFocus
        self.hasSound = hasSound
        self.ignoresSilentMode = ignoresSilentMode
    }

    /// Applies the rules of iOS to the notification, the app's settings, the Focus and silent mode.
    init(_ notification: PhoneNotification, _ settings: AlertSettings.Values, policy: HostPolicy) {
        let app = settings.app(notification.identifier.sourceIdentifier)
        let isCall = notification.kind == .incomingCall
        let isAlarm = notification.kind == .alarm || notification.kind == .timer
        let isCritical = notification.attributes.contains(.critical) && app.critical
        let isTimeSensitive = notification.attributes.contains(.timeSensitive) && app.timeSensitive
        // Calls and alarms do not need the permission to alert.
        let mayAlert = isCall || isAlarm || isCritical || app.alerts
        canAlert = notification.canAlert && mayAlert
        let passesFocus =
            switch settings.focus {
            case nil: true
            case _ where isCritical || isAlarm: true
            case let focus?:
                isCall
                    ? focus.allowsCalls
                    : focus.allowedApps.contains(notification.identifier.sourceIdentifier)
                        || isTimeSensitive && focus.allowsTimeSensitive
            }
        isSuppressedByFocus = canAlert && !passesFocus
        ignoresSilentMode = isCritical || isAlarm && policy.alarmsIgnoreSilentMode
        let maySound = isCall || isAlarm || isCritical || app.sounds
        let isHeard = !settings.isSilent || ignoresSilentMode || !policy.silentModeMutesAccessories
        hasSound = canAlert && notification.hasSound && maySound && isHeard
        ignoresSilentMode = ignoresSilentMode && hasSound
    }
}
