import DiceApp
import HIL

let notificationTakesBestWay = Scenario(
    "A notification prefers Bluetooth to the die's network, and that network to the internet",
    .tags(.notifications, .wifi), .covers("T1", "T2"), .budget(.seconds(120))
) { lab in
    let (die, app, accessory) = try await lab.dieAtHome(security: .wpa2)
    try await lab.expectDelivery(
        of: "In reach", to: die, over: .bluetooth, "with all transports there, it goes over Bluetooth")

    try await lab.step("join the die", within: .seconds(15)) { try await app.joinWiFi(of: accessory) }
    try await lab.switchBluetooth(false)
    try await lab.expectDelivery(
        of: "On its network", to: die, over: .localNetwork, "on the die's network, it goes over that")

    try await lab.goHome(app)
    try await lab.expectDelivery(of: "At home", to: die, over: .internet, "elsewhere it goes over the internet")

    let mark = lab.forwarding.mark
    try await lab.switchBluetooth(true)
    try await lab.notifyUntilBluetoothServes(die, since: mark)
}

let notificationTravelsOverWiFi = Scenario(
    "With Bluetooth off a notification reaches the die over its own network, encrypted",
    .tags(.notifications, .wifi), .needs(.capture), .covers("S3", "S6", "T1", "N3"), .budget(.seconds(90))
) { lab in
    let die = try await lab.onlineDie()
    try await lab.expectDelivery(
        of: "Still by Bluetooth?", to: die, over: .bluetooth, "Bluetooth is the first choice while it is there")

    try await lab.switchBluetooth(false)
    let secrets = ["Dinner at eight?", "Bring the blue dice, all seven of them."]
    for secret in secrets {
        try await lab.expectDelivery(of: secret, to: die, over: .localNetwork, "it went over the network")
    }
    let long = String(repeating: "die ", count: 50_000)
    try await lab.expectDelivery(of: long, to: die, over: .localNetwork, "so does one of 200,000 bytes")

    // This takes the same path without the app's encryption. The search must find it, or it proves nothing.
    try await lab.expectRollOverIP(5, of: die, "the die answers in the clear")
    lab.expect(try await lab.air.captured(containing: "ROLL 1 5"), "the capture holds the roll in the clear")
    try await lab.expectSecret(secrets[0], secrets[1])

    let off = lab.forwarding.mark
    try await lab.switchBluetooth(true)
    try await lab.notifyUntilBluetoothServes(die, since: off)
}

/// The relay of the die's maker cannot read the notification. An answer comes back by push.
let notificationGoesOverInternet = Scenario(
    "Without Bluetooth and the die's network a notification goes over the internet, sealed, and an answer comes back",
    .tags(.notifications, .wifi), .needs(.capture), .covers("T1", "S3", "S6", "N5"), .budget(.seconds(90))
) { lab in
    let die = try await lab.dieBehindRelay()
    let body = "Dinner at eight? Bring the blue dice."
    var notification = PhoneNotification.message("dinner", body, actions: [.reply])
    notification.title = "Kim Kowalczyk"
    let mark = lab.forwarding.mark
    try await lab.post(notification, within: .seconds(20))
    let shown = try await die.shows(["dinner"])
    lab.expect(shown[0].body, equals: body, "the die shows what was written")
    lab.expect(try await lab.forwarding.next(.delivered, since: mark) == .internet, "it went over the internet")

    let answer = "Only if there is cake."
    try await die.respond(to: shown[0], "reply", text: answer)
    let response = try await lab.phone.notifications.responses.next(.response)
    lab.expect(response.text, equals: answer, "the app gets the text entered on the die")

    // This takes the same path without the app's encryption. The search must find it, or it proves nothing.
    let stray = "no message of the relay's at all"
    _ = try await lab.phone.network.exchange(Data(stray.utf8), with: DieRelay.host, port: DieRelay.port)
    lab.expect(try await lab.air.captured(containing: stray), "the capture holds what the phone sent in the clear")
    try await lab.expectSecret("Kim Kowalczyk", body, answer)
}

let notificationIsForBluetoothOnly = Scenario(
    "A die with P-256 gets no notification over the internet", .tags(.notifications, .wifi), .covers("S3", "T1"),
    .budget(.seconds(90))
) { lab in
    lab.phone.policy.notificationTries = 2
    let (die, _, _) = try await lab.dieAtHome(suites: [.p256])
    try await lab.switchBluetooth(false)
    let mark = lab.forwarding.mark
    lab.phone.notifications.post(.message("lost"))
    let why = try await lab.forwarding.next(.failed, since: mark, within: .seconds(40))
    lab.expect(why.contains("transportUnavailable"), "without Bluetooth it is given up: \(why)")
    lab.expect(!die.events.contains(.relay(isReached: true)), "the die reaches no relay")

    let on = lab.forwarding.mark
    try await lab.switchBluetooth(true)
    try await lab.forwarding.next(.link(isUp: true), since: on, within: .seconds(40))
    lab.phone.policy.notificationTries = 6
    try await lab.expectDelivery(of: "Over Bluetooth", to: die, over: .bluetooth, "the next one arrives over Bluetooth")
}

let p256DieStaysOffItsNetwork = Scenario(
    "A die with P-256 only gets nothing over its network, and everything over Bluetooth",
    .tags(.notifications, .wifi), .covers("S3", "T1"), .budget(.seconds(60))
) { lab in
    let die = try await lab.onlineDie(suites: [.p256])
    try await lab.expectDelivery(of: "By Bluetooth", to: die, over: .bluetooth, "Bluetooth is there")

    let mark = lab.forwarding.mark
    try await lab.switchBluetoothOff(until: die)
    try await lab.forwarding.next(.link(isUp: false), since: mark)
    lab.expect(!(try await lab.post(.message("By Wi-Fi?"))), "the phone treats it as not delivered")
    lab.expect(lab.forwarding.contains(.failed, since: mark), "and says so")
    lab.expect(!lab.forwarding.contains(.delivered, since: mark), "no transport took it")
    lab.expect(lab.phone.network.link != nil, "though the phone is on the die's network")

    try await lab.switchBluetooth(true)
    try await lab.expectDelivery(of: "By Bluetooth again", to: die, over: .bluetooth, "the next one arrives")
}

let notificationIsMadeForItsWay = Scenario(
    "A notification with a picture is sent whole over Bluetooth, and without it over the internet",
    .tags(.notifications, .wifi), .covers("T3"), .budget(.seconds(90))
) { lab in
    let (die, _, _) = try await lab.dieAtHome()
    let pictures = try PictureFolder()
    defer { pictures.remove() }
    let picture = try pictures.file("photo.png", 8_000)
    func post(_ name: String) async throws {
        var notification = PhoneNotification.message(name)
        notification.attachments = [picture.file]
        try await lab.post(notification, within: .seconds(20))
    }

    try await post("near")
    let near = try await die.shows(["near"])
    lab.expect(near[0].pictures.map(\.byteCount), equals: [8_000], "over Bluetooth the picture comes along")
    try await lab.switchBluetooth(false)
    try await post("far")
    let far = try await die.shows(["near", "far"])
    lab.expect(far[1].pictures.isEmpty, "over the internet it does not")
    lab.expect(far[1].body, equals: near[0].body, "the text does")
}
