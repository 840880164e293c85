import DiceApp
import Foundation
import HIL
import NetworkExtension
import RadioModel

/// An app that gives the wrong passphrase hears so, and the phone is on the network that it was on before.
let wrongPassphraseLeavesOldNetwork = Scenario(
    "A wrong Wi-Fi passphrase gives an error and leaves the old network",
    .tags(.wifi, .robustness), .covers("W2", "W3")
) {
    Axis(\.security, [.wpa2, .wpa3])
} run: { lab, conditions in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: conditions.security))
    try await die.openNetwork(.init(ssid: "Home", security: .wpa2, passphrase: "an old friend"))
    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.will(.allow)
    try await lab.step("join the old network", within: .seconds(10)) {
        try await app.joinWiFi(ssid: "Home", passphrase: "an old friend")
    }

    lab.phone.person.will(.allow)
    try await lab.expect(
        throwing: NSError.self, "the app hears that the network could not be joined",
        where: { $0.isHotspotError(.internal) }
    ) {
        try await lab.step("join with the wrong passphrase", within: .seconds(20)) {
            try await app.joinWiFi(ssid: "Die 7", passphrase: "eight is no prime")
        }
    }
    // A network that is not there gives the app the same error.
    lab.expect(
        lab.phone.notes.contains { $0.hasSuffix("\(RadioError.wrongPassphrase(ssid: "Die 7"))") },
        "the network was there, and refused the passphrase")
    lab.expect(lab.phone.network.link?.ssid, equals: "Home", "the phone is back on the old network")
    let kept = await NEHotspotConfigurationManager.shared.configuredSSIDs()
    lab.expect(kept, equals: ["Home"], "only the old network is configured")
    try await die.roll(2)
    let answer = try await lab.step("ask over IP", within: .seconds(5)) { try await lab.askDieOverIP() }
    lab.expect(answer.face, equals: 2, "the old network carries packets again")

    try await lab.expect(
        throwing: NSError.self, "a passphrase of seven characters is refused at once",
        where: { $0.isHotspotError(.invalidWPAPassphrase) }
    ) { try await app.joinWiFi(ssid: "Die 7", passphrase: "7 chars") }
}

extension NSError {
    fileprivate func isHotspotError(_ code: NEHotspotConfigurationError) -> Bool {
        domain == NEHotspotConfigurationErrorDomain && self.code == code.rawValue
    }
}
