import AccessorySetupKit
import DiceApp
import DieProtocol
import HIL
import Phone

/// A die that was set up by Bluetooth alone gets its Wi-Fi later, by one question, and after that its network is joined
/// without another.
let dieIsUpgradedToWiFi = Scenario(
    "A die set up by Bluetooth is allowed Wi-Fi later, and then joined without a prompt",
    .tags(.wifi, .pairing), .covers("A4", "E2", "W1")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    lab.expect(accessory.ssid, equals: nil, "it was set up by Bluetooth alone")

    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
    descriptor.ssid = "Die 7"
    lab.phone.person.will(.allow)
    try await lab.step("upgrade", within: .seconds(10)) {
        try await app.session.updateAuthorization(for: accessory, descriptor: descriptor)
    }
    lab.expect(app.session.accessories.first?.ssid, equals: "Die 7", "it has its network now")
    lab.expect(
        app.session.accessories.first?.bluetoothIdentifier, equals: accessory.bluetoothIdentifier,
        "it is the same die")
    lab.expect(app.events.last?.eventType, equals: .accessoryChanged, "the app is told")
    lab.expect(lab.phone.shownScreens.last?.kind, equals: .upgrade, "the person was asked")

    try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(
        !lab.phone.shownScreens.contains { $0.kind == .joinNetwork }, "nobody was asked about the network again")
}
