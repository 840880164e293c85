import Foundation
import HIL
import HILURLLoading
import Network
import NetworkExtension

private let network = NetworkConfiguration(ssid: "Lamp 7", security: .wpa2, passphrase: "light is fast")

/// Loads a page, without the connections of earlier ones.
private func load(_ url: String) async throws -> String {
    guard let url = URL(string: url) else { throw URLError(.badURL) }
    let (data, _) = try await URLSession(configuration: .ephemeral).data(from: url)
    return String(decoding: data, as: UTF8.self)
}

let pagesAreLoaded = Scenario(
    "An app loads a page of the accessory by URLSession, over the accessory's own network and no other", .tags(.wifi),
    .covers("W13", "W14")
) { lab in
    var lamp = Peripheral.peripheral(named: "Lamp 7", networks: [network])
    lamp.ports = [.port(80, answers: Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\non".utf8))]
    lamp.bonjour = [.service("Lamp 7", type: "_http._tcp", port: 80)]
    let running = try await lab.accessory.powerOn(lamp)
    _ = try await lab.phone.launch(ThermostatApp.self)
    func expectLost(_ url: String, _ when: String) async throws {
        try await lab.expect(throwing: URLError.self, when, where: { $0.code == .networkConnectionLost }) {
            _ = try await load(url)
        }
    }
    try await lab.step("join", within: .seconds(15)) {
        try await NEHotspotConfigurationManager.shared.apply(
            NEHotspotConfiguration(ssid: network.ssid, passphrase: network.passphrase ?? "", isWEP: false))
    }
    guard case .hostPort(let host, _)? = NWPathMonitor().currentPath.gateways.first else {
        throw NWError.posix(.ENETDOWN)
    }
    let page = try await lab.step("load", within: .seconds(10)) { try await load("http://\(host)/status") }
    lab.expect(page, equals: "on", "the lamp's page")
    try await expectLost("http://\(host):81/", "a port where nobody listens")
    let named = try await lab.step("load by name", within: .seconds(10)) {
        try await load("http://accessory.local/status")
    }
    lab.expect(named, equals: "on", "the lamp's page, by the lamp's name")

    try await running.closeNetwork(ssid: network.ssid)
    try await lab.phone.log.next(.wifiLost())
    try await expectLost("http://\(host)/", "without a network")
}
