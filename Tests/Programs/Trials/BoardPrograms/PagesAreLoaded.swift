import Foundation
import HIL
import HILURLLoading
import Network
import NetworkExtension

private let network = NetworkConfiguration(ssid: "Lamp 7", security: .wpa2, passphrase: "light is fast")

/// Loads a page, without the connections of earlier ones.
private func load(_ url: String, within limit: TimeInterval = 60) async throws -> String {
    guard let url = URL(string: url) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.timeoutInterval = limit
    let (data, _) = try await URLSession(configuration: .ephemeral).data(for: request)
    return String(decoding: data, as: UTF8.self)
}

let pagesAreLoaded = Scenario(
    "An app loads a page of the accessory by URLSession, over the accessory's own network and no other", .tags(.wifi),
    .covers("W13", "W14")
) { lab in
    var lamp = Peripheral.peripheral(named: "Lamp 7", networks: [network])
    lamp.ports = [
        .port(80, answers: Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\non".utf8)), .port(82, answers: nil),
    ]
    lamp.bonjour = [.service("Lamp 7", type: "_http._tcp", port: 80)]
    let running = try await lab.accessory.powerOn(lamp)
    _ = try await lab.phone.launch(ThermostatApp.self)
    func expect(_ code: URLError.Code, from url: String, _ when: String) async throws {
        try await lab.expect(throwing: URLError.self, when, where: { $0.code == code }) {
            _ = try await load(url, within: 2)
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
    try await expect(.cannotConnectToHost, from: "http://\(host):81/", "a port where nobody listens")
    try await expect(.timedOut, from: "http://\(host):82/", "a port that never answers")
    // The person is asked for the local network, and the first request does not wait for the answer.
    try await expect(
        .notConnectedToInternet, from: "http://accessory.local/status", "before the person has answered")
    try await lab.becomes("the person has allowed it", within: .seconds(10)) {
        lab.phone.app.map { lab.phone.localNetworkAccess.answer(for: $0) } == .allowed
    }
    let named = try await lab.step("load by name", within: .seconds(10)) {
        try await load("http://accessory.local/status")
    }
    lab.expect(named, equals: "on", "the lamp's page, by the lamp's name")

    let mark = lab.phone.log.mark
    let waiting = Task { try await load("http://\(host):82/") }
    try await lab.phone.log.next(.note(containing: "connected to \(host), port 82"), since: mark)
    try await running.closeNetwork(ssid: network.ssid)
    try await lab.phone.log.next(.wifiLost())
    try await lab.expect(
        throwing: URLError.self, "a request whose network is lost", where: { $0.code == .networkConnectionLost }
    ) { _ = try await waiting.value }
    try await expect(.notConnectedToInternet, from: "http://\(host)/", "without a network")
}
