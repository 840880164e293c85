import BoardProtocol
import DiceApp
import DieLab
import HIL
import Phone
import RadioModel

/// As many accessories as a rig has at most are on the air at once, all of one name; the last of them is set up and rolls.
let eightDiceAreOnOneRig = Scenario(
    "Eight dice of one name are offered, and the eighth is set up", .tags(.discovery, .pairing), .covers("K1"),
    .budget(.seconds(90))
) { lab in
    var dice: [Die] = []
    for number in 0..<AdapterID.limit {
        dice.append(try await lab.accessory.powerOn(.die(named: "Die 7"), adapter: AdapterID(rawValue: number)))
    }
    lab.expect(Set(dice.map(\.address)).count, equals: AdapterID.limit, "each has an address of its own")
    try await lab.expect(throwing: RadioError.self, "a ninth is refused") {
        try await lab.accessory.powerOn(.die(named: "Die 9"), adapter: 8)
    }
    try await lab.expect(
        throwing: RadioError.self, "a further die has no Wi-Fi",
        where: { if case .unsupported = $0 { true } else { false } }
    ) { try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2), adapter: 7) }

    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.will(.pick(.number(AdapterID.limit)))
    let accessory = try await lab.step("pick and pair", within: .seconds(30)) { try await app.addDie() }
    let entries = lab.phone.shownScreens.last { $0.kind == .picker }?.entries ?? []
    lab.expect(Set(entries.compactMap(\.address)), equals: Set(dice.map(\.address)), "all of them were offered")
    let die = try lab.require(
        dice.first { $0.address == entries.last?.address }, "the eighth entry is one of the dice")
    lab.expect(try await die.bond(within: .seconds(2)).isAuthenticated, "the eighth has a bond")
    try await lab.step("connect", within: .seconds(15)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    let roll = try await lab.step("roll", within: .seconds(5)) {
        try await die.roll(6)
        return try await app.nextRoll()
    }
    lab.expect(roll?.face, equals: 6, "its roll arrives")
    lab.expect(
        dice.filter { !$0.events.events.isEmpty }.map(\.adapter), equals: [die.adapter], "the others heard nothing")
}
