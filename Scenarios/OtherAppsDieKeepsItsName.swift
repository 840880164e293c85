import AccessorySetupKit
import DiceApp
import DieProtocol
import HIL
import Phone

/// A game that knows dice, too, under a name of its own.
@MainActor
private final class DiceGame: AppUnderTest {
    nonisolated static let bundle = AppBundle(
        identifier: "com.example.game", infoPlist: DiceApp.bundle.infoPlist, resources: DiceApp.bundle.resources)

    let session = ASAccessorySession()

    required init() { session.activate(on: .main) { _ in } }
}

/// A die that one app has set up is offered to another under the name that the person knows it by, and each has its own right
/// to it.
let otherAppsDieKeepsItsName = Scenario(
    "A die that another app has set up is offered under the name that it got there", .tags(.discovery, .pairing),
    .covers("K13", "K14", "A1")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    lab.expect(accessory.displayName, equals: "Bluetooth Die", "the first app calls it so")

    // With its app goes the connection, and the die advertises again.
    try await lab.step("connect", within: .seconds(8)) { try await app.connect(accessory) }
    let game = try await lab.phone.launch(DiceGame.self)
    lab.expect(game.session.accessories.isEmpty, "another app has no right to it")
    guard let picture = UIImage(named: "die") else { throw DiceAppError.missing("the picture “die”") }
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
    let item = ASPickerDisplayItem(name: "Cube of Luck", productImage: picture, descriptor: descriptor)
    let screens = lab.phone.shownScreens.count
    lab.phone.person.will(.pick("Bluetooth Die"))
    try await lab.step("set up", within: .seconds(15)) { try await game.session.showPicker(for: [item]) }
    let offered = Set(lab.phone.shownScreens.dropFirst(screens).flatMap { $0.entries.map(\.title) })
    lab.expect(offered, equals: ["Bluetooth Die"], "it is offered under the name that the person knows")
    lab.expect(
        game.session.accessories.map(\.bluetoothIdentifier), equals: [accessory.bluetoothIdentifier],
        "the game may use it now")
}
