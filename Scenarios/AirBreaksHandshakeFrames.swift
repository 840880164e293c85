import DiceApp
import HIL

/// A handshake whose frames come twice, late and broken ends in the joined network nevertheless.
let airBreaksHandshakeFrames = Scenario(
    "A network is joined although frames of its handshake are doubled, delayed and altered",
    .tags(.faults, .robustness, .wifi), .covers("W4"), .budget(.seconds(60))
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")

    // The check value of a key frame: behind LLC, the EAPOL header and 77 bytes (IEEE 802.11-2020, 12.7.2). The access
    // point drops a frame in which it is wrong, and asks again.
    try await lab.air.withFault(.altered(.eapol(message: 2), at: 8 + 4 + 77, to: [0, 0, 0, 0])) {
        try await lab.air.withFault(.doubled(.eapol(message: 1))) {
            try await lab.air.withFault(.delayed(.eapol(message: 3), by: .milliseconds(300))) {
                try await lab.step("join", within: .seconds(20)) { try await app.joinWiFi(of: accessory) }
            }
        }
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
    lab.expect(lab.phone.network.link?.address.isEmpty == false, "the phone has an address by DHCP")
}
