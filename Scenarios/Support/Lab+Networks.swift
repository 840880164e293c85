import AccessorySetupKit
import DiceApp
import HIL
import NetworkExtension

extension Lab {
    /// Lets the app join a network that the person allows. If `why` is given, records whether that fails with
    /// `.internal`.
    func join(
        _ ssid: String, _ passphrase: String, in app: DiceApp, failing why: String? = nil
    ) async throws {
        phone.person.will(.allow)
        let join: @MainActor () async throws -> Void = { try await app.joinWiFi(ssid: ssid, passphrase: passphrase) }
        guard let why else { return try await step("join “\(ssid)”", within: .seconds(20), join) }
        try await fails("fail to join “\(ssid)”", with: .internal, why, within: .seconds(20), join)
        // A missing network would give the app the same error, so the log must show the refused passphrase.
        expect(
            phone.log.contains(.note(containing: "\(RadioError.wrongPassphrase(ssid: ssid))")),
            "the network was there, and refused the passphrase")
    }

    /// A die with its own network, and a home's network “Home” with the passphrase “an old friend”.
    func dieAndHome(_ security: WiFiSecurity) async throws -> (die: Die, app: DiceApp) {
        let (die, app) = try await newDie(.die(named: "Die 7", security: security))
        try await die.openNetwork(.init(ssid: "Home", security: .wpa2, passphrase: "an old friend"))
        return (die, app)
    }
}
