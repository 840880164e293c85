import AccessorySetupKit
import CoreBluetooth
import DiceApp
import HIL
import Phone

/// The next version's first act is a `CBCentralManager`, as before: the picker does not even appear.
let migrationComesBeforeCoreBluetooth = Scenario(
    "A migration after Core Bluetooth was used is refused, and the next launch migrates", .tags(.pairing), .covers("M3")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let identifier = lab.phone.identifiers.identifier(of: die.address)
    let app = try await lab.phone.launch(DiceApp.self)
    let central = CBCentralManager(delegate: nil, queue: .main)
    let item = try ASMigrationDisplayItem.oldDie()
    item.peripheralIdentifier = identifier
    try await lab.expect(
        throwing: ASError.self, "the picker is restricted", where: { $0.code == .pickerRestricted }
    ) { try await app.session.showPicker(for: [item]) }
    lab.expect(lab.phone.shownScreens.isEmpty, "nothing was shown")
    withExtendedLifetime(central) {}

    let next = try await lab.phone.launch(DiceApp.self)
    try await lab.step("migrate", within: .seconds(5)) { try await next.session.showPicker(for: [item]) }
    lab.expect(next.session.accessories.map(\.bluetoothIdentifier), equals: [identifier], "the next launch migrates")
}
