import BoardProtocol
import DieLab
import HIL
import Phone

/// The die draws attention to a notification when the phone would: as its app may, through a Focus only what is urgent, and
/// with a sound where there is one that silent mode lets be heard. What does not alert is shown all the same.
let dieAlertsAsThePhone = Scenario(
    "A die alerts as the app's permission, the Focus, silent mode and calls have it", .tags(.notifications),
    .covers("N4"), .budget(.seconds(60))
) { lab in
    let (die, _) = try await lab.forwardedDie()
    let settings = lab.phone.alertSettings
    var shown: [String] = []

    /// Posts a notification, and compares what the phone was told and what the die did about it.
    @MainActor func expect(_ what: String, _ notification: PhoneNotification, _ sounded: Bool?) async throws {
        let name = notification.identifier.notificationIdentifier
        let alerted = try await lab.post(notification)
        shown.append(name)
        try await die.shows(shown)
        lab.expect(alerted, equals: sounded != nil, "the phone is told whether the die alerts: \(what)")
        let alert = sounded.map { sounded in
            DieAlert(
                notification: name, category: notification.kind == .incomingCall ? .incomingCall : .notification,
                sounded: sounded)
        }
        lab.expect(die.alert(to: name), equals: alert, what)
    }

    try await lab.step("permission", within: .seconds(15)) {
        try await expect("an allowed app alerts with a sound", .message("plain"), true)
        settings["com.example.chat"].sounds = false
        try await expect("an app without sounds alerts silently", .message("no sounds"), false)
        settings["com.example.chat"].alerts = false
        try await expect("an app without alerts is only shown", .message("no alerts"), nil)
        settings["com.example.chat"] = AlertSettings.App()
    }
    try await lab.step("Focus", within: .seconds(20)) {
        settings.focus = AlertSettings.Focus("Work")
        try await expect("a Focus keeps it quiet", .message("in Focus"), nil)
        try await expect("what is time-sensitive passes", .message("soon", attributes: .timeSensitive), true)
        try await expect("a call does not pass", .incomingCall(from: "Lee", identifier: "call in Focus"), nil)
        settings.focus = AlertSettings.Focus("Sleep", allowsTimeSensitive: false)
        try await expect("unless the Focus says no", .message("later", attributes: .timeSensitive), nil)
        try await expect("what is critical passes everything", .message("flood", attributes: .critical), true)
        settings.focus = nil
    }
    try await lab.step("silent mode", within: .seconds(15)) {
        settings.isSilent = true
        try await expect("a silenced phone has no sound to tell of", .message("hushed"), false)
        settings.isSilent = false
        try await die.setSilenced(true)
        try await expect("a silenced die has none to play", .message("hushed die"), false)
        try await expect("but plays what is critical", .message("fire", attributes: .critical), true)
        try await die.setSilenced(false)
    }
    let call = PhoneNotification.incomingCall(from: "Lee", identifier: "call")
    try await lab.step("call", within: .seconds(10)) {
        try await expect("a call rings, as a call", call, true)
        let place = die.events.count
        lab.phone.notifications.remove(call.identifier)
        try await die.shows(shown.dropLast(), from: place)
    }
}
