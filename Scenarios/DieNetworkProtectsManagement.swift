import BoardProtocol
import DiceApp
import HIL
import RadioModel

/// A WPA2 network that takes only stations that protect management frames is joined, and they are protected.
let dieNetworkProtectsManagement = Scenario(
    "A WPA2 network that requires protected management frames is joined", .tags(.wifi), .covers("W4")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await die.openNetwork(
        .init(
            ssid: "Die 7", security: .wpa2, passphrase: "seven is a prime", requiresProtectedManagement: true))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
    let link = lab.phone.network.link
    lab.expect(link?.protectsManagement, equals: true, "management frames are protected")
    lab.expect(link?.keyManagement, equals: "WPA2-PSK-SHA256", "the key management is that of WPA2 with protection")
    try await die.roll(4)
    let answer = try await lab.step("ask over IP", within: .seconds(5)) { try await lab.askDieOverIP() }
    lab.expect(answer.face, equals: 4, "the die answers over IP")
}
