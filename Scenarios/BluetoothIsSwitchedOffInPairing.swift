import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// Bluetooth that the person switches off in Settings, in each moment of pairing: the phone cancels the pairing, drops the
/// link and then powers off, so that neither end keeps half a bond, and the app hears so at once.
let bluetoothIsSwitchedOffInPairing = Scenario(
    "Bluetooth switched off in each moment of pairing ends it, and the next attempt pairs",
    .tags(.robustness, .pairing), .covers("K10", "K18", "C6"), .budget(.seconds(120))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)

    @MainActor func expectNothingLeft(_ when: String, since told: Int) async throws {
        lab.expect(app.session.accessories.isEmpty, "off at \(when): no accessory is authorised")
        lab.expect(
            app.told(since: told),
            equals: [.pickerDidPresent, .pickerSetupPairing, .pickerSetupFailed, .pickerDidDismiss],
            "off at \(when): the app hears that the set-up failed, and of no accessory")
        try await lab.switchBluetooth(true)
    }

    for screen in [Screen.Kind.settingUp, .passkey] {
        let told = app.events.count
        lab.phone.person.will(.pick("Die 7"))
        lab.phone.person.will(.switchBluetoothOff, at: screen)
        try await lab.expectSetupToFail("off at \(screen)", by: app)
        try await expectNothingLeft("\(screen)", since: told)
    }

    // Each message of LE Secure Connections, from the first to the last before the link is encrypted.
    for message in [SMPCode.pairingRequest, .pairingResponse, .publicKey, .pairingConfirm, .pairingRandom] {
        let told = app.events.count
        lab.phone.person.will(.pick("Die 7"))
        try await lab.air.when(.smp(message)) {
            try await lab.switchBluetooth(false)
        } during: {
            try await lab.expectSetupToFail("off at \(message)", by: app)
        }
        try await expectNothingLeft("\(message)", since: told)
    }
    lab.expect(!lab.phone.isBonded(since: 0), "the phone has made no bond")
    lab.expect(!die.isBonded, "the die has made no bond")

    // From here on either end may be through with it: who tells the app of an accessory has a bond. The last is the event
    // Encryption Change of either controller.
    let checks = [Traffic.smp(.dhKeyCheck), .smp(.dhKeyCheck).sent(by: .accessory), .hci(.event(code: 0x08))]
    for message in checks {
        let (place, told) = (lab.phone.log.count, app.events.count)
        lab.phone.person.will(.pick("Die 7"))
        let accessory = try await lab.air.when(message) {
            try await lab.switchBluetooth(false)
        } during: {
            try await lab.step("set up, off at \(message)", within: .seconds(15)) { try? await app.addDie() }
        }
        guard let accessory else {
            try await expectNothingLeft("\(message)", since: told)
            continue
        }
        lab.expect(lab.phone.isBonded(since: place), "off at \(message): the phone has a bond with what it added")
        lab.phone.person.will(.switchBluetoothOn, .removeInSettings(accessory.displayName))
        try await lab.step("remove it", within: .seconds(10)) {
            try await lab.phone.told("accessoryRemoved", since: place)
        }
    }

    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pair", within: .seconds(15)) { try await app.addDie() }
    try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("write what only a bonded phone may", within: .seconds(5)) { try await app.writeOwner("Kim") }
    let owner = try await lab.step("read it", within: .seconds(5)) { try await app.readOwner() }
    lab.expect(owner, equals: "Kim", "both ends have the same key")

    // What is removed while Bluetooth is off is forgotten by the radio as well: the next pairing compares a number anew.
    try await lab.switchBluetooth(false)
    let place = lab.phone.log.count
    lab.phone.person.will(.removeInSettings(.named(accessory.displayName)))
    try await lab.step("remove it, off", within: .seconds(10)) {
        try await lab.phone.told("accessoryRemoved", since: place)
    }
    try await lab.switchBluetooth(true)
    let numbers = lab.phone.shownNumbers.count
    lab.phone.person.will(.pick("Die 7"))
    _ = try await lab.step("pair once more", within: .seconds(15)) { try await app.addDie() }
    lab.expect(lab.phone.shownNumbers.count, equals: numbers + 1, "the phone compared a number again")
}
