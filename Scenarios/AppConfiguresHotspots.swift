import BoardProtocol
import DiceApp
import Foundation
import HIL
import NetworkExtension
import Phone
import RadioModel

/// What an app may do with networks through NetworkExtension: by name and by prefix, once, with and without the person's
/// leave, listed, and forgotten.
let appConfiguresHotspots = Scenario(
    "An app joins, lists and forgets networks, and the person is asked for each stranger's",
    .tags(.wifi), .covers("W1", "W2", "W3", "W5"), .budget(.seconds(90))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
    try await die.openNetwork(.init(ssid: "Cafe", security: .open))
    var app = try await lab.phone.launch(DiceApp.self)
    let manager = NEHotspotConfigurationManager.shared
    let passphrase = "seven is a prime"

    lab.phone.person.will(.deny)
    try await lab.expect(
        throwing: NSError.self, "a person who refuses keeps the phone off the network",
        where: { $0.isHotspot(.userDenied) }
    ) { try await app.joinWiFi(ssid: "Die 7", passphrase: passphrase) }
    lab.expect(lab.phone.network.link == nil, "the phone is on no network")

    lab.phone.person.will(.allow)
    try await lab.step("join by prefix", within: .seconds(15)) {
        try await manager.apply(NEHotspotConfiguration(ssidPrefix: "Die", passphrase: passphrase, isWEP: false))
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the prefix led to the die's network")
    try await lab.expect(
        throwing: NSError.self, "the phone is on that network already", where: { $0.isHotspot(.alreadyAssociated) }
    ) { try await app.joinWiFi(ssid: "Die 7", passphrase: passphrase) }
    lab.expect(await manager.configuredSSIDs(), equals: ["Die"], "the configuration is listed by its prefix")

    manager.removeConfiguration(forSSID: "Die")
    lab.expect(await manager.configuredSSIDs(), equals: [], "it is forgotten")
    lab.expect(lab.phone.network.link == nil, "and the network left")

    try await lab.expect(
        throwing: NSError.self, "a network that is not there cannot be joined", where: { $0.isHotspot(.internal) }
    ) { try await lab.step("miss", within: .seconds(15)) { try await app.joinWiFi(ssid: "Nowhere", passphrase: nil) } }

    lab.phone.person.will(.allow)
    let once = NEHotspotConfiguration(ssid: "Cafe")
    once.joinOnce = true
    try await lab.step("join once", within: .seconds(15)) { try await manager.apply(once) }
    lab.expect(lab.phone.network.link?.keyManagement, equals: "NONE", "the open network needs no key")
    lab.expect(await manager.configuredSSIDs(), equals: ["Cafe"], "it is listed while the app runs")
    lab.phone.terminateApp()
    app = try await lab.phone.launch(DiceApp.self)
    lab.expect(await manager.configuredSSIDs(), equals: [], "a network that was joined once is forgotten with the app")
    lab.expect(lab.phone.network.link == nil, "and the network left")

    // A die that was found by Bluetooth alone was not set up with its network: the person is asked here, too.
    lab.phone.person.will(.pick("Die 7"), .allow)
    let accessory = try await lab.step("pick and pair", within: .seconds(15)) { try await app.addDie() }
    let before = lab.phone.shownScreens.count
    try await lab.step("join the die", within: .seconds(15)) { try await app.joinWiFi(of: accessory) }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(
        lab.phone.shownScreens.dropFirst(before).contains { $0.kind == .joinNetwork }, "the person was asked for it")
}

extension NSError {
    fileprivate func isHotspot(_ code: NEHotspotConfigurationError) -> Bool {
        domain == NEHotspotConfigurationErrorDomain && self.code == code.rawValue
    }
}
