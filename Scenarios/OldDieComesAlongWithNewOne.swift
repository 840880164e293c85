import AccessorySetupKit
import DiceApp
import HIL
import Phone
import RadioModel

/// A migration item beside an ordinary one: the person who closes the picker moves nothing; who sets up a new die brings the
/// old one along.
let oldDieComesAlongWithNewOne = Scenario(
    "An old die is migrated when a new one is set up, and not before", .tags(.pairing), .covers("M2", "K5")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    // A die that an earlier version of the app used, and that is out of range today.
    let old = lab.phone.identifiers.identifier(of: DeviceAddress(bytes: [0x02, 0, 0, 0x0A, 0, 9])!)
    let app = try await lab.phone.launch(DiceApp.self)
    let migration = try ASMigrationDisplayItem.oldDie()
    migration.peripheralIdentifier = old
    let new = ASPickerDisplayItem(
        name: "Bluetooth Die", productImage: migration.productImage, descriptor: migration.descriptor)

    lab.phone.person.will(.cancel)
    try await lab.expect(
        throwing: ASError.self, "the person closes the picker", where: { $0.code == .userCancelled }
    ) {
        try await lab.step("close", within: .seconds(10)) {
            try await app.session.showPicker(for: [new, migration])
        }
    }
    lab.expect(app.session.accessories.isEmpty, "nothing was migrated")
    lab.expect(!app.events.contains { $0.eventType == .migrationComplete }, "the app is not told that it was")

    lab.phone.person.will(.pick("Die 7"))
    try await lab.step("set up", within: .seconds(15)) {
        try await app.session.showPicker(for: [new, migration])
    }
    lab.expect(
        app.session.accessories.map(\.displayName), equals: ["Bluetooth Die", "My Old Die"], "both dice are there")
    lab.expect(app.session.accessories.last?.bluetoothIdentifier, equals: old, "the old one is the one of before")
    let news = app.events.map(\.eventType).suffix(4)
    lab.expect(
        Array(news), equals: [.pickerDidPresent, .accessoryAdded, .migrationComplete, .pickerDidDismiss],
        "the app is told in order")
}
