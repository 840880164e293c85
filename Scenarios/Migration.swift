import AccessorySetupKit
import DiceApp
import HIL

let oldDieIsMigrated = Scenario(
    "A die of an earlier version of the app is migrated, and connected without a picker",
    .tags(.pairing), .covers("M1", "M4", "M5", "C3", "C4")
) { lab in
    let (die, app) = try await lab.newDie()
    // The identifier that Core Bluetooth gave the earlier version, and that the app stored.
    let old = lab.phone.identifiers.identifier(of: die.address)
    let item = try app.oldDie(old)
    item.hotspotSSID = "Die 7"
    try await lab.step("migrate", within: .seconds(5)) { try await app.session.showPicker(for: [item]) }
    lab.expect(lab.phone.shownScreens.map(\.kind), equals: [.migration], "the person saw the page, and no picker")
    lab.expect(app.told.last, equals: .migrationComplete, "the app gets the event at the end")
    let accessory = try lab.require(app.session.accessories.first, "the app has an accessory")
    lab.expect(accessory.bluetoothIdentifier, equals: old, "it is the same die as before")
    lab.expect(accessory.ssid, equals: "Die 7", "its network came along")
    lab.expect(accessory.state, equals: .authorized, "it is authorised")

    try await lab.watchRolls(of: accessory, in: app, within: .seconds(8))
    try await lab.expectRoll(3, of: die, in: app, "the die's roll arrives")
}

/// The app first makes a `CBCentralManager`, as its earlier version did. Then the picker does not even appear.
let migrationComesBeforeCoreBluetooth = Scenario(
    "A migration after Core Bluetooth was used is refused, and the next launch migrates", .tags(.pairing), .covers("M3")
) { lab in
    let (die, app) = try await lab.newDie()
    let central = CBCentralManager(delegate: nil, queue: .main)
    let old = lab.phone.identifiers.identifier(of: die.address)
    let item = try app.oldDie(old)
    try await lab.fails("migrate too late", with: .pickerRestricted, "the picker is restricted") {
        try await app.session.showPicker(for: [item])
    }
    lab.expect(lab.phone.shownScreens.isEmpty, "nothing was shown")
    withExtendedLifetime(central) {}

    let next = try await lab.phone.launch(DiceApp.self)
    try await lab.step("migrate", within: .seconds(5)) { try await next.session.showPicker(for: [item]) }
    lab.expect(next.session.accessories.map(\.bluetoothIdentifier), equals: [old], "the next launch migrates")
}

let oldDieComesAlongWithNewOne = Scenario(
    "An old die is migrated when a new one is set up, and not before", .tags(.pairing), .covers("M2", "K5")
) { lab in
    let (_, app) = try await lab.newDie()
    // A die that an earlier version of the app used. It is out of range now.
    let old = lab.phone.identifiers.identifier(of: .neighbour(9))
    let items = [try app.item(named: "Bluetooth Die", .dice()), try app.oldDie(old)]

    lab.phone.person.will(.cancel)
    try await lab.fails("close", with: .userCancelled, "the person closes the picker") {
        try await app.session.showPicker(for: items)
    }
    lab.expect(app.session.accessories.isEmpty, "nothing was migrated")
    lab.expect(!app.told.contains(.migrationComplete), "the app gets no event for it")

    lab.phone.person.will(.pick("Die 7"))
    try await lab.step("set up", within: .seconds(15)) { try await app.session.showPicker(for: items) }
    lab.expect(
        app.session.accessories.map(\.displayName), equals: ["Bluetooth Die", "My Old Die"], "both dice are there")
    lab.expect(app.session.accessories.last?.bluetoothIdentifier, equals: old, "the old one is the same as before")
    lab.expect(
        app.told.suffix(4), equals: [.pickerDidPresent, .accessoryAdded, .migrationComplete, .pickerDidDismiss],
        "the app gets the events in order")
}

/// The companion app before it used AccessorySetupKit. It asks for access to all of Bluetooth, and scans for its die.
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
    let item = try app.oldDie(identifier)
    try await lab.step("migrate", within: .seconds(5)) { try await app.session.showPicker(for: [item]) }
    lab.expect(app.session.accessories.map(\.bluetoothIdentifier), equals: [identifier], "it is the same die as before")

    let accessory = try lab.require(app.session.accessories.first, "the app has an accessory")
    try await lab.watchRolls(of: accessory, in: app, within: .seconds(8))
    try await lab.expectRoll(3, of: die, in: app, "the die's roll arrives")
}
