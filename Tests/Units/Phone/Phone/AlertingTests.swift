import HILTiming
import HostRadio
import TestSupport
import Testing

@testable import HILPhone

/// How the phone decides whether to alert: the app's permission, the Focus, silent mode, and calls.
@Suite struct AlertingTests {
    private static let chat = "com.example.chat"
    private let phone = Phone(radio: InMemoryRadio(), clock: ManualClock())

    private func alerting(
        _ attributes: PhoneNotification.Attributes = [], kind: PhoneNotification.Kind = .notification,
        canAlert: Bool = true, hasSound: Bool = true
    ) -> Alerting {
        let notification = PhoneNotification(
            app: Self.chat, title: "Kim", kind: kind, attributes: attributes, canAlert: canAlert, hasSound: hasSound)
        return Alerting(notification, phone.alertSettings.values, policy: phone.policy)
    }

    @Test("A notification alerts if its app asks and the person allows it, with a sound if it has one", .covers("N4"))
    func permission() {
        #expect(alerting() == Alerting(canAlert: true, hasSound: true))
        #expect(alerting(hasSound: false) == Alerting(canAlert: true))
        #expect(alerting(canAlert: false) == Alerting(), "a passive notification does not alert")
        phone.alertSettings[Self.chat].sounds = false
        #expect(alerting() == Alerting(canAlert: true))
        phone.alertSettings[Self.chat].alerts = false
        #expect(alerting() == Alerting())
        #expect(alerting(.timeSensitive) == Alerting(), "urgency does not replace the permission")
        phone.alertSettings["com.example.mail"].alerts = true
        #expect(phone.alertSettings[Self.chat].alerts == false)
    }

    @Test("A critical notification alerts with sound in spite of all settings, except its own switch", .covers("N4"))
    func critical() {
        phone.alertSettings[Self.chat].alerts = false
        phone.alertSettings[Self.chat].sounds = false
        phone.alertSettings.focus = .init("Sleep", allowsTimeSensitive: false)
        phone.alertSettings.isSilent = true
        #expect(alerting(.critical) == Alerting(canAlert: true, hasSound: true, ignoresSilentMode: true))
        #expect(alerting(.critical, hasSound: false) == Alerting(canAlert: true))
        phone.alertSettings[Self.chat].critical = false
        #expect(alerting(.critical) == Alerting())
    }

    @Test("A Focus suppresses alerts, except those of allowed apps and time-sensitive ones", .covers("N4"))
    func focus() {
        let suppressed = Alerting(canAlert: true, isSuppressedByFocus: true, hasSound: true)
        phone.alertSettings.focus = .init("Work")
        #expect(alerting() == suppressed)
        #expect(alerting(.priority) == suppressed, "priority decides where it is shown, not whether it alerts")
        #expect(alerting(canAlert: false) == Alerting(), "a notification that does not alert is not suppressed")
        #expect(alerting(.timeSensitive) == Alerting(canAlert: true, hasSound: true))
        phone.alertSettings[Self.chat].timeSensitive = false
        #expect(alerting(.timeSensitive) == suppressed)
        phone.alertSettings[Self.chat].timeSensitive = true
        phone.alertSettings.focus = .init("Sleep", allowsTimeSensitive: false)
        #expect(alerting(.timeSensitive) == suppressed)
        phone.alertSettings.focus = .init("Work", allowing: [Self.chat])
        #expect(alerting() == Alerting(canAlert: true, hasSound: true))
        phone.alertSettings.focus = nil
        #expect(alerting() == Alerting(canAlert: true, hasSound: true))
    }

    @Test("Silent mode mutes all sounds except alarms; the policy can change both", .covers("N4"))
    func silentMode() {
        phone.alertSettings.isSilent = true
        #expect(alerting() == Alerting(canAlert: true))
        #expect(alerting(kind: .incomingCall) == Alerting(canAlert: true))
        for kind in [PhoneNotification.Kind.timer, .alarm] {
            #expect(alerting(kind: kind) == Alerting(canAlert: true, hasSound: true, ignoresSilentMode: true))
        }
        phone.policy.alarmsIgnoreSilentMode = false
        #expect(alerting(kind: .alarm) == Alerting(canAlert: true))
        phone.policy.silentModeMutesAccessories = false
        #expect(alerting() == Alerting(canAlert: true, hasSound: true))
    }

    @Test("A call rings without the app's permission, and through a Focus that allows calls", .covers("N4"))
    func calls() {
        phone.alertSettings[Self.chat].alerts = false
        #expect(alerting(kind: .incomingCall) == Alerting(canAlert: true, hasSound: true))
        phone.alertSettings.focus = .init("Work")
        #expect(alerting(kind: .incomingCall).isSuppressedByFocus)
        phone.alertSettings.focus = .init("Work", allowsCalls: true)
        #expect(alerting(kind: .incomingCall) == Alerting(canAlert: true, hasSound: true))
        phone.alertSettings.focus = .init("Sleep")
        #expect(!alerting(kind: .alarm).isSuppressedByFocus)
    }

    @Test("An app that may not notify posts nothing, and the log says so; its old notifications stay", .covers("N4"))
    func forbidden() {
        let centre = phone.notifications
        centre.post(PhoneNotification(app: Self.chat, identifier: "1", title: "Kim"))
        phone.alertSettings[Self.chat].isAllowed = false
        centre.post(PhoneNotification(app: Self.chat, identifier: "2", title: "Kim"))
        #expect(centre.posted.map(\.identifier.notificationIdentifier) == ["1"])
        let notes = phone.log.events.compactMap { if case .note(_, let text) = $0.kind { text } else { nil } }
        #expect(notes.contains("\(Self.chat) may not notify: 2 is not posted"))
        #expect(notes.contains { $0.contains("allows \(Self.chat): alerts, sounds, time-sensitive, critical") })
    }
}
