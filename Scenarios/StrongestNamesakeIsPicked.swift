import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel

/// Of two dice with one name the person takes the one that is nearer, whichever is found first.
let strongestNamesakeIsPicked = Scenario(
    "Of two dice with one name the one that is heard best is picked", .tags(.discovery, .pairing), .covers("K1")
) { lab in
    // It says what the die says, and is no die: to pick it would fail.
    try await lab.air.add(
        .advertiser(
            AirAdvertiser(
                named: "Die 7", address: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, 7])!,
                services: [BluetoothUUID(DieGATT.service)!], interval: .milliseconds(100), metres: 10)))
    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.will(.pick(.strongest(of: 2)))
    let pick = Task { try await app.addDie() }
    try await lab.step("see the one that is far away", within: .seconds(10)) {
        try await lab.phone.shows(.picker, entries: 1, since: 0)
    }
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.step("pick and pair", within: .seconds(15)) { try await pick.value }

    let entries = lab.phone.shownScreens.last { $0.kind == .picker }?.entries ?? []
    lab.expect(entries.map(\.signal), equals: [-70, -40], "the first is ten metres away, the second one")
    lab.expect(entries.last?.address, equals: die.address, "the second is the die")
    lab.expect(try await die.bond(within: .seconds(2)).isAuthenticated, "it is the one that was picked")
}
