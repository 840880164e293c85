import AccessorySetupKit
import DiceApp
import HIL

extension Lab {
    /// Lets the app join its die's network, and records whether the phone is on it with an address.
    func expectJoin(of accessory: ASAccessory, in app: DiceApp, within limit: Duration) async throws {
        try await step("join", within: limit) { try await app.joinWiFi(of: accessory) }
        expect(phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
        expect(phone.network.link?.address.isEmpty == false, "the phone has an address by DHCP")
    }
}
