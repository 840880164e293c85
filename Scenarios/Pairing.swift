import AccessorySetupKit
import DiceApp
import HIL

let newDieIsOnboarded = Scenario(
    "A new die is found, picked, paired, joined and notified",
    .tags(.smoke, .discovery, .pairing, .wifi, .notifications),
    .covers("K1", "K11", "K12", "A1", "C4", "W4", "S4"), .budget(.seconds(30)), .audits(.die)
) { lab in
    let (die, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", security: .wpa3))
    let peripheral = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("join", within: .seconds(8)) { try await app.joinWiFi(of: accessory) }

    try await lab.forward(to: accessory, in: app)
    lab.phone.notifications.post(.message("dinner", "Dinner at 8?"))
    let shown = try await lab.step("show", within: .seconds(10)) { try await die.screen.next() }

    lab.expect(shown.title, equals: "Kim", "the die shows who wrote")
    lab.expect(shown.body, equals: "Dinner at 8?", "the die shows what was written")
    lab.expect(peripheral.state, equals: .connected, "the link is still up")
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is still on the die's network")
}

let dieIsPairedAndRolls = Scenario(
    "A die is paired with LE Secure Connections, connected, and its rolls arrive",
    .tags(.smoke, .pairing), .covers("K12", "C1", "C3", "C4")
) { lab in
    let (die, app) = try await lab.newDie()
    lab.phone.person.will(.confirmPasskey)
    let accessory = try await lab.pick(in: app)
    lab.expect(app.told.contains(.pickerSetupPairing), "the app hears that pairing has begun")
    let bonds = [try await die.events.next(.bonded), try await lab.phone.log.next(.bonded)]
    lab.expect(bonds.allSatisfy(\.isSecureConnections), "both ends have a key made by LE Secure Connections")
    lab.expect(bonds.allSatisfy(\.isAuthenticated), "both ends know that the number was compared")
    lab.expect(lab.phone.shownNumbers, equals: die.shownNumbers, "phone and die showed the same number")

    let peripheral = try await lab.watchRolls(of: accessory, in: app)
    lab.expect(peripheral.identifier, equals: accessory.bluetoothIdentifier, "the peripheral is the picked die")
    for face: UInt8 in [6, 1, 4] {
        try await lab.expectRoll(face, of: die, in: app, "the app sees the face that was rolled")
    }
}

let dieRefusesPairing = Scenario(
    "A die that refuses to pair gives pickerSetupFailed and connectionFailed",
    .tags(.pairing, .robustness), .covers("K10", "K12")
) { lab in
    let (die, app) = try await lab.newDie(.die(named: "Die 7", pairing: .refuses))
    lab.phone.person.will(.pick("Die 7"))
    try await lab.fails(
        "fail to pair", with: .connectionFailed, "the app hears that the connection failed", within: .seconds(15)
    ) { try await app.addDie() }
    lab.expect(
        app.told,
        equals: [.activated, .pickerDidPresent, .pickerSetupPairing, .pickerSetupFailed, .pickerDidDismiss],
        "the events report the failure")
    let failed = app.events.first { $0.eventType == .pickerSetupFailed }
    lab.expect(
        (failed?.error as? ASError)?.failureReason ?? "",
        contains: "pairing failed: Pairing Not Supported (0x05): the device does not pair, by the peer",
        "the failed event carries the error: what failed, and who ended it")
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")
    lab.expect(!die.isBonded, "the die has no bond")

    // The next try succeeds: the refusal has left nothing behind.
    try await die.setPairing(.accepts)
    try await lab.pick(in: app, "pair after all")
}

/// Afterwards there is no picker, no accessory and no bond.
let invalidationWhilePairing = Scenario(
    "Invalidation while pairing ends everything, and a new session starts afresh", .tags(.pairing),
    .covers("K8", "E3", "K16")
) { lab in
    let (_, app) = try await lab.newDie()
    lab.phone.person.isWilling = false
    lab.phone.person.will(.pick("Die 7"))
    let picker = Task { try await app.addDie() }
    try await lab.step("reach the number", within: .seconds(15)) { try await lab.phone.shows(.passkey) }
    try await lab.fails("end", with: .invalidated, "the completion gets invalidated") {
        app.session.invalidate()
        return try await picker.value
    }
    lab.expect(app.told.last, equals: .invalidated, "no event follows")
    lab.expect(app.session.accessories.isEmpty, "there is no accessory")

    lab.phone.person.isWilling = true
    let again = try await lab.phone.launch(DiceApp.self)
    let accessory = try await lab.step("set up", within: .seconds(20)) { try await again.addDie() }
    lab.expect(accessory.state, equals: .authorized, "the next session sets the die up")
}

/// The picker gives the die to the app, and the app pairs by using a protected value. The person is not asked about the
/// network later.
let appConfirmsAuthorization = Scenario(
    "An app pairs a die itself and finishes its authorisation with the die's network",
    .tags(.pairing, .wifi), .covers("O2", "O3", "A2", "K12", "W1", "C1")
) { lab in
    let (die, app) = try await lab.newDie(.die(named: "Die 7", security: .wpa2))
    let item = try app.item(setup: [.confirmAuthorization, .finishInApp]) {
        $0.supportedOptions = [.bluetoothPairingLE]
        $0.ssidPrefix = "Die"
    }
    let (waiting, picker) = try await lab.pairInApp(app, item) { waiting in
        lab.expect(waiting.state, equals: .awaitingAuthorization, "the die waits for the app")
        lab.expect(waiting.ssid == nil, "nobody knows its network yet")
        lab.expect(!die.isBonded, "the picker does not pair")
    }
    lab.expect(try await die.events.next(.bonded).isAuthenticated, "the person compared the numbers")

    let settings = ASAccessorySettings.default
    settings.ssid = "Die 7"
    try await lab.step("finish", within: .seconds(5)) {
        try await app.session.finishAuthorization(for: waiting, settings: settings)
        try await picker.value
    }
    lab.expect(
        app.told,
        equals: [
            .activated, .pickerDidPresent, .accessoryAdded, .pickerSetupPairing, .accessoryChanged, .pickerDidDismiss,
        ], "the events report each step")
    lab.expect(app.session.accessories.map(\.state), equals: [.authorized], "the die is authorised")
    lab.expect(
        lab.phone.shownScreens.last { $0.kind == .setupComplete }?.lines, equals: ["Finish the setup in the app."],
        "the picker says to continue in the app")

    try await lab.join(in: app, within: .seconds(15))
    lab.expect(!lab.phone.askedForNetwork, "nobody was asked for the network")
}

let appFailsAuthorization = Scenario(
    "An authorisation that the app fails is withdrawn", .tags(.pairing), .covers("A3", "O2", "K10")
) { lab in
    let (_, app) = try await lab.newDie()
    let item = try app.item(setup: .confirmAuthorization) { $0.supportedOptions = [.bluetoothPairingLE] }
    let (waiting, picker) = try await lab.pairInApp(app, item)
    try await lab.fails("fail", with: .connectionFailed, "the picker ends with connectionFailed") {
        try await app.session.failAuthorization(for: waiting)
        try await picker.value
    }
    lab.expect(lab.phone.shownScreens.contains { $0.kind == .setupFailed }, "the picker shows the failure")
    lab.expect(
        app.told.suffix(3), equals: [.accessoryRemoved, .pickerSetupFailed, .pickerDidDismiss],
        "the app hears that the die is withdrawn")
    lab.expect(app.session.accessories.isEmpty, "the app has nothing")
}

let dieIsBridgedToClassic = Scenario(
    "A die that is paired by LE is bridged to classic Bluetooth without a second pairing", .tags(.pairing),
    .needs(.capture),
    .covers("K12", "A2")
) { lab in
    var configuration = DieConfiguration.die(named: "Die 7")
    configuration.isDualMode = true
    let (die, app) = try await lab.newDie(configuration)
    // The die reports each phone that opens its own channel.
    lab.phone.policy.bridgingPort = DieChannel.port
    let descriptor = ASDiscoveryDescriptor.dice {
        $0.supportedOptions = [.bluetoothPairingLE, .bluetoothTransportBridging]
    }

    lab.phone.person.will(.confirmPasskey)
    let accessory = try await lab.pick(in: app, "pair and bridge", describedBy: descriptor, within: .seconds(20))
    lab.expect(
        app.told,
        equals: [
            .activated, .pickerDidPresent, .pickerSetupPairing, .pickerSetupBridging, .accessoryAdded,
            .pickerDidDismiss,
        ], "the app hears of pairing, then of bridging")
    let link = try await die.events.next(.bridged)
    lab.expect(link.isEncrypted, "the die's end of the classic link is encrypted")
    lab.expect(link.key.isSecureConnections && link.key.isAuthenticated, "with a key as strong as the LE bond's")
    lab.expect(
        accessory.bluetoothTransportBridgingIdentifier, equals: Data(die.address.bytes),
        "the accessory has the die's classic address")

    let packets = try await lab.air.capturedHCI(of: .host)
    let handle = packets.classicHandle
    lab.expect(handle != nil, "a classic link came up")
    lab.expect(packets.contains { $0.isEncryption(of: handle) }, "the phone's controller encrypted it")
    lab.expect(!packets.contains(where: \.isClassicPairing), "nothing was paired over it")
    lab.expect(lab.phone.shownNumbers.count, equals: 1, "the person compared one number")

    // LE works as before.
    try await lab.watchRolls(of: accessory, in: app, within: .seconds(10))
    try await lab.expectRoll(5, of: die, in: app, "the die's rolls arrive over LE")
}
