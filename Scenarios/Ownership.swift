import AccessorySetupKit
import DiceApp
import HIL

/// Each time the app gets an event, and the phone removes the bond together with the die.
let dieIsRenamedAndRemoved = Scenario(
    "A die is renamed and removed, by the app and by the person in Settings", .tags(.pairing),
    .covers("O1", "K12", "A5", "A6", "A7", "E1", "E2")
) { lab in
    let (_, app) = try await lab.newDie()
    let item = try app.item(setup: .rename) { $0.supportedOptions = [.bluetoothPairingLE] }

    lab.phone.person.will(.pick("Die 7"), .rename("Lucky"), .rename("Luckier"))
    try await lab.step("set up", within: .seconds(15)) { try await app.session.showPicker(for: [item]) }
    lab.expect(app.told.contains(.pickerSetupRename), "the app hears that the person is asked for a name")
    let first = try lab.require(app.session.accessories.first, "the app has an accessory")
    lab.expect(first.displayName, equals: "Lucky", "the die has the person's name")

    try await lab.step("rename", within: .seconds(5)) { try await app.session.renameAccessory(first) }
    lab.expect(app.session.accessories.map(\.displayName), equals: ["Luckier"], "the app renamed it")

    lab.phone.person.will(.renameInSettings("Luckier", to: "Luckiest"))
    try await lab.phone.log.next(.told("accessoryChanged “Luckiest”"), within: .seconds(5))

    try await lab.step("remove", within: .seconds(10)) { try await app.session.removeAccessory(first) }
    lab.expect(app.told.last, equals: .accessoryRemoved, "the app hears of the removal")
    lab.expect(app.session.accessories.isEmpty, "the die is gone")

    lab.phone.person.will(.pick("Die 7"), .rename("Sad"))
    let asked = lab.phone.shownNumbers.count
    try await lab.step("set up again", within: .seconds(20)) { try await app.session.showPicker(for: [item]) }
    lab.expect(lab.phone.shownNumbers.count > asked, "it is paired anew: the bond was gone")
    lab.phone.person.will(.removeInSettings("Sad"))
    try await lab.phone.log.next(.told("accessoryRemoved “Sad”"))
    lab.expect(app.session.accessories.isEmpty, "the die is gone again")
}

let appIsLaunchedAgain = Scenario(
    "An app that is launched again has its die, and speaks to it without a picker or a second pairing",
    .tags(.pairing), .covers("A1", "K14", "C1", "C3")
) { lab in
    let (die, app, accessory) = try await lab.pairedDie()
    try await lab.step("connect", within: .seconds(8)) { try await app.connect(accessory) }

    lab.phone.terminateApp()
    lab.expect(app.session.accessories.isEmpty, "a session ends with its app")
    let again = try await lab.phone.launch(DiceApp.self)
    lab.expect(again.session.accessories, equals: [accessory], "the next one has the die")
    let screens = lab.phone.shownScreens.count
    try await lab.watchRolls(of: accessory, in: again, within: .seconds(15))
    try await lab.expectRoll(2, of: die, in: again, "the die's roll arrives")
    lab.expect(lab.phone.shownScreens.count, equals: screens, "the person was asked nothing")

    try await lab.findsNothing("a die that the app has is not offered", looking: .seconds(2)) {
        try await again.addDie()
    }
}

let dieIsUpgradedToWiFi = Scenario(
    "A die set up by Bluetooth is allowed Wi-Fi later, and then joined without a prompt",
    .tags(.wifi, .pairing), .covers("A4", "E2", "W1")
) { lab in
    let (_, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", security: .wpa3))
    lab.expect(accessory.ssid, equals: nil, "it was set up by Bluetooth alone")

    lab.phone.person.will(.allow)
    try await lab.step("upgrade", within: .seconds(10)) {
        try await app.session.updateAuthorization(for: accessory, descriptor: .dice { $0.ssid = "Die 7" })
    }
    let upgraded = try lab.require(app.session.accessories.first, "the app still has an accessory")
    lab.expect(upgraded.ssid, equals: "Die 7", "it has its network now")
    lab.expect(upgraded.bluetoothIdentifier, equals: accessory.bluetoothIdentifier, "it is the same die")
    lab.expect(app.told.last, equals: .accessoryChanged, "the app gets the event")
    lab.expect(lab.phone.shownScreens.last?.kind, equals: .upgrade, "the person was asked")

    try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(!lab.phone.askedForNetwork, "nobody was asked about the network again")
}

/// An app of another team for the same die.
@MainActor
private final class OtherApp: AppUnderTest {
    nonisolated static let bundle = AppBundle(
        identifier: "com.example.other", infoPlist: DiceApp.bundle.infoPlist, resources: DiceApp.bundle.resources)

    let session = ASAccessorySession()
    required init() { session.activate(on: .main) { _ in } }
}

let otherAppsDieKeepsItsName = Scenario(
    "A die that another app has set up is offered under the name that it got there", .tags(.discovery, .pairing),
    .covers("K13", "K14", "A1")
) { lab in
    let (_, app, accessory) = try await lab.pairedDie()
    lab.expect(accessory.displayName, equals: "Bluetooth Die", "the first app gave it this name")

    // The connection ends with its app, and the die advertises again.
    try await lab.step("connect", within: .seconds(8)) { try await app.connect(accessory) }
    let other = try await lab.phone.launch(OtherApp.self)
    lab.expect(other.session.accessories.isEmpty, "another app has no right to it")
    let item = try app.item(named: "Cube of Luck", .dice())
    let screens = lab.phone.shownScreens.count
    lab.phone.person.will(.pick("Bluetooth Die"))
    try await lab.step("set up", within: .seconds(15)) { try await other.session.showPicker(for: [item]) }
    let offered = Set(lab.phone.shownScreens.dropFirst(screens).flatMap(\.entries).map(\.title))
    lab.expect(offered, equals: ["Bluetooth Die"], "it is offered under the name that the person knows")
    lab.expect(
        other.session.accessories.map(\.bluetoothIdentifier), equals: [accessory.bluetoothIdentifier],
        "the other app may use it now")
}

let twoAppsShareDie = Scenario(
    "A die that another app has set up keeps its name and picture", .tags(.discovery), .covers("K13", "A1")
) { lab in
    let (_, first) = try await lab.newDie()
    lab.phone.person.will(.pick("Die 7"), .rename("Kim's Die"), .pick("Kim's Die"))
    let named = try first.item(setup: .rename)
    try await lab.step("set up", within: .seconds(15)) { try await first.session.showPicker(for: [named]) }

    let other = try await lab.phone.launch(OtherApp.self)
    lab.expect(other.session.accessories.isEmpty, "the other app does not have the first app's die")
    let item = try first.item()
    try await lab.step("set up in the other app", within: .seconds(15)) {
        try await other.session.showPicker(for: [item])
    }
    lab.expect(other.session.accessories.map(\.displayName), equals: ["Kim's Die"], "the die keeps its name")
}
