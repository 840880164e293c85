import AccessoryNotifications
import AccessorySetupKit
import HILPhone
import HILTiming
import TestSupport
import Testing

/// What a data provider can tell the phone in its session, and how long the phone waits for it.
@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    private static let chat = "com.example.chat"

    private func ready() async throws -> (DeliveryStand, NotificationsForwarding.Session) {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        return (stand, try await stand.providerSession())
    }

    private func post(_ identifier: String, app: String = chat, in stand: DeliveryStand) {
        stand.phone.notifications.post(
            PhoneNotification(
                app: app, identifier: identifier, title: "Kim",
                actions: [
                    .dismiss, .init(identifier: "read", type: .background),
                    .init(identifier: "reply", type: .textInput(placeholder: "")),
                ]))
    }

    private func response(_ notification: String, _ action: String, _ text: String? = nil) -> NotificationResponse {
        NotificationResponse(
            sourceIdentifier: Self.chat, notificationIdentifier: notification, actionIdentifier: action, userText: text)
    }

    @Test("The session knows its accessory and keeps its identifier", .covers("N5"))
    func accessory() async throws {
        let (stand, session) = try await ready()
        #expect(session.accessory.displayName == "Die 7")
        #expect(session.accessory.bluetoothIdentifier == stand.peripheral)
        #expect(session.sessionID == session.sessionID)
    }

    @Test("A response to a missing notification, or with a wrong action or text, is an error", .covers("N5"))
    func invalidResponses() async throws {
        let (stand, session) = try await ready()
        post("1", in: stand)
        for wrong in [response("2", "read"), response("1", "eat"), response("1", "reply")] {
            await #expect(throws: AccessoryError.invalidNotificationResponse) { try await session.sendResponse(wrong) }
            guard
                case .failed(let why) = stand.phone.notifications.events.events.last(where: {
                    if case .failed = $0.kind { true } else { false }
                })?.kind
            else {
                Issue.record("no reason is recorded")
                continue
            }
            #expect(why.contains(wrong.notificationIdentifier == "2" ? "no notification 2" : wrong.actionIdentifier))
        }
        stand.phone.notifications.remove(stand.phone.notifications.posted[0].identifier)
        await #expect(throws: AccessoryError.invalidNotificationResponse) {
            try await session.sendResponse(response("1", "read"))
        }
        #expect(stand.phone.notifications.responses.events.isEmpty)
    }

    @Test("A response is carried out once; the policy decides whether the notification stays", .covers("N5"))
    func carriedOut() async throws {
        let (stand, session) = try await ready()
        let centre = stand.phone.notifications
        stand.phone.policy.actionRemovesNotification = false
        for name in ["1", "2"] { post(name, in: stand) }
        try await session.sendResponse(response("1", "reply", "Yes"))
        try await session.sendResponse(response("1", "read", "not asked for"))
        #expect(centre.responses.events.map(\.text) == ["Yes", nil])
        #expect(centre.posted.count == 2)
        stand.phone.policy.actionRemovesNotification = true
        try await session.sendResponse(response("1", "read"))
        #expect(centre.posted.map(\.identifier.notificationIdentifier) == ["2"])
        try await session.sendResponse(response("2", PhoneNotification.Action.dismiss.identifier))
        #expect(centre.posted.isEmpty && centre.responses.count == 3)
    }

    @Test(
        "The accessory can remove notifications from the phone; a missing one is not an error",
        .covers("N3"))
    func removals() async throws {
        let (stand, session) = try await ready()
        let centre = stand.phone.notifications
        for name in ["1", "2", "3"] { post(name, in: stand) }
        let record = stand.phone.store.accessories(of: "com.example.dice")[0]
        post("m", app: "com.example.mail", in: stand)
        centre.decide(.only([Self.chat]), for: record.id, of: "com.example.dice")
        try await session.removeNotifications(identifiers: [centre.posted[0].identifier])
        try await session.removeNotifications(withIdentifiers: ["1", "2", "9"], sourceIdentifier: Self.chat)
        try await session.removeNotifications(withIdentifiers: ["m"], sourceIdentifier: "com.example.mail")
        #expect(
            centre.posted.map(\.identifier.notificationIdentifier) == ["3", "m"], "the accessory may not remove mail")
        #expect(centre.responses.events.isEmpty)
    }

    @Test("After the end of the session every call is an error", .covers("N6"))
    func over() async throws {
        let (stand, session) = try await ready()
        post("1", in: stand)
        let record = stand.phone.store.accessories(of: "com.example.dice")[0]
        stand.phone.notifications.decide(.none, for: record.id, of: "com.example.dice")
        await #expect(throws: AccessoryError.accessoryNotificationsUnavailable) {
            try await session.sendResponse(response("1", "read"))
        }
        await #expect(throws: AccessoryError.accessoryNotificationsUnavailable) {
            try await session.removeNotifications(identifiers: [])
        }
        #expect(session.accessory.displayName == "Die 7", "the accessory as it was at the beginning")
    }

    @Test(
        "What was on its way when the person allowed no app any more is forgotten: the next session tells nothing of it",
        .covers("N6"))
    func forgottenBacklog() async throws {
        let (stand, _) = try await ready()
        let centre = stand.phone.notifications
        // On its way, as long as the transport extension has not said that the accessory has it.
        stand.script.state.withLock { $0.answers = [.bluetooth: [.keepSilent]] }
        post("1", in: stand)
        _ = try await stand.sealed()
        let record = stand.phone.store.accessories(of: "com.example.dice")[0]
        centre.decide(.none, for: record.id, of: "com.example.dice")
        try await stand.happens("the session's end") { if case .sessionEnded = $0 { true } else { false } }

        let place = stand.script.events.count
        try await stand.allow()
        _ = try await stand.exchangeSecrets(of: try await stand.securitySession(from: place))
        post("2", in: stand)
        _ = try await stand.sealed(from: place)
        let told = stand.script.events.events.dropFirst(place).compactMap { event -> String? in
            switch event {
            case .added(let notification, _): "added \(notification.identifier.notificationIdentifier)"
            case .removed(let identifier): "removed \(identifier.notificationIdentifier)"
            case .sealed: "a message"
            default: nil
            }
        }
        #expect(told == ["added 2", "a message"])
    }

    @Test(
        "A provider that takes too long counts as not alerting, and does not delay the next notification",
        .covers("N3", "N4"))
    func coordination() async throws {
        let (stand, _) = try await ready()
        stand.phone.policy.alertCoordinationLimit = .seconds(6)
        stand.script.state.withLock { $0.answers = [.bluetooth: [.keepSilent]] }
        post("1", in: stand)
        _ = try await stand.sealed()
        await stand.clock.pass(.seconds(6), among: 2)
        try await stand.happens("the end of the wait") { event in
            if case .failed(let why) = event { why.contains("coordinationTimeout") } else { false }
        }
        try await stand.happens("the verdict") {
            $0 == .added(stand.phone.notifications.posted[0].identifier, alerted: false)
        }
    }
}
