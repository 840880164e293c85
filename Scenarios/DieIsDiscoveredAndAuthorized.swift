import AccessorySetupKit
import DiceApp
import HIL

/// A die fresh out of its box is found by service UUID and name, and is the app's once the person has picked it.
let dieIsDiscoveredAndAuthorized = Scenario(
    "A die is discovered by service and name, picked and authorised", .tags(.smoke, .discovery),
    .covers("P1", "P2", "P3", "D4", "D5", "D7", "K1", "K11", "A1", "E1", "E2")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)

    // The same service under a name that the app does not ask for is not offered.
    let stranger = try await lab.accessory.powerOn(.die(named: "Cube 7"))
    lab.phone.policy.discoveryTimeout = .seconds(1)
    try await lab.expect(
        throwing: ASError.self, "a die of another name is not found", where: { $0.code == .discoveryTimeout }
    ) {
        _ = try await lab.step("overlook", within: .seconds(10)) { try await app.addDie(pairing: false) }
    }
    try await stranger.powerOff()

    lab.phone.policy.discoveryTimeout = .seconds(30)
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.addDie(pairing: false) }

    lab.expect(accessory.state, equals: .authorized, "the die is authorised")
    lab.expect(accessory.bluetoothIdentifier != nil, "the die has an identifier for CoreBluetooth")
    lab.expect(app.session.accessories.contains(accessory), "the session lists the die")
    lab.expect(
        app.events.map(\.eventType),
        equals: [.activated] + [.pickerDidPresent, .pickerDidDismiss]
            + [.pickerDidPresent, .accessoryAdded, .pickerDidDismiss],
        "the events come in the order that Apple documents")
    lab.expect(
        app.events.filter { $0.accessory != nil }.map(\.eventType), equals: [.accessoryAdded],
        "only the accessory's event carries the accessory")
}
