import DiceApp
import Foundation
import HIL
import NetworkExtension
import Phone
import RadioModel

/// The passphrase of the die's network changes while the phone is on it: the phone loses the network, comes back with the new one
/// alone, and is on the network that it was on before while the app still tries the old one.
let passphraseChangesBetweenJoins = Scenario(
    "A passphrase that changes between two joins throws the phone out, and lets it in again only as the new one",
    .tags(.wifi, .robustness), .covers("W3", "W5")
) {
    Axis(\.security, [.wpa2, .wpa3])
} run: { lab, conditions in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: conditions.security))
    try await die.openNetwork(.init(ssid: "Home", security: .wpa2, passphrase: "an old friend"))
    let app = try await lab.phone.launch(DiceApp.self)
    func join(_ ssid: String, _ passphrase: String) async throws {
        lab.phone.person.will(.allow)
        try await lab.step("join “\(ssid)”", within: .seconds(20)) {
            try await app.joinWiFi(ssid: ssid, passphrase: passphrase)
        }
    }
    try await join("Die 7", "seven is a prime")
    try await lab.expect(throwing: RadioError.self, "a passphrase of seven characters is none") {
        try await die.changePassphrase("7 chars")
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone stays on the network for that")

    let place = lab.phone.log.count
    try await die.changePassphrase("eight is no prime")
    try await lab.phone.notices("the network to be lost", since: place, within: .seconds(10)) {
        if case .wifiLost("Die 7", _) = $0 { true } else { false }
    }
    lab.expect(lab.phone.network.link?.ssid, equals: nil, "the phone is on no network")

    try await join("Home", "an old friend")
    try await lab.expect(
        throwing: NSError.self, "the old passphrase leads nowhere",
        where: {
            $0.domain == NEHotspotConfigurationErrorDomain
                && $0.code == NEHotspotConfigurationError.internal.rawValue
        }
    ) { try await join("Die 7", "seven is a prime") }
    lab.expect(
        lab.phone.notes.contains { $0.hasSuffix("\(RadioError.wrongPassphrase(ssid: "Die 7"))") },
        "the network was there, and refused the passphrase")
    lab.expect(lab.phone.network.link?.ssid, equals: "Home", "the phone is back on the network that it was on")

    try await join("Die 7", "eight is no prime")
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the new passphrase leads onto the network")
    try await die.roll(5)
    let answer = try await lab.step("ask over IP", within: .seconds(5)) { try await lab.askDieOverIP() }
    lab.expect(answer.face, equals: 5, "the die answers there")
    let kept = await NEHotspotConfigurationManager.shared.configuredSSIDs()
    lab.expect(kept.sorted(), equals: ["Die 7", "Home"], "each network is configured once")
}
