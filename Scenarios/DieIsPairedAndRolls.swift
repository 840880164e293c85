import CoreBluetooth
import DiceApp
import HIL

/// Pairing in the picker is LE Secure Connections with numeric comparison, and the die's rolls arrive over the bonded link.
let dieIsPairedAndRolls = Scenario(
    "A die is paired with LE Secure Connections, connected, and its rolls arrive",
    .tags(.smoke, .pairing), .covers("K12", "C1", "C3", "C4")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)

    lab.phone.person.will(.pick("Die 7"), .confirmPasskey)
    let accessory = try await lab.step("pair", within: .seconds(10)) { try await app.addDie() }
    lab.expect(app.events.contains { $0.eventType == .pickerSetupPairing }, "the app hears that pairing has begun")
    let bonds = [try await die.bond(within: .seconds(2)), try await lab.phone.bond(within: .seconds(2))]
    lab.expect(bonds.allSatisfy(\.isSecureConnections), "both ends have a key made by LE Secure Connections")
    lab.expect(bonds.allSatisfy(\.isAuthenticated), "both ends know that the number was compared")
    lab.expect(lab.phone.shownNumbers, equals: die.shownNumbers, "phone and die showed the same number")

    let peripheral = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    lab.expect(peripheral.identifier, equals: accessory.bluetoothIdentifier, "the peripheral is the picked die")

    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    for face: UInt8 in [6, 1, 4] {
        let roll = try await lab.step("roll", within: .seconds(2)) {
            try await die.roll(face)
            return try await app.nextRoll()
        }
        lab.expect(roll?.face, equals: face, "the app sees the face that was rolled")
    }
}
