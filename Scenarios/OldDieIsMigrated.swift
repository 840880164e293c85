import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// An app that used the die before AccessorySetupKit brings it along: a page tells the person, nothing is looked for, and the
/// die can be connected to. A neighbour's die stays out of bounds.
let oldDieIsMigrated = Scenario(
    "A die of an earlier version of the app is migrated, and connected to without a picker",
    .tags(.pairing), .covers("M1", "M4", "M5", "C3", "C4")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    // What Core Bluetooth told the earlier version, and the app kept.
    let identifier = lab.phone.identifiers.identifier(of: die.address)
    let app = try await lab.phone.launch(DiceApp.self)

    let item = try ASMigrationDisplayItem.oldDie()
    item.peripheralIdentifier = identifier
    item.hotspotSSID = "Die 7"
    try await lab.step("migrate", within: .seconds(5)) { try await app.session.showPicker(for: [item]) }
    lab.expect(lab.phone.shownScreens.map(\.kind), equals: [.migration], "the person saw the page, and no picker")
    lab.expect(app.events.map(\.eventType).last, equals: .migrationComplete, "the app is told at the end")
    let accessory = try lab.require(app.session.accessories.first, "the app has an accessory")
    lab.expect(accessory.bluetoothIdentifier, equals: identifier, "it is the die of before")
    lab.expect(accessory.ssid, equals: "Die 7", "its network came along")
    lab.expect(accessory.state, equals: .authorized, "it is authorised")

    try await lab.step("connect", within: .seconds(8)) { try await app.connect(accessory) }
    try await lab.step("watch", within: .seconds(8)) { try await app.watchRolls() }
    try await die.roll(3)
    let roll = try await lab.step("roll", within: .seconds(5)) { try await app.nextRoll() }
    lab.expect(roll?.face, equals: 3, "the die's roll arrives")
}
