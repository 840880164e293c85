import DiceApp
import DieLab
import HIL

let dieIsPairedAndRolls = Scenario(
    "A die is paired with LE Secure Connections, connected, and its rolls arrive",
    .tags(.smoke, .pairing), .covers("K12", "C1", "C3", "C4")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)

    lab.phone.person.will(.pick("Die 7"), .confirmPasskey)
    let accessory = try await lab.step("pair", within: .seconds(10)) { try await app.addDie() }
    let bonds = [try await die.events.next(.bonded), try await lab.phone.log.next(.bonded)]
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
