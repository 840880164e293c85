import AccessoryNotifications
import CryptoKit
import DieProtocol
import Foundation
import HILPhone
import HILTiming
import RadioModel
import TestSupport
import Testing

/// Notifications between the phone, the companion app and the die: rules N3 to N6.
@Suite(.timeLimit(.minutes(1))) struct ForwardedNotificationTests {
    private static let chat = "com.example.chat"
    private static let reply = PhoneNotification.Action(
        identifier: "reply", title: "Reply", type: .textInput(placeholder: "Message"))
    private static let read = PhoneNotification.Action(identifier: "read", title: "Read", type: .background)

    private func message(
        _ identifier: String, app: String = chat, attributes: PhoneNotification.Attributes = [],
        attachments: [PhoneNotification.File] = []
    ) -> PhoneNotification {
        PhoneNotification(
            app: app, identifier: identifier, title: "Kim", attributes: attributes,
            actions: [Self.reply, Self.read, .dismiss], attachments: attachments)
    }

    private func ready() async throws -> Pair {
        let pair = try await Pair()
        try pair.perform(.powerOn(DieConfiguration(name: "Die 7")))
        _ = try await pair.requestForwarding()
        return pair
    }

    private func accessory(of pair: Pair) throws -> UUID {
        try #require(pair.phone.store.accessories(of: "com.example.dice").first).id
    }

    /// Waits until the die shows exactly these notifications.
    private func shows(_ identifiers: [String], on pair: Pair, from place: Int = 0) async throws {
        _ = try await pair.screen(from: place) { $0.map(\.identifier) == identifiers }
    }

    // MARK: Removal and revocation

    @Test("Notifications that are no longer allowed disappear from the die, and the others stay", .covers("N3", "N6"))
    func narrowed() async throws {
        let pair = try await ready()
        for (name, app) in [("1", Self.chat), ("m", "com.example.mail"), ("2", Self.chat)] {
            pair.phone.notifications.post(message(name, app: app))
        }
        try await shows(["1", "m", "2"], on: pair)
        pair.phone.person.will(.forwardInSettings("Die 7", .only(["com.example.mail"])))
        try await shows(["m"], on: pair)
        #expect(pair.phone.notifications.posted.count == 3, "the phone still shows them")
        pair.phone.notifications.update(message("1"))
        pair.phone.notifications.post(message("n", app: "com.example.mail"))
        try await shows(["m", "n"], on: pair)
        #expect(pair.phone.person.unfinished.isEmpty)
    }

    @Test(
        "Without permission the die forgets its keys and shows nothing; with permission it gets new keys",
        .covers("N6"))
    func revoked() async throws {
        let pair = try await ready()
        pair.phone.notifications.post(message("1"))
        try await shows(["1"], on: pair)
        let place = pair.told.count
        pair.phone.person.will(.forwardInSettings("Die 7", .none))
        _ = try await pair.told.first(from: place, within: .seconds(300), waitingFor: "the end") {
            $0 == .keysForgotten
        }
        try await shows([], on: pair, from: place)
        #expect(pair.phone.notifications.grant(for: try accessory(of: pair), of: "com.example.dice") == .none)
        let later = pair.told.count
        pair.phone.person.will(.forwardInSettings("Die 7", .all))
        _ = try await pair.told.first(from: later, within: .seconds(300), waitingFor: "new keys") {
            $0 == .keysExchanged(cipherSuite: "XWing")
        }
        pair.phone.notifications.post(message("2"))
        try await shows(["2"], on: pair)
    }

    @Test(
        "Before its link ends, a removed accessory forgets its keys and clears its screen",
        .covers("N6"))
    func removed() async throws {
        let pair = try await ready()
        pair.phone.notifications.post(message("1"))
        try await shows(["1"], on: pair)
        // The die shows it before the phone has the receipt.
        _ = try await pair.phone.notifications.events.first(within: .seconds(300), waitingFor: "the receipt") {
            if case .delivered = $0.kind { true } else { false }
        }
        let place = pair.told.count
        pair.phone.person.will(.removeInSettings("Die 7"))
        _ = try await pair.told.first(from: place, within: .seconds(300), waitingFor: "the end") {
            $0 == .keysForgotten
        }
        try await shows([], on: pair, from: place)
        let radio = pair.phone.log
        _ = try await radio.first(within: .seconds(300), waitingFor: "the link to go") {
            if case .radio(.disconnected) = $0.kind { true } else { false }
        }
        let failed = pair.phone.notifications.events.events.filter { if case .failed = $0.kind { true } else { false } }
        #expect(failed.isEmpty)
    }

    @Test(
        "The die keeps its screen when the app ends, and continues when the app is launched again", .covers("N3", "N6"))
    func appEnds() async throws {
        let pair = try await ready()
        pair.phone.notifications.post(message("1"))
        try await shows(["1"], on: pair)
        pair.phone.terminateApp()
        _ = try await pair.phone.launch(NotifyingApp.self)
        pair.phone.notifications.post(message("2"))
        try await shows(["1", "2"], on: pair)
        #expect(!pair.told.events.contains(.keysForgotten))
    }

    @Test("The notifications of a deleted app disappear from the die", .covers("N3"))
    func deletedApp() async throws {
        let pair = try await ready()
        pair.phone.alertSettings[Self.chat].sounds = false
        for name in ["1", "2"] { pair.phone.notifications.post(message(name)) }
        pair.phone.notifications.post(message("m", app: "com.example.mail"))
        try await shows(["1", "2", "m"], on: pair)
        pair.phone.notifications.deleteApp(Self.chat)
        try await shows(["m"], on: pair)
        #expect(pair.phone.alertSettings[Self.chat] == AlertSettings.App(), "the app's settings are deleted")
        let place = pair.told.count
        pair.phone.notifications.deleteApp("com.example.mail")
        try await shows([], on: pair, from: place)
        #expect(pair.phone.notifications.posted.isEmpty)
    }

    @Test("A notification that is posted again alerts again and keeps its position", .covers("N3", "N4"))
    func postedAgain() async throws {
        let pair = try await ready()
        for name in ["1", "2", "1"] { pair.phone.notifications.post(message(name)) }
        var place = 0
        for _ in 0..<3 {
            place = try await pair.told.first(from: place, within: .seconds(300), waitingFor: "three alerts") {
                if case .alerted = $0 { true } else { false }
            }.next
        }
        #expect(pair.alerts.map(\.notification) == ["1", "2", "1"])
        #expect(pair.phone.notifications.posted.map(\.identifier.notificationIdentifier) == ["1", "2"])
    }

    @Test("Notifications removed while the app is not running disappear from the die when it runs again", .covers("N3"))
    func removedMeanwhile() async throws {
        let pair = try await ready()
        for name in ["1", "2"] { pair.phone.notifications.post(message(name)) }
        try await shows(["1", "2"], on: pair)
        pair.phone.terminateApp()
        pair.phone.notifications.remove(message("1").identifier)
        _ = try await pair.phone.launch(NotifyingApp.self)
        pair.phone.notifications.post(message("3"))
        try await shows(["2", "3"], on: pair)
    }

    // MARK: Alerting

    @Test("The die alerts and sounds when the phone would, and shows all notifications", .covers("N4"))
    func alerting() async throws {
        let pair = try await ready()
        let settings = pair.phone.alertSettings
        pair.phone.notifications.post(message("1"))
        settings[Self.chat].sounds = false
        pair.phone.notifications.post(message("2"))
        settings.focus = .init("Work")
        pair.phone.notifications.post(message("3"))
        pair.phone.notifications.post(message("4", attributes: .critical))
        try await shows(["1", "2", "3", "4"], on: pair)
        try pair.perform(.setSilenced(true))
        settings[Self.chat].sounds = true
        pair.phone.notifications.post(message("5", attributes: .timeSensitive))
        pair.phone.notifications.post(message("6", attributes: .critical))
        let call = PhoneNotification.incomingCall(from: "Lee", identifier: "call")
        settings.focus = nil
        pair.phone.notifications.post(call)
        try await shows(["1", "2", "3", "4", "5", "6", "call"], on: pair)
        let last = DieAlert(notification: "call", category: .incomingCall, sounded: false)
        _ = try await pair.told.first(within: .seconds(300), waitingFor: "the call") { $0 == .alerted(last) }
        #expect(
            pair.alerts == [
                DieAlert(notification: "1", sounded: true), DieAlert(notification: "2", sounded: false),
                DieAlert(notification: "4", sounded: true), DieAlert(notification: "5", sounded: false),
                DieAlert(notification: "6", sounded: true), last,
            ])
        let before = pair.told.count
        pair.phone.notifications.remove(call.identifier)
        try await shows(["1", "2", "3", "4", "5", "6"], on: pair, from: before)
    }

    // MARK: Responses

    @Test("Responses on the die reach the app, and answered notifications disappear on both sides", .covers("N5"))
    func responses() async throws {
        let pair = try await ready()
        let centre = pair.phone.notifications
        for name in ["1", "2", "3"] { centre.post(message(name)) }
        try await shows(["1", "2", "3"], on: pair)
        try pair.perform(
            .respond(DieResponse(source: Self.chat, notification: "1", action: "reply", text: "At eight 🎲")))
        try await shows(["2", "3"], on: pair)
        try pair.perform(.respond(DieResponse(source: Self.chat, notification: "2", action: "read")))
        try await shows(["3"], on: pair)
        let dismiss = PhoneNotification.Action.dismiss.identifier
        let place = pair.told.count
        try pair.perform(.respond(DieResponse(source: Self.chat, notification: "3", action: dismiss)))
        try await shows([], on: pair, from: place)
        #expect(
            centre.responses.events == [
                .init(notification: message("1").identifier, action: "reply", text: "At eight 🎲"),
                .init(notification: message("2").identifier, action: "read"),
            ], "an app is not told of a dismissal")
        #expect(centre.posted.isEmpty)
        #expect(
            pair.phone.log.events.contains {
                if case .told(Self.chat, let text) = $0.kind { text.contains("At eight") } else { false }
            })
    }

    @Test("The die refuses a response that its screen does not offer, and names what it offers", .covers("N5"))
    func notOffered() async throws {
        let pair = try await ready()
        pair.phone.notifications.post(message("1"))
        try await shows(["1"], on: pair)
        func refuses(_ notification: String, _ action: String, _ text: String? = nil, because reason: String) {
            let error = #expect(throws: RadioError.self) {
                try pair.perform(
                    .respond(DieResponse(source: Self.chat, notification: notification, action: action, text: text)))
            }
            #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
        }
        refuses("2", "read", because: "shows no notification 2 of com.example.chat")
        refuses("1", "eat", because: "offers reply, read, com.apple.UNNotificationDismissActionIdentifier, not eat")
        refuses("1", "read", "text", because: "takes no text")
        refuses("1", "reply", because: "takes a text")
        refuses("1", "reply", String(repeating: "x", count: 1 << 16), because: "at most 65536")
    }

    // MARK: Pictures

    private func file(_ byteCount: Int, _ type: String = "public.png") throws -> (PhoneNotification.File, Data) {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("hil-\(UUID().uuidString).png")
        let data = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
        try data.write(to: url)
        return (PhoneNotification.File(url: url, type: type), data)
    }

    @Test("The largest notification with pictures arrives complete and unchanged", .covers("N3", "T4"))
    func pictures() async throws {
        let pair = try await Pair(mtu: 517)
        _ = try await pair.requestForwarding()
        var notification = message("1")
        let (icon, iconData) = try file(2000, "public.jpeg")
        let (face, faceData) = try file(700)
        let limit = GATTFraming.maximumContentLength
        let (photo, photoData) = try file(limit - 4000)
        defer { for file in [icon, face, photo] { try? FileManager.default.removeItem(at: file.url) } }
        (notification.sourceIcon, notification.contextIcon, notification.attachments) = (icon, face, [photo])
        pair.phone.notifications.post(notification)
        let shown = try await pair.screen { $0.count == 1 }
        #expect(
            shown.first?.pictures == [
                picture(.sourceIcon, "public.jpeg", iconData), picture(.contextIcon, "public.png", faceData),
                picture(.attachment, "public.png", photoData),
            ])
        notification.attachments = []
        pair.phone.notifications.update(notification)
        _ = try await pair.screen { $0.first?.pictures.count == 2 }
    }

    private func picture(_ role: ShownPicture.Role, _ type: String, _ data: Data) -> ShownPicture {
        ShownPicture(role: role, type: type, byteCount: data.count, digest: Data(SHA256.hash(data: data)))
    }

    @Test("A notification that is too large or has a missing picture fails with the reason", .covers("N3"))
    func tooLarge() async throws {
        let pair = try await ready()
        let (large, _) = try file(GATTFraming.maximumContentLength)
        let (huge, _) = try file(GATTFraming.maximumContentLength + 1)
        let gone = PhoneNotification.File(url: URL(fileURLWithPath: "/nowhere/x.png"), type: "public.png")
        defer { for file in [large, huge] { try? FileManager.default.removeItem(at: file.url) } }
        for (name, file, reason) in [
            ("1", large, "at most 1048576 are allowed"), ("2", huge, "at most 1048576 are allowed"),
            ("3", gone, "x.png"),
        ] {
            let place = pair.phone.notifications.events.count
            pair.phone.notifications.post(message(name, attachments: [file]))
            _ = try await pair.phone.notifications.events.first(
                from: place, within: .seconds(300), waitingFor: "a refusal that says “\(reason)”"
            ) { if case .failed(let why) = $0.kind { why.contains(reason) } else { false } }
        }
        pair.phone.notifications.post(message("4"))
        try await shows(["4"], on: pair)
    }
}
