import HIL
import NetworkExtension

/// The app uses the lamp's own network for a moment. The phone forgets it as soon as that was done.
package let leftNetwork = Scenario(
    "An app that used a lamp's own network leaves none behind", .tags(.wifi),
    .explores(recovery: { lab in try await lab.visitLamp() }), over: Build.ofApp
) { lab, build in
    VisitingApp.build = build
    let lamp = try await lab.accessory.powerOn(.lamp { $0.networks = [VisitingApp.network] })
    try await lab.visitLamp()
    lab.expect(try await lamp.value(of: "FF01"), equals: Data([1]), "the lamp knows that the app was there")
}

private final class VisitingApp: LampApp {
    static let network = NetworkConfiguration(ssid: "Lamp", security: .wpa2, passphrase: "light is fast")
    static var build = Build.mended

    func visit() async throws {
        let manager = NEHotspotConfigurationManager.shared
        let (ssid, passphrase) = (VisitingApp.network.ssid, VisitingApp.network.passphrase ?? "")
        var isOurs = true
        do {
            try await manager.apply(NEHotspotConfiguration(ssid: ssid, passphrase: passphrase, isWEP: false))
        } catch let error as NSError where error.code == NEHotspotConfigurationError.alreadyAssociated.rawValue {
            // It is from a visit that was cut off. A faulty app takes it for one that the person has joined.
            isOurs = VisitingApp.build == .mended
        }
        try await link.write(Data([1]))
        if isOurs { manager.removeConfiguration(forSSID: ssid) }
    }
}

extension Lab {
    fileprivate func visitLamp() async throws {
        let app = try await phone.launch(VisitingApp.self)
        phone.person.will(.pick("Lamp"))
        try await step("visit", within: .seconds(6)) { try await app.setUpOrContinue { try await app.visit() } }
        app.link.disconnect()
    }
}
