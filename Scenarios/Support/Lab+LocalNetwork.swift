import Foundation
import HIL
import HILTiming
import Network
import NetworkExtension

/// The network of a lamp, and the page that it serves there.
enum LampSite {
    static let network = NetworkConfiguration(ssid: "Lamp 7", security: .wpa2, passphrase: "light is fast")
    static let page = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\non".utf8)
    static let question = Data("GET / HTTP/1.1\r\n\r\n".utf8)
}

extension Lab {
    /// Switches on a lamp with its own network, launches the app, and lets it join that network.
    func joinedLamp(
        _ change: (inout Peripheral) -> Void = { _ in }
    ) async throws -> (RunningPeripheral, GadgetApp) {
        let lamp = try await accessory.powerOn(
            .lamp { lamp in
                lamp.networks = [LampSite.network]
                lamp.ports = [.port(80, answers: LampSite.page), .echo(7)]
                change(&lamp)
            })
        let app = try await phone.launch(GadgetApp.self)
        try await step("join", within: .seconds(15)) {
            try await NEHotspotConfigurationManager.shared.join(
                NEHotspotConfiguration(
                    ssid: LampSite.network.ssid, passphrase: LampSite.network.passphrase ?? "", isWEP: false))
        }
        return (lamp, app)
    }

    /// The lamp's address, as an app learns it.
    func gateway() throws -> NWEndpoint.Host {
        let path = NWPathMonitor().currentPath
        guard case .hostPort(let host, _)? = path.gateways.first else { throw NWError.posix(.ENETDOWN) }
        return host
    }

    /// Asks a service over TCP, and checks its answer.
    func expectPage(from connection: NWConnection, _ what: String) async throws {
        let probe = SocketProbe(connection)
        try await step("ask", within: .seconds(15)) {
            try await probe.reach(.ready)
            probe.send(LampSite.question)
            self.expect(try await probe.receiveAll(), equals: LampSite.page, what)
        }
        connection.cancel()
    }
}

extension NEHotspotConfigurationManager {
    /// Joins a network. The app may have asked for it before it ended: then the phone is on it already, which is an error on iOS.
    func join(_ configuration: NEHotspotConfiguration) async throws {
        do { try await apply(configuration) } catch let error as NSError
            where error.code == NEHotspotConfigurationError.alreadyAssociated.rawValue
        {}
    }
}
