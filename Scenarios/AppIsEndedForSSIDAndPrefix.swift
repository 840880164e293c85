import AccessorySetupKit
import DiceApp
import HIL

/// A descriptor with an SSID and a prefix: iOS ends the app, and so does this phone.
let appIsEndedForSSIDAndPrefix = Scenario(
    "An app that asks for an SSID and a prefix at once is ended", .tags(.discovery), .covers("D3"),
    .crashes(because: "has both ssid and ssidPrefix")
) { lab in
    let app = try await lab.phone.launch(DiceApp.self)
    let descriptor = ASDiscoveryDescriptor()
    (descriptor.ssid, descriptor.ssidPrefix) = ("Die 7", "Die")
    _ = try await app.addDie(describedBy: descriptor)
}
