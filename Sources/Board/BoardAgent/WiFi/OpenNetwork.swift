import BoardProtocol
import FoundationEssentials
import RadioModel
import WiFi

/// One network of the accessory board that is on the air: hostapd's access point, the board's address there, a DHCP server, and
/// what the accessory serves.
struct OpenNetwork: Sendable {
    /// Where a network leads.
    enum Purpose: Sendable {
        /// To the accessory, which opens it.
        case accessory
        /// To the internet: the network of a home, which the accessory has nothing to do with.
        case internet
    }

    /// What a network needs of the board.
    struct Surroundings: Sendable {
        let folder: RunFolder
        let journal: Journal
        /// Called from any thread.
        let emit: @Sendable (BoardEvent) -> Void
        /// Whose networks these are.
        let accessory: (any AgentAccessory)?

        /// Tells that a daemon is gone.
        var lost: Daemon.LossHandler {
            { [emit] name, how in emit(.daemonLost(name: name, how: how)) }
        }
    }

    let configuration: NetworkConfiguration
    let purpose: Purpose
    let slot: Int
    let interface: String
    private let control: ControlSocket
    private let dhcp: Daemon
    /// What serves there; nil where nothing does.
    private let services: (any Sendable)?

    /// Puts a network on the air and its services behind it.
    ///
    /// - Parameters:
    ///   - access: How hostapd serves it, on an interface that is there.
    ///   - slot: Unlike that of any other open network.
    ///   - hostapd: Its global control socket.
    static func open(
        _ configuration: NetworkConfiguration, leadingTo purpose: Purpose, as access: AccessPointConfiguration,
        slot: Int,
        by hostapd: ControlSocket, in surroundings: Surroundings
    ) async throws -> OpenNetwork {
        let (folder, interface) = (surroundings.folder, access.interface)
        let file = "hostapd-\(interface).conf"
        try folder.write(access.text, to: file)
        // It holds the passphrase, and is read while hostapd works on the command.
        defer { folder.remove(file) }
        try await hostapd.order("ADD bss_config=\(interface):\(folder.file(file))")
        let control = try ControlSocket(path: folder.file("access-points/\(interface)"))
        try await control.attach()
        if controlFields(try await control.ask("STATUS"))["state"] != "ENABLED" {
            _ = try await control.events.first(within: .seconds(10), waitingFor: "hostapd to beacon") {
                $0.name == "AP-ENABLED"
            }
        }
        // A home's addresses are the internet's own, and its router is where the services are: nothing lies between.
        let router = purpose == .accessory ? "192.168.\(7 + slot).1" : PushService.host
        let subnet = router.split(separator: ".").prefix(3).joined(separator: ".")
        try InterfaceAddress.set(router, mask: "255.255.255.0", on: interface)
        let accessory = purpose == .accessory ? surroundings.accessory : nil
        let services = try accessory?.serve(on: router)
        let dhcp = try await Daemon(
            "dnsmasq", dhcpCommand(interface: interface, subnet: subnet), journal: surroundings.journal,
            lost: surroundings.lost)
        do { try await dhcp.waitForLine(containing: "sockets bound", within: .seconds(10)) } catch {
            await dhcp.stop()
            throw error
        }
        // Not the network itself, whose services would listen until this has ended.
        Task { await follow(control, ssid: configuration.ssid, accessory, surroundings.emit) }
        return OpenNetwork(
            configuration: configuration, purpose: purpose, slot: slot, interface: interface, control: control,
            dhcp: dhcp,
            services: services)
    }

    /// Ends what is behind it; its access point is hostapd's to take down.
    func close() async {
        control.close()
        await dhcp.stop()
    }

    /// A DHCP server and nothing else, on one interface. It trusts its list of leases rather than ask by ping first,
    /// which costs a phone seconds.
    static func dhcpCommand(interface: String, subnet: String) -> [String] {
        [
            "dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", "--user=root", "--pid-file", "--port=0",
            "--interface=\(interface)", "--bind-interfaces", "--except-interface=lo",
            "--dhcp-range=\(subnet).10,\(subnet).250,255.255.255.0,12h", "--dhcp-authoritative", "--no-ping",
            "--leasefile-ro", "--log-facility=-",
        ]
    }

    /// The pairwise master key that a station came with; nil on an open network, and from a hostapd that does not tell.
    private static func masterKey(of station: DeviceAddress, _ control: ControlSocket) async -> Data? {
        guard let answer = try? await control.ask("GET_PMK \(station)") else { return nil }
        return Hex.bytes(answer.utf8).flatMap { $0.isEmpty ? nil : Data($0) }
    }

    /// Tells of stations that come and go, for as long as the network is open.
    private static func follow(
        _ control: ControlSocket, ssid: String, _ accessory: (any AgentAccessory)?,
        _ emit: @Sendable (BoardEvent) -> Void
    ) async {
        var place = 0
        // A wait of a day is for ever here; the log ends when the socket is closed.
        while let next = try? await control.events.first(
            from: place, within: .seconds(86_400), waitingFor: "an event of hostapd")
        {
            place = next.next
            guard let station = next.event.words.first.flatMap({ DeviceAddress($0) }) else { continue }
            switch next.event.name {
            case "AP-STA-CONNECTED":
                if let key = await masterKey(of: station, control) { emit(.wifiKey(key)) }
                accessory?.take(.stationJoined(ssid: ssid, station))
            case "AP-STA-DISCONNECTED": accessory?.take(.stationLeft(ssid: ssid, station))
            default: continue
            }
        }
    }
}
