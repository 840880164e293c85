import CryptoKit
import DiceApp
import HIL

let notificationIsDeliveredEncrypted = Scenario(
    "A notification is delivered encrypted and shown with the same text",
    .tags(.smoke, .notifications), .needs(.capture), .covers("N1", "N2", "S1", "S2", "S3", "S4", "S6"), over: suites
) { lab, suite in
    let (die, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", cipherSuites: suite.offered))
    try await lab.forward(to: accessory, in: app)
    try await die.events.next(.keysExchanged.where { $0 == (suite == .xWing ? "XWing" : "P256") })

    let (title, body) = ("Kim Kowalczyk", "Dinner at eight? Bring the blue dice.")
    lab.phone.notifications.post(.init(app: "com.example.chat", title: title, body: body))
    let shown = try await lab.step("show", within: .seconds(5)) { try await die.screen.next() }
    lab.expect(shown.title, equals: title, "the die shows who wrote")
    lab.expect(shown.body, equals: body, "the die shows what was written")

    // This takes the same path to the die without the app's encryption. The search must find it, or it proves nothing.
    let owner = "Kim, who has lost the blue dice"
    try await lab.step("write the owner", within: .seconds(5)) {
        try await app.connect(accessory)
        try await app.writeOwner(owner)
    }
    lab.expect(try await lab.air.captured(containing: owner), "the capture holds what the phone wrote in the clear")
    try await lab.expectSecret(title, body)
}

let dieAnswersNotifications = Scenario(
    "Actions and a text reply travel back from the die to the app that posted", .tags(.notifications), .needs(.capture),
    .covers("N5", "S4", "S6"), over: suites
) { lab, suite in
    let (die, _) = try await lab.forwardedDie(suites: suite.offered)
    let centre = lab.phone.notifications
    let read = PhoneNotification.Action(identifier: "read", title: "Mark as Read", type: .background)
    for name in ["1", "2", "3"] { try await lab.post(.message(name, actions: [.reply, read, .dismiss])) }
    let shown = try await die.shows(["1", "2", "3"])
    lab.expect(
        shown[0].actions.map(\.title), equals: ["Reply", "Mark as Read", "Clear"], "the die offers the app's actions")

    let text = "At eight, then. I bring the blue dice."
    try await die.respond(to: shown[0], "reply", text: text)
    let reply = try await centre.responses.next(.response, within: .seconds(5))
    lab.expect(reply.notification, equals: PhoneNotification.message("1").identifier, "it is about the right one")
    lab.expect(reply.text, equals: text, "the app gets the text as it was entered")
    try await die.shows(["2", "3"])

    let answered = centre.responses.mark
    try await die.respond(to: shown[1], "read")
    let action = try await centre.responses.next(.response, since: answered, within: .seconds(5))
    lab.expect(action.action, equals: "read", "the app gets the action that was chosen")
    try await die.shows(["3"])

    let mark = die.events.mark
    try await die.respond(to: shown[2], PhoneNotification.Action.dismiss.identifier)
    try await die.shows([], since: mark)
    lab.expect(centre.posted.isEmpty, "answered and dismissed notifications are gone from the phone")
    lab.expect(centre.responses.count, equals: 2, "an app hears nothing of a dismissal")
    try await lab.expectSecret("blue dice")
}

let dieAlertsAsThePhone = Scenario(
    "A die alerts according to the app's permission, the Focus, silent mode and calls", .tags(.notifications),
    .covers("N4"), .budget(.seconds(60))
) { lab in
    let (die, _) = try await lab.forwardedDie()
    let settings = lab.phone.alertSettings
    var shown: [String] = []

    /// Posts a notification, and compares the die's report to the phone with its alert.
    @MainActor func expect(_ what: String, _ notification: PhoneNotification, _ sounded: Bool?) async throws {
        let name = notification.identifier.notificationIdentifier
        let alerted = try await lab.post(notification)
        shown.append(name)
        try await die.shows(shown)
        lab.expect(alerted, equals: sounded != nil, "the die reports whether it alerts: \(what)")
        let category: NotificationContent.Category = notification.kind == .incomingCall ? .incomingCall : .notification
        let alert = sounded.map { DieAlert(notification: name, category: category, sounded: $0) }
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
        try await expect("a time-sensitive notification passes", .message("soon", attributes: .timeSensitive), true)
        try await expect("a call does not pass", .incomingCall(from: "Lee", identifier: "call in Focus"), nil)
        settings.focus = AlertSettings.Focus("Sleep", allowsTimeSensitive: false)
        try await expect("unless the Focus forbids it", .message("later", attributes: .timeSensitive), nil)
        try await expect("a critical notification passes everything", .message("flood", attributes: .critical), true)
        settings.focus = nil
    }
    try await lab.step("silent mode", within: .seconds(15)) {
        settings.isSilent = true
        try await expect("a silenced phone asks for no sound", .message("hushed"), false)
        settings.isSilent = false
        try await die.setSilenced(true)
        try await expect("a silenced die plays no sound", .message("hushed die"), false)
        try await expect("but plays a critical one", .message("fire", attributes: .critical), true)
        try await die.setSilenced(false)
    }
    let call = PhoneNotification.incomingCall(from: "Lee", identifier: "call")
    try await expect("a call rings, as a call", call, true)
    let mark = die.events.mark
    lab.phone.notifications.remove(call.identifier)
    try await die.shows(shown.dropLast(), since: mark)
}

let dieShowsWhatThePhoneShows = Scenario(
    "A die's screen follows notifications that are posted, changed, withdrawn, deleted and cleared",
    .tags(.notifications),
    .covers("N2", "N3"), .budget(.seconds(60))
) { lab in
    let (die, _) = try await lab.forwardedDie()
    let centre = lab.phone.notifications

    try await lab.step("add", within: .seconds(10)) {
        for name in ["1", "2", "3"] { try await lab.post(.message(name)) }
        try await lab.post(.mail("mail"))
        try await die.shows(["1", "2", "3", "mail"])
    }
    let alerts = die.alerts.count
    lab.expect(alerts, equals: 4, "each alerted once")
    try await lab.step("update", within: .seconds(5)) {
        centre.update(.message("2", "Dinner at 9?"))
        try await die.events.next(
            .screen.where("the die to show the change") { $0.count == 4 && $0[1].body == "Dinner at 9?" })
    }
    try await lab.step("take back", within: .seconds(5)) {
        centre.remove(PhoneNotification.message("1").identifier)
        try await die.shows(["2", "3", "mail"])
    }
    try await lab.step("delete the app", within: .seconds(5)) {
        centre.deleteApp("com.example.chat")
        try await die.shows(["mail"])
    }
    try await lab.step("clear", within: .seconds(5)) {
        let mark = die.events.mark
        centre.removeAll()
        try await die.shows([], since: mark)
    }
    lab.expect(die.alerts.count, equals: alerts, "none of these changes alerted")
    lab.expect(centre.posted.isEmpty, "the phone's own centre is as empty as the die")
}

let notificationCarriesPictures = Scenario(
    "Pictures travel whole with a notification, and too large ones are refused", .tags(.notifications),
    .covers("N3", "T4"), .budget(.seconds(60))
) { lab in
    let (die, _) = try await lab.forwardedDie()
    let pictures = try PictureFolder()
    defer { pictures.remove() }
    let (icon, photo) = (try pictures.file("icon.png", 3_000), try pictures.file("photo.png", 50_000))
    var notification = PhoneNotification.message("photo")
    (notification.sourceIcon, notification.attachments) = (icon.file, [photo.file])

    try await lab.post(notification, within: .seconds(30))
    let shown = try await die.shows(["photo"])
    let expected = [(ShownPicture.Role.sourceIcon, icon.data), (.attachment, photo.data)].map { role, data in
        ShownPicture(role: role, type: "public.png", byteCount: data.count, digest: Data(SHA256.hash(data: data)))
    }
    lab.expect(shown[0].pictures, equals: expected, "each picture is what the app gave")

    var large = PhoneNotification.message("too large")
    large.attachments = [try pictures.file("poster.png", (1 << 20) + 1).file]
    try await lab.post(large, within: .seconds(10))
    lab.expect(
        lab.forwarding.contains(.failed.where { $0.contains("at most 1048576") }), "the phone's log names the limit")
    try await lab.post(.message("small"), within: .seconds(10))
    try await die.shows(["photo", "small"])
}

/// When the last permission or the accessory is removed, the session ends and its keys are deleted.
let personRevokesForwarding = Scenario(
    "Revoking permissions clears the die, and finally ends the session", .tags(.notifications),
    .covers("N1", "N2", "N6"), .budget(.seconds(60)), over: suites
) { lab, suite in
    let (die, app) = try await lab.forwardedDie(suites: suite.offered)
    let phone = lab.phone
    try await lab.post(.message("1"))
    try await lab.post(.mail("mail"))
    try await die.shows(["1", "mail"])

    try await lab.step("allow mail alone", within: .seconds(10)) {
        phone.person.will(.forwardInSettings("Bluetooth Die", .only(["com.example.mail"])))
        try await die.shows(["mail"])
        phone.notifications.post(.message("2"))
        try await lab.post(.mail("mail 2"))
        try await die.shows(["mail", "mail 2"])
    }
    let everShown = die.events.all(.screen).joined()
    lab.expect(!everShown.contains { $0.identifier == "2" }, "the die never shows what is not allowed")

    try await lab.step("allow none", within: .seconds(10)) {
        let (mark, screen) = (lab.forwarding.mark, die.events.mark)
        phone.person.will(.forwardInSettings("Bluetooth Die", .none))
        try await lab.forwarding.next(.sessionEnded("allows no app"), since: mark, within: .seconds(5))
        try await die.events.next(.keysForgotten, since: screen, within: .seconds(5))
        try await die.shows([], since: screen)
    }
    try await lab.step("allow all again", within: .seconds(15)) {
        let (mark, screen) = (lab.forwarding.mark, die.events.mark)
        phone.person.will(.forwardInSettings("Bluetooth Die", .all))
        try await lab.forwarding.next(.decided(.all), since: mark, within: .seconds(5))
        try await lab.post(.message("3"))
        try await die.events.next(.keysExchanged, since: screen)
        try await die.events.next(.screen.where("the new one") { $0.contains { $0.identifier == "3" } }, since: screen)
    }
    try await lab.step("remove the die", within: .seconds(10)) {
        let (mark, screen, log) = (lab.forwarding.mark, die.events.mark, phone.log.mark)
        phone.person.will(.removeInSettings("Bluetooth Die"))
        try await lab.forwarding.next(.sessionEnded("the accessory was removed"), since: mark, within: .seconds(5))
        try await die.events.next(.keysForgotten, since: screen, within: .seconds(5))
        try await die.shows([], since: screen)
        try await phone.log.next(.told("accessoryRemoved"), since: log)
    }
    lab.expect(app.session.accessories.isEmpty, "the app no longer has a die")
}

/// `make bench` measures the times of its steps.
let notificationsShareTheLink = Scenario(
    "Notifications are shown in turn, one by one and a hundred at once, beside plain writes", .tags(.notifications),
    .covers("N3", "T4"), .budget(.seconds(120))
) { lab in
    let (die, app, accessory) = try await lab.pairedDie()
    try await lab.forward(to: accessory, in: app)
    try await die.events.next(.keysExchanged)

    for number in 1...10 {
        let body = "number \(number)"
        let shown = try await lab.step("idle link", within: .seconds(5)) {
            lab.phone.notifications.post(.message("1", body))
            return try await die.screen.next()
        }
        lab.expect(shown.body, equals: body, "each is shown")
    }

    // With tags and lengths of the fields, the app's name and the alert, a message has 256 bytes. Sealing adds 28.
    let bodies = (1...100).map { number in "\(number)".padding(toLength: 166, withPad: ".", startingAt: 0) }
    try await lab.step("hundred notifications", within: .seconds(60)) {
        // Sixteen identifiers in turn, because changes of one notification are delivered one after the other.
        for (number, body) in bodies.enumerated() {
            lab.phone.notifications.post(.message(String(number % 16, radix: 16), body))
        }
        for body in bodies {
            let shown = try await die.screen.next(within: .seconds(10))
            lab.expect(shown.body, equals: body, "none is lost, and none overtakes another")
        }
    }
    // The receipts of the last few may not have arrived yet.
    let sizes = Set(lab.forwarding.all(.deliveredByteCount).suffix(50))
    lab.expect(sizes, equals: [284], "each has the size of the plain writes")

    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe()
    let peripheral = try await lab.step("connect", within: .seconds(15)) { try await probe.connect(identifier) }
    let mark = die.events.mark
    try await lab.step("hundred plain writes", within: .seconds(60)) {
        // These are not segments, so the die refuses each and reports that. The reports show that they have arrived.
        let values = [Data](repeating: Data(count: 256), count: bodies.count)
        try await probe.write(values, to: peripheral.found(DieGATT.notifications.uuid), of: peripheral)
        try await die.events.next(values.count, .refused(), since: mark)
    }
}
