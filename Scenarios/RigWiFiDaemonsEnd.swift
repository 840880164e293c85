import DiceApp
import HIL

/// A phone whose Wi-Fi daemon, or whose network's, is killed hears that the network is lost, and joins it again later.
let rigWiFiDaemonsEnd = Scenario(
    "The die's network is lost with hostapd or wpa_supplicant, and joined again", .tags(.faults, .robustness, .wifi)
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    // Without hostapd the kernel goes on beaconing; its stations are told when it comes back.
    let faults: [BoardFault] = [
        .killed(.hostapd, on: .accessory, comesBack: .atOnce), .killed(.supplicant, on: .host),
    ]
    for fault in faults {
        try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
        lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
        let place = lab.phone.log.count
        try await lab.rig.withFault(fault) {
            try await lab.step("hear of the loss", within: .seconds(15)) {
                try await lab.phone.notices("the network to be lost", since: place, within: .seconds(15)) {
                    if case .wifiLost = $0 { true } else { false }
                }
            }
            lab.expect(lab.phone.network.link?.ssid, equals: nil, "the phone is on no network")
        }
    }
    try await lab.step("join at last", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
}
