import AccessorySetupKit
import DiceApp
import HIL
import NetworkExtension

extension Lab {
    /// Lets the app join a network that the person allows. If `why` is given, records whether the person is told that
    /// it was not joined; the app is not (W17).
    func join(
        _ ssid: String, _ passphrase: String, in app: DiceApp, failing why: String? = nil
    ) async throws {
        phone.person.will(.allow)
        let join: @MainActor () async throws -> Void = { try await app.joinWiFi(ssid: ssid, passphrase: passphrase) }
        guard let why else { return try await step("join “\(ssid)”", within: .seconds(20), join) }
        let mark = phone.log.mark
        try await step("fail to join “\(ssid)”", within: .seconds(20), join)
        expect(phone.log.all(.screen, since: mark).contains { $0.kind == .joinFailed }, why)
        // The person would be told the same of a missing network, so the log must show the refused passphrase.
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
