import DiceApp
import Foundation
import HIL
import Phone
import RadioModel

/// Wi-Fi that the person switches off while the phone joins a network, and on it: the app hears so, and the phone is back on
/// the network as soon as Wi-Fi is on.
let wiFiIsSwitchedOff = Scenario(
    "Wi-Fi switched off ends an attempt to join and leaves the network, which is joined again when it is on",
    .tags(.wifi, .robustness), .covers("W3", "W4", "W6"), .budget(.seconds(60))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3))
    let app = try await lab.phone.launch(DiceApp.self)
    func join() async throws { try await app.joinWiFi(ssid: "Die 7", passphrase: "seven is a prime") }

    for message in [Traffic.authentication(), .eapol(message: 2)] {
        try await lab.air.when(message) {
            try await lab.switchWiFi(false)
        } during: {
            try await lab.expect(throwing: NSError.self, "an attempt that is cut off at \(message) ends with an error")
            {
                try await lab.step("join in vain, off at \(message)", within: .seconds(10)) { try await join() }
            }
        }
        lab.expect(lab.phone.network.link == nil, "off at \(message): the phone is on no network")
        try await lab.switchWiFi(true)
    }
    try await lab.switchWiFi(false)
    try await lab.expect(throwing: NSError.self, "with Wi-Fi off nothing is joined") {
        try await lab.step("join with Wi-Fi off", within: .seconds(10)) { try await join() }
    }
    try await lab.switchWiFi(true)

    try await lab.step("join", within: .seconds(10)) { try await join() }
    try await die.roll(3)
    lab.expect(try await lab.askDieOverIP().face, equals: 3, "the die answers on its network")
    try await lab.switchWiFi(false)
    lab.expect(lab.phone.network.link == nil, "the phone is on no network")
    try await lab.expect(throwing: RadioError.self, "nobody is to be reached") { _ = try await lab.askDieOverIP() }

    let off = lab.phone.log.count
    try await lab.switchWiFi(true)
    try await lab.step("be back", within: .seconds(10)) {
        _ = try await lab.phone.log.first(from: off, within: .seconds(10), waitingFor: "the network to be joined again")
        {
            if case .note("Wi-Fi", let text) = $0.kind { text.contains("again") } else { false }
        }
    }
    lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network again")
    lab.expect(try await lab.askDieOverIP().face, equals: 3, "the die answers again")
}
