import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// A die is found by the Wi-Fi Aware service that it publishes, its model and its maker.
///
/// No rig of this version runs it: the boards' wpa_supplicant 2.10 publishes nothing and hears no publication.
let dieIsFoundByWiFiAware = Scenario(
    "A die is found by the Wi-Fi Aware service that it publishes", .tags(.discovery, .wifi), .covers("D10"),
    .needs(.wifiAware)
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let descriptor = ASDiscoveryDescriptor()
    descriptor.wifiAwareServiceName = "_die._tcp"
    descriptor.wifiAwareModelNameMatch = ASPropertyCompareString(string: "die", compareOptions: .caseInsensitive)
    let accessory = try await lab.step("find and pick", within: .seconds(20)) {
        try await app.addDie(describedBy: descriptor)
    }
    lab.expect(accessory.wifiAwarePairedDeviceID != 0, "the accessory has an identifier for Wi-Fi Aware")
    lab.expect(accessory.bluetoothIdentifier, equals: nil, "Bluetooth was not asked for")
}
