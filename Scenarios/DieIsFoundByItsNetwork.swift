import AccessorySetupKit
import DiceApp
import HIL
import NetworkExtension
import Phone

/// A die with Wi-Fi alone is found by its network's name or the beginning of it; what the app has is not offered again,
/// but a network that was renamed meanwhile is.
let dieIsFoundByItsNetwork = Scenario(
    "A die is found by its network, by name and by prefix, and joined without a prompt", .tags(.discovery, .wifi),
    .covers("P6", "D9", "K14", "O1", "A6", "W1")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
    let app = try await lab.phone.launch(DiceApp.self)
    let picture = try app.picture

    let exact = ASPickerDisplayItem(name: "Wi-Fi Die", productImage: picture, descriptor: .network(exact: "Die 7"))
    try await lab.step("pick by name", within: .seconds(15)) { try await app.session.showPicker(for: [exact]) }
    let accessory = try lab.require(app.session.accessories.first, "the app has an accessory")
    lab.expect(accessory.ssid, equals: "Die 7", "the accessory has the network's name")
    lab.expect(accessory.bluetoothIdentifier == nil, "it has no Bluetooth")

    let prefix = ASPickerDisplayItem(name: "Wi-Fi Die", productImage: picture, descriptor: .network(prefix: "Die"))
    prefix.setupOptions = .rename
    prefix.renameOptions = .ssid
    lab.phone.policy.discoveryTimeout = .seconds(3)
    try await lab.expect(
        throwing: ASError.self, "what the app has is not offered", where: { $0.code == .discoveryTimeout }
    ) {
        try await lab.step("overlook", within: .seconds(15)) { try await app.session.showPicker(for: [prefix]) }
    }

    lab.phone.policy.discoveryTimeout = .seconds(30)
    lab.phone.person.will(.rename("Lucky"), .rename("Die 7"))
    try await lab.step("rename with the network", within: .seconds(5)) {
        try await app.session.renameAccessory(accessory, options: .ssid)
    }
    lab.expect(app.session.accessories.map(\.ssid), equals: ["Lucky"], "the app knows the network by its new name")
    try await lab.step("pick by prefix", within: .seconds(15)) { try await app.session.showPicker(for: [prefix]) }
    lab.expect(
        app.session.accessories.map(\.ssid), equals: ["Lucky", "Die 7"], "a network of another name is another one")

    try await lab.step("join", within: .seconds(15)) {
        try await app.joinWiFi(ssid: "Die 7", passphrase: "seven is a prime")
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(!lab.phone.shownScreens.contains { $0.kind == .joinNetwork }, "nobody was asked for that")
}
