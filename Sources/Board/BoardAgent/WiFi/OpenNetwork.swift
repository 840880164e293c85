import BoardProtocol
import FoundationEssentials
import HILPOSIX
import HILWiFi
import RadioModel

/// An open network of a board: hostapd's access point, the board's address there, a DHCP server, and the
/// accessory's services.
struct OpenNetwork: Sendable {
    /// The purpose of a network.
    enum Purpose: Sendable, Equatable {
        /// The accessory opens it and serves on it.
        case accessory
        /// The network of a home, with internet access. The accessory does not use it.
        case internet
        /// The network of a home, which accessories and phones may join.
        case home(hasInternet: Bool)

        /// The board's address in a network for this purpose.
        func router(slot: Int) -> String {
            switch self {
            case .accessory: "192.168.\(7 + slot).1"
            // The addresses of a home network are those of the internet, and its router runs the services: there is
            // nothing in between.
            case .internet, .home(hasInternet: true): PushService.host
            case .home: "192.168.1.1"
            }
        }
    }

    /// Objects that all networks of a board share.
    struct Surroundings: Sendable {
        /// The network of the board that the radio is in; nil for that of the agent.
        var namespace: NetworkNamespace?
        let folder: AgentFolder
        let journal: Journal
        /// Called from any thread.
        let emit: @Sendable (BoardEvent) -> Void
        /// Returns the accessory that opens networks now.
        let accessory: @Sendable () -> (any AgentAccessory)?

        /// Runs code in the radio's network; see `NetworkNamespace.run`.
        func inside<Result>(_ body: () throws -> Result) throws -> Result { try namespace.run(body) }

        /// A command line that runs a program in the radio's network.
        func command(_ command: [String]) -> [String] { namespace.command(command) }

        /// Reports the unexpected end of a daemon.
        var lost: Daemon.LossHandler {
            { [emit] name, how in emit(.daemonLost(name: name, how: how)) }
        }
    }

    let configuration: NetworkConfiguration
    let purpose: Purpose
    let slot: Int
    let interface: String
    /// The board's own address in it.
    var address: String { configuration.address ?? purpose.router(slot: slot) }
    private let control: ControlSocket
    private let dhcp: Daemon
    /// The object that serves on it; nil for none.
    private let services: (any Sendable)?

    /// Opens a network and starts its services.
    ///
    /// - Parameters:
    ///   - access: The settings for hostapd. Their interface must exist.
    ///   - slot: The number of the network. No other open network may have it.
    ///   - hostapd: The global control socket of hostapd.
    static func open(
        _ configuration: NetworkConfiguration, leadingTo purpose: Purpose, as access: AccessPointConfiguration,
        slot: Int,
        by hostapd: ControlSocket, in surroundings: Surroundings
    ) async throws -> OpenNetwork {
        let (folder, interface) = (surroundings.folder, access.interface)
        let file = "hostapd-\(interface).conf"
        try folder.write(access.text, to: file)
        // The file holds the passphrase. hostapd reads it before it answers the command.
        defer { folder.remove(file) }
        let serverFiles = access.server?.contents ?? []
        // hostapd reads the server's files before it beacons.
        defer { for (ending, _) in serverFiles { folder.remove("\(serverFile(interface)).\(ending)") } }
        for (ending, text) in serverFiles { try folder.write(text, to: "\(serverFile(interface)).\(ending)") }
        try await hostapd.order("ADD bss_config=\(interface):\(folder.file(file))")
        let control = try ControlSocket(
            path: folder.file("access-points/\(interface)"), in: surroundings.namespace)
        try await control.attach()
        if controlFields(try await control.ask("STATUS"))["state"] != "ENABLED" {
            _ = try await control.events.first(within: .seconds(10), waitingFor: "hostapd to beacon") {
                $0.name == "AP-ENABLED"
            }
        }
        let router = configuration.address ?? purpose.router(slot: slot)
        let subnet = router.split(separator: ".").prefix(3).joined(separator: ".")
        try surroundings.inside { try InterfaceAddress.set(router, mask: "255.255.255.0", on: interface) }
        let accessory = purpose == .accessory ? surroundings.accessory() : nil
        let services = try accessory?.serve(on: router)
        let dhcp = try await Daemon(
            "dnsmasq", surroundings.command(dhcpCommand(interface: interface, subnet: subnet)),
            journal: surroundings.journal,
            lost: surroundings.lost)
        do { try await dhcp.waitForLine(containing: "sockets bound", within: .seconds(10)) } catch {
            await dhcp.stop()
            throw error
        }
        // These do not refer to the network itself: otherwise its services would listen until the tasks end.
        if case .home = purpose {
            Task { await followHome(control, surroundings.emit) }
            Task { await followLeases(of: dhcp, surroundings.emit) }
        } else {
            let ssid = configuration.ssid
            Task {
                await followStations(control, surroundings.emit) { station, change in
                    switch change {
                    case .joined: accessory?.take(.stationJoined(ssid: ssid, station))
                    case .left: accessory?.take(.stationLeft(ssid: ssid, station))
                    case .refused: break
                    }
                }
            }
        }
        return OpenNetwork(
            configuration: configuration, purpose: purpose, slot: slot, interface: interface, control: control,
            dhcp: dhcp,
            services: services)
    }

    /// The name of the files of an authentication server, without their endings.
    static func serverFile(_ interface: String) -> String { "server-\(interface)" }

    /// Ends the services. Removing the access point from hostapd is left to the caller.
    func close() async {
        control.close()
        await dhcp.stop()
    }

    /// The command for a DHCP server on one interface. It trusts its list of leases: checking by ping first would delay
    /// a phone by seconds.
    static func dhcpCommand(interface: String, subnet: String) -> [String] {
        [
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file", "--port=0",
            "--interface=\(interface)", "--bind-interfaces", "--except-interface=lo",
            "--dhcp-range=\(subnet).10,\(subnet).250,255.255.255.0,12h", "--dhcp-authoritative", "--no-ping",
            "--leasefile-ro", "--log-facility=-",
        ]
    }

    // MARK: - Stations

    /// A change of a station.
    enum StationChange: Sendable {
        case joined
        case left
        /// Its key was wrong.
        case refused

        /// - Parameter name: The name of an event of hostapd.
        init?(hostapd name: String) {
            switch name {
            case "AP-STA-CONNECTED": self = .joined
            case "AP-STA-DISCONNECTED": self = .left
            case "AP-STA-POSSIBLE-PSK-MISMATCH": self = .refused
            default: return nil
            }
        }
    }

    /// Reports the keys of stations that join, and passes on changes of stations, while the network is open.
    static func followStations(
        _ control: ControlSocket, _ emit: @Sendable (BoardEvent) -> Void,
        _ take: @Sendable (DeviceAddress, StationChange) -> Void
    ) async {
        // The log ends when the socket is closed.
        var events = control.events.events().makeAsyncIterator()
        while let event = try? await events.next() {
            guard let change = StationChange(hostapd: event.name),
                let station = event.words.first.flatMap({ DeviceAddress($0) })
            else { continue }
            if change == .joined, let key = await masterKey(of: station, control) { emit(.wifiKey(key)) }
            take(station, change)
        }
    }

    /// The pairwise master key of a station; nil on an open network, or if this version of hostapd does not report it.
    private static func masterKey(of station: DeviceAddress, _ control: ControlSocket) async -> Data? {
        guard let answer = try? await control.ask("GET_PMK \(station)") else { return nil }
        return Hex.bytes(answer.utf8).flatMap { $0.isEmpty ? nil : Data($0) }
    }
}
