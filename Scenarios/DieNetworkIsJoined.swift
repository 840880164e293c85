import DiceApp
import Foundation
import HIL
import RadioModel

/// The app reads the die's network over the bonded link, joins it, gets an address by DHCP, and the die answers over IP.
let dieNetworkIsJoined = Scenario(
    "The die's Wi-Fi network is joined and the die answers over IP", .tags(.wifi), .covers("W1", "W4")
) {
    Axis(\.security, [.open, .wpa2, .wpa3, .wpa2wpa3])
} run: { lab, conditions in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: conditions.security))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")

    try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
    let link = lab.phone.network.link
    lab.expect(link?.ssid, equals: "Die 7", "the phone is on the die's network")
    let keyManagement: [WiFiSecurity: String] = [.open: "NONE", .wpa2: "WPA2-PSK", .wpa3: "SAE", .wpa2wpa3: "SAE"]
    lab.expect(link?.keyManagement, equals: keyManagement[conditions.security], "the key is managed as it should be")
    lab.expect(
        link?.protectsManagement, equals: [.wpa3, .wpa2wpa3].contains(conditions.security),
        "management frames are protected where the key is SAE's")
    lab.expect(link?.address.isEmpty == false, "the phone has an address by DHCP")

    try await die.roll(5)
    let answer = try await lab.step("ask over IP", within: .seconds(5)) { try await lab.askDieOverIP() }
    lab.expect(answer.face, equals: 5, "the die tells its last roll over IP")
}
