import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// The companion app before it used AccessorySetupKit: it asks for all of Bluetooth, and finds its die by itself.
@MainActor private final class OldDiceApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        var bundle = DiceApp.bundle
        bundle.infoPlist = "\(bundle.resources)/Before.plist"
        bundle.entitlements = nil
        return bundle
    }

    nonisolated static var extensions: [Any.Type] { [] }

    let central = CentralProbe()

    init() async throws {}
}

/// What the earlier version found and kept is what the next one migrates, and connects to without a picker.
let appIsUpdatedAndMigrates = Scenario(
    "An app that had its die before AccessorySetupKit is updated, and brings the die along", .tags(.pairing),
    .covers("M1", "M4", "M5", "C1")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let before = try await lab.phone.launch(OldDiceApp.self)
    let identifier = try await lab.step("find the die as before", within: .seconds(15)) {
        let identifier = try await before.central.scan()
        _ = try await before.central.connect(identifier)
        return identifier
    }
    lab.expect(
        lab.phone.shownScreens.map(\.kind), equals: [.bluetoothPermission], "the person allowed all of Bluetooth")

    let app = try await lab.phone.launch(DiceApp.self)
    let item = try ASMigrationDisplayItem.oldDie()
    item.peripheralIdentifier = identifier
    try await lab.step("migrate", within: .seconds(5)) { try await app.session.showPicker(for: [item]) }
    lab.expect(app.session.accessories.map(\.bluetoothIdentifier), equals: [identifier], "it is the die of before")

    let accessory = try lab.require(app.session.accessories.first, "the app has an accessory")
    try await lab.step("connect", within: .seconds(8)) { try await app.connect(accessory) }
    try await lab.step("watch", within: .seconds(8)) { try await app.watchRolls() }
    try await die.roll(3)
    let roll = try await lab.step("roll", within: .seconds(5)) { try await app.nextRoll() }
    lab.expect(roll?.face, equals: 3, "the die's roll arrives")
}
