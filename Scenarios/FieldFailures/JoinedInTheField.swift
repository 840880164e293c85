import HIL
import NetworkExtension

/// A hotspot that can be joined once, and then not again until the accessory restarts.
///
/// Report: https://github.com/flutternetwork/WiFiFlutter/issues/77
let hotspotIsJoinedAgain = Scenario(
    "An accessory's network is joined a second time after the phone has left it", .tags("field", .wifi),
    .covers("W1", "W3", "W5"), over: Firmware.axis
) { lab, firmware in
    let network = NetworkConfiguration(ssid: "Lamp 7", security: .wpa2, passphrase: "light is fast")
    let lamp = try await lab.accessory.powerOn(.lamp { $0.networks = [network] })
    let credentials = WiFiCredentials(ssid: network.ssid, security: .wpa2, passphrase: network.passphrase)
    _ = try await lab.step("join", within: .seconds(15)) { try await lab.phone.radio.joinWiFi(credentials) }
    try await lab.phone.radio.leaveWiFi()
    if firmware == .broken { try await lamp.closeNetwork(ssid: network.ssid) }
    try await lab.expect(firmware, "the network is joined again") {
        do {
            _ = try await lab.step("join again", within: .seconds(40)) {
                try await lab.phone.radio.joinWiFi(credentials)
            }
            return true
        } catch is RadioError { return false }
    }
}

/// A hotspot that can be joined, but does not answer: the setup's session never begins.
///
/// Report: https://github.com/espressif/esp-idf-provisioning-ios/issues/34
let hotspotAnswers = Scenario(
    "An accessory answers on its own network once the phone has joined it", .tags("field", .wifi), .covers("W4"),
    over: Firmware.axis
) { lab, firmware in
    let network = NetworkConfiguration(ssid: "Lamp 7", security: .wpa2, passphrase: "light is fast")
    let answer = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
    try await lab.accessory.powerOn(
        .lamp { lamp in
            lamp.networks = [network]
            lamp.ports = [.port(80, answers: firmware == .mended ? answer : nil)]
        })
    let link = try await lab.step("join", within: .seconds(15)) {
        try await lab.phone.radio.joinWiFi(
            WiFiCredentials(ssid: network.ssid, security: .wpa2, passphrase: network.passphrase))
    }
    try await lab.expect(firmware, "the accessory answers") {
        let question = Data("POST /prov-session HTTP/1.1\r\n\r\n".utf8)
        do {
            return try await withDeadline(.seconds(5), waitingFor: "an answer") {
                try await lab.phone.radio.exchange(question, with: link.router, port: 80)
            } == answer
        } catch is TimedOut { return false } catch is RadioError { return false }
    }
}
