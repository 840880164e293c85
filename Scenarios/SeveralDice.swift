import AccessorySetupKit
import DiceApp
import HIL

let rightDieIsPickedAmongMany = Scenario(
    "Of six dice that are offered at once, the one that the person means is set up",
    .tags(.discovery, .pairing), .needs(.air), .covers("K1", "D4", "A1")
) { lab in
    for number in 1...5 { try await lab.air.add(.advertiser(.die(number, metres: Double(number)))) }
    let app = try await lab.phone.launch(DiceApp.self)
    // The person wants a sixth die, which is not there yet. So the picker stays open until it shows all the others.
    lab.phone.person.will(.pick("Die 7"))
    let pick = Task { try await app.addDie() }
    try await lab.step("see five dice", within: .seconds(15)) { try await lab.phone.shows(.picker, entries: 5) }
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let accessory = try await lab.step("pick and pair", within: .seconds(15)) { try await pick.value }

    let entries = lab.phone.shownPickers.last?.entries ?? []
    lab.expect(entries.count, equals: 6, "each die has one entry")
    lab.expect(
        Set(entries.map(\.detail)), equals: Set((1...5).map { "Die \($0)" } + ["Die 7"]),
        "the entries have the names that the dice have over the air")
    lab.expect(app.session.accessories, equals: [accessory], "one die is authorised")
    lab.expect(try await die.events.next(.bonded).isAuthenticated, "it is the one that the person meant")
}

let strongestNamesakeIsPicked = Scenario(
    "Of two dice with the same name, the one with the stronger signal is picked", .tags(.discovery, .pairing),
    .needs(.air),
    .covers("K1")
) { lab in
    // It advertises the same as the die but is not a die, so that picking it would fail.
    try await lab.air.add(.advertiser(.die(7, metres: 10)))
    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.will(.pick(.strongest(of: 2)))
    let pick = Task { try await app.addDie() }
    try await lab.phone.shows(.picker, entries: 1)
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.step("pick and pair", within: .seconds(15)) { try await pick.value }

    let entries = lab.phone.shownPickers.last?.entries ?? []
    lab.expect(entries.map(\.signal), equals: [-70, -40], "the first is ten metres away, the second one")
    lab.expect(entries.last?.address, equals: die.address, "the second is the die")
    lab.expect(try await die.events.next(.bonded).isAuthenticated, "it is the one that was picked")
}

/// How the person chooses one of several dice with the same name.
private enum Choice: CaseIterable { case address, number }

let secondOfTwoNamesakesIsPicked = Scenario(
    "Of two dice with the same name, the second is picked, and the other notices nothing",
    .tags(.discovery, .pairing), .needs(.adapters), .covers("K1", "A1", "C4"), over: Axis("choice", Choice.allCases)
) { lab, choice in
    let first = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let second = try await lab.accessory.powerOn(.die(named: "Die 7"), adapter: 1)
    lab.expect(first.address != second.address, "each has its own address")
    let app = try await lab.phone.launch(DiceApp.self)

    // A person who picks by address would not wait for the second die.
    lab.phone.person.isWilling = false
    let pick = Task { try await app.addDie() }
    let both = try await lab.phone.shows("two dice with the same name") {
        $0.entries.map(\.detail) == ["Die 7", "Die 7"]
    }
    lab.phone.person.will(.pick(choice == .address ? .address(second.address) : .number(2)))
    lab.phone.person.isWilling = true
    let accessory = try await lab.step("pick and pair", within: .seconds(15)) { try await pick.value }
    let meant = choice == .address ? second.address : both.entries.last?.address
    let (picked, other) = meant == first.address ? (first, second) : (second, first)
    lab.expect(meant, equals: picked.address, "the person's choice is one of the two")

    lab.expect(try await picked.events.next(.bonded).isAuthenticated, "the one that was meant has a bond")
    lab.expect(lab.phone.shownNumbers, equals: picked.shownNumbers, "it showed the number that the phone showed")
    lab.expect(app.session.accessories, equals: [accessory], "one die is authorised")
    try await lab.watchRolls(of: accessory, in: app, within: .seconds(10))
    for face: UInt8 in [6, 1] {
        try await other.roll(7 - face)
        try await lab.expectRoll(face, of: picked, in: app, "the app sees its rolls, and not the other's")
    }
    lab.expect(other.events.events, equals: [], "the other was not connected, and showed and bonded nothing")
}

let eightDiceAreOnOneRig = Scenario(
    "Eight dice with the same name are offered, and the eighth is set up", .tags(.discovery, .pairing),
    .needs(.adapters),
    .covers("K1"),
    .budget(.seconds(90))
) { lab in
    var dice: [Die] = []
    for number in 0..<AdapterID.limit {
        dice.append(try await lab.accessory.powerOn(.die(named: "Die 7"), adapter: AdapterID(rawValue: number)))
    }
    lab.expect(Set(dice.map(\.address)).count, equals: AdapterID.limit, "each has its own address")
    try await lab.expect(throwing: RadioError.self, "a ninth is refused") {
        try await lab.accessory.powerOn(.die(named: "Die 9"), adapter: 8)
    }
    try await lab.expect(
        throwing: RadioError.self, "a further die has no Wi-Fi",
        where: { if case .unsupported = $0 { true } else { false } }
    ) { try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2), adapter: 7) }

    let app = try await lab.phone.launch(DiceApp.self)
    let accessory = try await lab.pick(.number(AdapterID.limit), in: app, within: .seconds(30))
    let entries = lab.phone.shownPickers.last?.entries ?? []
    lab.expect(Set(entries.compactMap(\.address)), equals: Set(dice.map(\.address)), "all of them were offered")
    let die = try lab.require(dice.first { $0.address == entries.last?.address }, "the eighth entry is one of the dice")
    lab.expect(try await die.events.next(.bonded).isAuthenticated, "the eighth has a bond")
    try await lab.watchRolls(of: accessory, in: app, within: .seconds(15))
    try await lab.expectRoll(6, of: die, in: app, "its roll arrives")
    lab.expect(
        dice.filter { !$0.events.events.isEmpty }.map(\.adapter), equals: [die.adapter], "the others heard nothing")
}

let fourAccessoriesAtOnce = Scenario(
    "Four dice at once make a carousel, and are set up one after another", .tags(.discovery), .needs(.air),
    .covers("K1", "K14", "D4", "A1")
) { lab in
    for number in 1...3 { try await lab.air.add(.advertiser(.die(number))) }
    let (_, app) = try await lab.newDie()
    lab.phone.person.isWilling = false

    for (count, name) in ["Die 7", "Die 2", "Die 1", "Die 3"].enumerated() {
        let mark = lab.phone.log.mark
        let item = try app.item()
        let picker = Task { try await app.session.showPicker(for: [item]) }
        try await lab.phone.shows(.picker, entries: 4 - count, since: mark)
        lab.phone.person.will(.pick(name), .done)
        try await lab.step("pick \(name)", within: .seconds(10)) { try await picker.value }
    }
    lab.expect(app.session.accessories.count, equals: 4, "all four are authorised")
    lab.expect(lab.phone.shownPickers.map(\.entries.count).max(), equals: 4, "no more than four were ever offered")
    let again = try await lab.phone.launch(DiceApp.self)
    try await lab.becomes("the next launch has its four", within: .seconds(5)) { again.session.accessories.count == 4 }
    lab.expect(
        Set(again.session.accessories.compactMap(\.bluetoothIdentifier)).count, equals: 4,
        "they are there when the app is launched again")
}

let twoDiceOfOneAppAtOnce = Scenario(
    "Two dice of one app are connected at once, and each has its own rolls and notifications",
    .tags(.pairing, .notifications), .needs(.capture, .adapters), .covers("A1", "C3", "C4", "K14"),
    .budget(.seconds(90))
) { lab in
    let (app, dice, accessories, probes) = try await lab.twoDice()
    lab.expect(Set(accessories.compactMap(\.bluetoothIdentifier)).count, equals: 2, "the app knows them apart")

    // Both links are up now. The rolls of each die reach its own peripheral.
    for faces: [UInt8] in [[6, 1], [2, 5], [3, 3]] {
        for (die, face) in zip(dice, faces) { try await die.roll(face) }
        for (probe, face) in zip(probes, faces) {
            lab.expect(try await probe.nextRoll().face, equals: face, "each peripheral reports its own die's roll")
        }
    }
    for (die, probe) in zip(dice, probes) {
        lab.expect(probe.told.count(.value), equals: 3, "\(die.name) reported three rolls")
    }

    for (die, accessory) in zip(dice, accessories) {
        lab.phone.person.will(.allowForwarding(.all))
        try await lab.step("forward to \(die.name)", within: .seconds(10)) {
            try await app.forwardNotifications(to: accessory)
            try await die.events.next(.keysExchanged)
        }
    }
    lab.phone.notifications.post(.message("1"))
    for die in dice { try await lab.step("show on \(die.name)", within: .seconds(15)) { try await die.shows(["1"]) } }
    lab.expect(!(try await lab.air.captured(containing: "Dinner at 8?")), "the text did not cross the air")
    lab.expect(
        !(try await lab.air.capturedHCI(of: .accessory, adapter: 1)).isEmpty,
        "the second die's adapter has its own interface in the capture")
    withExtendedLifetime(probes) {}
}

/// A fault of one die's adapter does not affect the other die.
let oneDieOfTwoIsUnplugged = Scenario(
    "Of two connected dice one loses its adapter, and the other stays connected", .tags(.faults, .pairing),
    .needs(.air, .adapters),
    .covers("C4", "C6")
) { lab in
    let (_, dice, _, probes) = try await lab.twoDice()
    let (first, second) = (probes[0], probes[1])
    /// Lets both dice roll, the second one first.
    func roll(_ face: UInt8, _ other: UInt8) async throws {
        try await dice[1].roll(other)
        try await dice[0].roll(face)
    }
    func expect(_ face: UInt8, from probe: CentralProbe, _ what: String) async throws {
        lab.expect(try await probe.nextRoll().face, equals: face, what)
    }
    try await lab.air.withFault(.dropped(.notified.sent(by: .accessory, adapter: 1))) {
        try await roll(6, 1)
        try await expect(6, from: first, "the first die's roll arrives, though the air loses the second's")
    }
    try await roll(5, 2)
    try await expect(5, from: first, "the next roll of the first arrives")
    try await expect(2, from: second, "and that of the second")

    try await lab.rig.withFault(.adapterUnplugged(on: .accessory, adapter: 1)) {
        try await second.next(.disconnected, within: .seconds(20))
        try await dice[0].roll(4)
        try await expect(4, from: first, "the first die's roll arrives while the second has no adapter")
    }
    let again = try await lab.accessory.powerOn(.die(named: "Die 8"), adapter: 1)
    lab.expect(again.address, equals: dice[1].address, "the second has its address again")
    try await dice[0].roll(3)
    try await expect(3, from: first, "the first die's roll arrives when the second is back")
    lab.expect(!first.told.contains(.disconnected), "the first was connected all the time")
    withExtendedLifetime(probes) {}
}
