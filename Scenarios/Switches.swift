import AccessorySetupKit
import DiceApp
import HIL

/// The phone cancels the pairing, ends the link and then powers off, so that neither side keeps half a bond.
let bluetoothIsSwitchedOffInPairing = Scenario(
    "Bluetooth switched off at each moment of pairing ends it, and the next attempt pairs",
    .tags(.robustness, .pairing), .needs(.air), .covers("K10", "K18", "C6"), .budget(.seconds(120))
) { lab in
    let (die, app) = try await lab.newDie()
    /// Records whether the set-up failed and left nothing behind, and switches Bluetooth on again.
    @MainActor func expectNothingLeft(_ moment: String, since told: Int) async throws {
        lab.expect(app.session.accessories.isEmpty, "off at \(moment): no accessory is authorised")
        lab.expect(
            app.told.dropFirst(told),
            equals: [.pickerDidPresent, .pickerSetupPairing, .pickerSetupFailed, .pickerDidDismiss],
            "off at \(moment): the app hears that the set-up failed, and gets no accessory")
        try await lab.switchBluetooth(true)
    }

    @MainActor func expectSetupToFail(_ moment: String) async throws {
        try await lab.fails(
            "fail to set up, off at \(moment)", with: .connectionFailed,
            "off at \(moment): the app gets connectionFailed", within: .seconds(15)
        ) { try await app.addDie() }
        lab.expect(!lab.phone.bluetoothIsOn, "off at \(moment): Bluetooth is off")
    }

    // What the die sends on one link must not count for the next one, so each link ends at the die first.
    for screen in [Screen.Kind.settingUp, .passkey] {
        let (dieMark, told) = (die.events.mark, app.told.count)
        lab.phone.person.will(.pick("Die 7"))
        lab.phone.person.will(.switchBluetoothOff, at: screen)
        try await expectSetupToFail("\(screen)")
        if screen == .passkey { try await die.events.next(.disconnected, since: dieMark, within: .seconds(10)) }
        try await expectNothingLeft("\(screen)", since: told)
    }

    // The messages of LE Secure Connections, from the first to the last one before the link is encrypted.
    for message in [SMPCode.pairingRequest, .pairingResponse, .publicKey, .pairingConfirm, .pairingRandom] {
        let (dieMark, told) = (die.events.mark, app.told.count)
        lab.phone.person.will(.pick("Die 7"))
        try await lab.air.when(.smp(message)) {
            try await lab.switchBluetooth(false)
        } during: {
            try await expectSetupToFail("\(message)")
        }
        try await die.events.next(.disconnected, since: dieMark, within: .seconds(10))
        try await expectNothingLeft("\(message)", since: told)
    }
    lab.expect(!lab.phone.log.contains(.bonded), "the phone has made no bond")
    lab.expect(!die.isBonded, "the die has made no bond")

    // From here on the pairing may succeed on either side. If the app gets an accessory, there must be a bond. The last
    // message is the event Encryption Change of either controller.
    let checks = [Traffic.smp(.dhKeyCheck), .smp(.dhKeyCheck).sent(by: .accessory), .hci(.event(code: 0x08))]
    for message in checks {
        let (mark, dieMark, told) = (lab.phone.log.mark, die.events.mark, app.told.count)
        lab.phone.person.will(.pick("Die 7"))
        let accessory = try await lab.air.when(message) {
            try await lab.switchBluetooth(false)
        } during: {
            try await lab.step("set up, off at \(message)", within: .seconds(15)) { try? await app.addDie() }
        }
        try await die.events.next(.disconnected, since: dieMark, within: .seconds(10))
        guard let accessory else {
            try await expectNothingLeft("\(message)", since: told)
            continue
        }
        lab.expect(
            lab.phone.log.contains(.bonded, since: mark),
            "off at \(message): the phone has a bond with the added accessory")
        lab.phone.person.will(.switchBluetoothOn, .removeInSettings(accessory.displayName))
        try await lab.phone.log.next(.told("accessoryRemoved"), since: mark)
    }

    let accessory = try await lab.pick(in: app, "pair", within: .seconds(15))
    try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("write a value that needs a bond", within: .seconds(5)) { try await app.writeOwner("Kim") }
    lab.expect(try await app.readOwner(), equals: "Kim", "both ends have the same key")

    // A die that is removed while Bluetooth is off is also removed from the radio: the next pairing shows a number
    // again.
    try await lab.switchBluetoothOff(until: die)
    let mark = lab.phone.log.mark
    lab.phone.person.will(.removeInSettings(.named(accessory.displayName)))
    try await lab.phone.log.next(.told("accessoryRemoved"), since: mark)
    try await lab.switchBluetooth(true)
    let numbers = lab.phone.shownNumbers.count
    try await lab.pick(in: app, "pair once more", within: .seconds(15))
    lab.expect(lab.phone.shownNumbers.count, equals: numbers + 1, "the phone compared a number again")
}

/// The app gets only the new state, as Core Bluetooth documents.
let bluetoothIsSwitchedOffInUse = Scenario(
    "Bluetooth switched off while an app scans, connects and reads is reported as a state, and all works again once on",
    .tags(.robustness, .pairing), .needs(.air), .covers("C1", "C2", "C4", "C6"), .budget(.seconds(90))
) { lab in
    let (die, _, accessory) = try await lab.pairedDie()
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the die has a Bluetooth identifier")
    let probe = CentralProbe()
    try await probe.next(.state(.poweredOn), within: .seconds(5))
    let peripheral = try lab.require(
        probe.central.retrievePeripherals(withIdentifiers: [identifier]).first, "the app is given the peripheral")

    @MainActor func comeOn(_ what: String) async throws {
        try await lab.step("hear that it is off while \(what)", within: .seconds(5)) {
            try await probe.next(.state(.poweredOff))
        }
        lab.expect(peripheral.state, equals: .disconnected, "off while \(what): the peripheral is disconnected")
        lab.expect(!probe.central.isScanning, "off while \(what): no scan is running")
        lab.expect(
            probe.told.events.last, equals: .state(.poweredOff), "off while \(what): the app got the state last")
        try await lab.switchBluetooth(true)
        try await lab.step("switch on, off while \(what)", within: .seconds(5)) {
            try await probe.next(.state(.poweredOn))
        }
    }

    probe.central.scanForPeripherals(withServices: nil)
    try await lab.switchBluetoothOff(until: die)
    try await comeOn("scanning")
    lab.expect(try await probe.find(), equals: identifier, "a new scan finds the die")

    probe.central.connect(peripheral, options: nil)
    try await lab.switchBluetooth(false)
    try await comeOn("connecting")

    _ = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    peripheral.delegate = probe
    try await probe.discover(peripheral)
    // Bluetooth goes off while the answer is on its way. Earlier would test bluetoothd 5.82 on the die: it may abort
    // when it handles a read of a link that is gone (gatt-database.c: att_get_device returns no device, but its path is
    // used).
    let mark = lab.phone.log.mark
    try await lab.air.when(.att(opcode: 0x0B).sent(by: .accessory)) {
        try await lab.switchBluetoothOff(until: die)
    } during: {
        peripheral.readValue(for: try peripheral.found(DieGATT.owner.uuid))
        try await lab.phone.log.next(.bluetoothPower(false), since: mark)
    }
    try await comeOn("reading")

    _ = try await lab.step("connect again", within: .seconds(10)) { try await probe.connect(identifier) }
    try await probe.discover(peripheral)
    peripheral.readValue(for: try peripheral.found(DieGATT.owner.uuid))
    try await probe.next(.value, within: .seconds(5))
}

let pickerOutlivesSwitches = Scenario(
    "A picker says which radio is off, and keeps looking once it is on",
    .tags(.discovery, .robustness, .wifi), .covers("K1", "K18"), .budget(.seconds(60))
) { lab in
    let (_, app) = try await lab.newDie(.die(named: "Die 7", security: .wpa2))
    lab.phone.person.isWilling = false

    /// Lets the person pick the offered accessory, and waits until it is set up.
    @MainActor func pick(_ step: String, from picker: Task<ASAccessory, any Error>) async throws -> ASAccessory {
        lab.phone.person.isWilling = true
        lab.phone.person.will(.pick("Die 7"))
        defer { lab.phone.person.isWilling = false }
        return try await lab.step(step, within: .seconds(15)) { try await picker.value }
    }

    try await lab.switchBluetooth(false)
    let byBluetooth = Task { try await app.addDie() }
    for time in ["", " again"] {
        try await lab.switchBluetooth(false)
        try await lab.picker(
            offers: 0, saying: "Turn on Bluetooth in Settings to find accessories.", when: "with Bluetooth off\(time)")
        try await lab.switchBluetooth(true)
        try await lab.picker(offers: 1, when: "with Bluetooth on\(time)")
    }
    let accessory = try await pick("pair", from: byBluetooth)
    lab.expect(accessory.state, equals: .authorized, "the die that came back is set up")

    let byWiFi = Task { try await app.addDie(describedBy: .network(prefix: "Die")) }
    try await lab.picker(offers: 1, when: "with Wi-Fi on")
    try await lab.switchWiFi(false)
    try await lab.picker(offers: 0, saying: "Turn on Wi-Fi in Settings to find accessories.", when: "with Wi-Fi off")
    try await lab.switchWiFi(true)
    try await lab.picker(offers: 1, when: "with Wi-Fi on again")
    lab.expect(try await pick("add it", from: byWiFi).ssid, equals: "Die 7", "the network that came back is set up")
}

let wiFiIsSwitchedOff = Scenario(
    "Wi-Fi switched off ends an attempt to join and leaves the network, which is joined again when it is on",
    .tags(.wifi, .robustness), .needs(.air), .covers("W3", "W4", "W6"), .budget(.seconds(60))
) { lab in
    let (die, app) = try await lab.newDie(.die(named: "Die 7", security: .wpa3))
    // So that the app hears of each attempt that has failed.
    lab.phone.policy.hotspotCompletion = .internalError
    for message in [Traffic.authentication(), .eapol(message: 2)] {
        // Without the message the attempt cannot succeed before Wi-Fi is off.
        try await lab.air.when(message, holding: .milliseconds(500)) {
            try await lab.switchWiFi(false)
        } during: {
            try await lab.expect(throwing: NSError.self, "an attempt that is cut off at \(message) ends with an error")
            { try await lab.join(in: app, "fail to join, off at \(message)") }
        }
        lab.expect(lab.phone.network.link == nil, "off at \(message): the phone is on no network")
        try await lab.switchWiFi(true)
    }
    try await lab.switchWiFi(false)
    try await lab.expect(throwing: NSError.self, "with Wi-Fi off nothing is joined") { try await lab.join(in: app) }
    try await lab.switchWiFi(true)

    try await lab.join(in: app)
    try await lab.expectRollOverIP(3, of: die, "the die answers on its network")
    try await lab.switchWiFi(false)
    lab.expect(lab.phone.network.link == nil, "the phone is on no network")
    try await lab.expect(throwing: RadioError.self, "nobody can be reached") { _ = try await lab.askDieOverIP() }

    let off = lab.phone.log.mark
    try await lab.switchWiFi(true)
    try await lab.phone.log.next(.note(of: "Wi-Fi", containing: "again"), since: off)
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network again")
    lab.expect(try await lab.askDieOverIP().face, equals: 3, "the die answers again")
}

let forwardingOutlivesSwitch = Scenario(
    "A notification on its way when Bluetooth is switched off arrives once, when it is on again",
    .tags(.notifications, .robustness), .covers("N3", "T1", "T5", "C6"), .budget(.seconds(60))
) { lab in
    let (die, _) = try await lab.forwardedDie()
    for (number, size) in [20, 20_000].enumerated() {
        let (screen, keys) = (die.events.mark, lab.forwarding.mark)
        lab.phone.notifications.post(.message("m\(number)", String(repeating: "die ", count: size / 4)))
        try await lab.switchBluetooth(false)
        try await lab.switchBluetooth(true)
        let shown = (0...number).map { "m\($0)" }
        try await lab.step("arrive, \(size) bytes", within: .seconds(20)) { try await die.shows(shown, since: screen) }
        lab.expect(die.screens(since: screen), equals: 1, "\(size) bytes are shown once")
        lab.expect(lab.exchanges(since: keys), equals: 0, "the keys are still good")
    }
}
