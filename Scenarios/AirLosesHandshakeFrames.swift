import DiceApp
import HIL
import RadioModel

/// A frame of the handshake that is lost is sent again: the network is joined nevertheless.
let airLosesHandshakeFrames = Scenario(
    "A network is joined although a frame of its handshake is lost", .tags(.faults, .robustness, .wifi), .covers("W4"),
    .budget(.seconds(90))
) {
    Axis(\.security, [.wpa2, .wpa3])
} run: { lab, conditions in
    try await lab.accessory.powerOn(.die(named: "Die 7", security: conditions.security))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")

    // Of WPA2 the third message of the four-way handshake, and of WPA3 the die's first commit.
    try await lab.air.withFault(.dropped(conditions.security == .wpa3 ? .sae(1) : .eapol(message: 3))) {
        try await lab.step("join", within: .seconds(40)) { try await app.joinWiFi(of: accessory) }
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(lab.phone.network.link?.address.isEmpty == false, "the phone has an address by DHCP")
}
