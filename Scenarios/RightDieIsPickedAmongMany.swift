import BoardProtocol
import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel
import Timing

/// Six dice are offered at once, in one carousel; the one that the person means is paired, and no other is authorised.
let rightDieIsPickedAmongMany = Scenario(
    "Of six dice that are offered at once, the one that the person means is set up",
    .tags(.discovery, .pairing), .covers("K1", "D4", "A1")
) { lab in
    for number in 1...5 { try await lab.air.add(.advertiser(.die(number))) }
    let app = try await lab.phone.launch(DiceApp.self)
    // Nobody has the sixth yet, so that the picker stays up until all the others are in it.
    lab.phone.person.will(.pick("Die 7"))
    let pick = Task { try await app.addDie() }
    try await lab.step("see five dice", within: .seconds(15)) {
        try await lab.phone.shows(.picker, entries: 5, within: .seconds(15))
    }
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let accessory = try await lab.step("pick and pair", within: .seconds(15)) { try await pick.value }

    let pickers = lab.phone.shownScreens.filter { $0.kind == .picker }
    lab.expect(pickers.last?.entries.count, equals: 6, "each die has one entry")
    lab.expect(
        Set(pickers.last?.entries.map(\.detail) ?? []), equals: Set((1...5).map { "Die \($0)" } + ["Die 7"]),
        "the entries have the names that the dice have over the air")
    lab.expect(app.session.accessories, equals: [accessory], "one die is authorised")
    let bond = try await die.bond(within: .seconds(2))
    lab.expect(bond.isAuthenticated, "it is the one that the person meant")
}

extension AirAdvertiser {
    /// A die of somebody else's.
    fileprivate static func die(_ number: Int) -> AirAdvertiser {
        AirAdvertiser(
            named: "Die \(number)", address: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, UInt8(number)])!,
            services: [BluetoothUUID(DieGATT.service)!], metres: Double(number))
    }
}
