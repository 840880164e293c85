import BoardProtocol
import DiceApp
import HIL
import Phone
import RadioModel

/// Two dice with one name are two entries; the person takes the second, by its address or as number 2, and it alone is paired.
let secondOfTwoNamesakesIsPicked = Scenario(
    "Of two dice with one name the second is picked, and the other knows nothing of it",
    .tags(.discovery, .pairing), .covers("K1", "A1", "C4")
) {
    Axis(\.choice, [.address, .number])
} run: { lab, conditions in
    let first = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let second = try await lab.accessory.powerOn(.die(named: "Die 7"), adapter: 1)
    lab.expect(first.address != second.address, "each has an address of its own")
    let app = try await lab.phone.launch(DiceApp.self)

    // Whoever picks by address would not wait for the other one.
    lab.phone.person.isWilling = false
    let pick = Task { try await app.addDie() }
    let entries = try await lab.step("see both", within: .seconds(10)) {
        try await lab.phone.shows("two dice with their names") { $0.entries.map(\.detail) == ["Die 7", "Die 7"] }
            .entries
    }
    switch conditions.choice {
    case .address: lab.phone.person.will(.pick(.address(second.address)))
    case .number: lab.phone.person.will(.pick(.number(2)))
    }
    lab.phone.person.isWilling = true
    let accessory = try await lab.step("pick and pair", within: .seconds(15)) { try await pick.value }
    let meant = conditions.choice == .address ? second.address : entries.last?.address
    let (picked, other) = meant == first.address ? (first, second) : (second, first)
    lab.expect(meant, equals: picked.address, "what was meant is one of the two")

    lab.expect(try await picked.bond(within: .seconds(2)).isAuthenticated, "the one that was meant has a bond")
    lab.expect(lab.phone.shownNumbers, equals: picked.shownNumbers, "it showed the number that the phone showed")
    lab.expect(app.session.accessories, equals: [accessory], "one die is authorised")
    try await lab.step("connect", within: .seconds(10)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    for face: UInt8 in [6, 1] {
        let roll = try await lab.step("roll", within: .seconds(3)) {
            try await other.roll(7 - face)
            try await picked.roll(face)
            return try await app.nextRoll()
        }
        lab.expect(roll?.face, equals: face, "the app sees what it rolls, and not what the other does")
    }
    lab.expect(other.events.events, equals: [], "the other was not connected to, and showed and bonded nothing")
}
