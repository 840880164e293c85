import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// Where the radio knows no Wi-Fi Aware, what is described by it is not found; everything else is.
let pickerGoesOnWithoutWiFiAware = Scenario(
    "A picker for Wi-Fi Aware and Bluetooth finds the die by Bluetooth where the radio has no Wi-Fi Aware",
    .tags(.discovery), .covers("D10", "D4")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    let descriptor = ASDiscoveryDescriptor()
    descriptor.wifiAwareServiceName = "_die._tcp"
    descriptor.wifiAwareModelNameMatch = ASPropertyCompareString(string: "die", compareOptions: .caseInsensitive)
    let aware = ASPickerDisplayItem(name: "Aware Die", productImage: try app.picture, descriptor: descriptor)
    let item = try app.item()
    lab.phone.person.will(.pick("Die 7"))
    try await lab.step("pick", within: .seconds(15)) { try await app.session.showPicker(for: [aware, item]) }
    lab.expect(app.session.accessories.map(\.displayName), equals: ["Bluetooth Die"], "the die is found by Bluetooth")
    lab.expect(
        lab.phone.notes.contains { $0.contains("Wi-Fi Aware") }, "the story says why nothing was found by Wi-Fi Aware")
}
