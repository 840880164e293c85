import BoardProtocol
import DieProtocol
import FoundationEssentials
import POSIX
import RadioModel
import Timing
import WiFi

/// What the die serves on one of its networks, for as long as this is held.
struct DieServices: Sendable {
    let rolls: DieRollService
    let messages: DieMessageListener
}

/// The accessory board's Wi-Fi: the networks that the die opens, with hostapd and a DHCP server behind each.
///
/// Each network has an interface of its own on the one radio, so that one can close and leave the others alone.
public actor AccessPointBoard {
    /// Where a network leads.
    enum Purpose: Sendable {
        /// To the die, which opens it.
        case die
        /// To the internet: the network of a home, which the die has nothing to do with.
        case internet
    }

    /// A network on the air.
    private struct OpenNetwork {
        let configuration: NetworkConfiguration
        let purpose: Purpose
        let slot: Int
        let interface: String
        let control: ControlSocket
        let dhcp: Daemon
        /// Nil on one that is not the die's.
        let services: DieServices?
    }

    /// How many networks the radio carries at once.
    static let slots = 2

    private let folder: RunFolder
    private let journal: Journal
    private let interfaceName: String?
    private let emit: @Sendable (BoardEvent) -> Void
    private let serve: @Sendable (String) throws -> DieServices
    private let gate = Gate()

    private var hostapd: Daemon?
    private var global: ControlSocket?
    private var stack: WirelessStack?
    private var radio: WirelessInterface?
    private var networks: [String: OpenNetwork] = [:]

    /// - Parameters:
    ///   - interfaceName: The Wi-Fi interface; nil for the first there is.
    ///   - emit: Called from any thread.
    ///   - serve: Begins to serve on an address that the board has from then on.
    init(
        folder: RunFolder, journal: Journal, interfaceName: String?, emit: @escaping @Sendable (BoardEvent) -> Void,
        serve: @escaping @Sendable (String) throws -> DieServices
    ) {
        self.folder = folder
        self.journal = journal
        self.interfaceName = interfaceName
        self.emit = emit
        self.serve = serve
    }

    /// Starts hostapd, which needs no radio yet; returns when it can be spoken to.
    func start() async throws {
        let socket = folder.file("hostapd")
        folder.remove("hostapd")
        hostapd = try await Daemon("hostapd", ["hostapd", "-g", socket], journal: journal, lost: lost)
        try await FileWatch.wait(for: socket, within: .seconds(10))
        global = try ControlSocket(path: socket)
    }

    /// Whether hostapd runs.
    var isDaemonThere: Bool { hostapd?.isRunning == true }

    /// The networks that are open.
    var openNetworks: [String] { networks.keys.sorted() }

    /// Kills hostapd, and with it the networks.
    func killDaemon(by signal: Int32) async throws(RadioError) {
        guard let hostapd, hostapd.isRunning else { throw .invalid("hostapd does not run") }
        await hostapd.kill(by: signal)
    }

    /// Starts hostapd after it was killed, and opens the networks that were open, as an accessory's own firmware would.
    func startAgain() async throws {
        // Not the networks themselves, whose services would go on listening.
        let lost = networks.values.sorted { $0.slot < $1.slot }.map { ($0.configuration, $0.purpose) }
        global?.close()
        global = nil
        try await closeAll()
        try await start()
        for (configuration, purpose) in lost { try await open(configuration, leadingTo: purpose) }
    }

    /// Closes every network and ends hostapd.
    func stop() async {
        try? await closeAll()
        global?.close()
        await hostapd?.stop()
    }

    /// Waits for the radio.
    ///
    /// - Returns: Its interface's address.
    func power(within limit: Duration = .seconds(20)) async throws -> DeviceAddress {
        let stack = try self.stack ?? WirelessStack()
        self.stack = stack
        let found = try await stack.interface(named: interfaceName, within: limit)
        radio = found
        return found.address
    }

    /// Whether the radio was found, and is still there.
    var isPowered: Bool {
        get async {
            guard let radio, let stack else { return false }
            return (try? await stack.interfaces().contains(radio)) ?? false
        }
    }

    private nonisolated var lost: Daemon.LossHandler {
        { [emit] name, how in emit(.daemonLost(name: name, how: how)) }
    }

    // MARK: - Networks

    /// Opens a network; returns when it beacons, hands out addresses and answers.
    func open(_ network: NetworkConfiguration, leadingTo purpose: Purpose = .die) async throws {
        await gate.enter()
        defer { gate.leave() }
        guard let global, let radio, let stack else { throw RadioError.rig("the board's Wi-Fi is not powered") }
        guard networks[network.ssid] == nil else {
            throw RadioError.invalid("the network “\(network.ssid)” is open already")
        }
        let taken = networks.values.map(\.slot)
        guard let slot = (0..<AccessPointBoard.slots).first(where: { !taken.contains($0) }) else {
            throw RadioError.invalid("the radio carries at most \(AccessPointBoard.slots) networks at once")
        }
        let interface = slot == 0 ? radio.name : "\(radio.name)-\(slot)"
        var configuration = try AccessPointConfiguration(
            interface: interface, controlFolder: folder.file("access-points"), ssid: network.ssid,
            security: network.security, passphrase: network.passphrase)
        configuration.requiresProtectedManagement = network.requiresProtectedManagement
        if slot > 0 {
            try await stack.addInterface(named: interface, on: radio.radio, address: address(of: slot, radio.address))
        }
        do {
            networks[network.ssid] = try await put(
                configuration, of: network, leadingTo: purpose, on: interface, slot: slot, global)
        } catch {
            await Task { await self.takeDown(interface, slot: slot) }.value
            throw error
        }
    }

    /// Puts a network on the air and its services behind it.
    private func put(
        _ configuration: AccessPointConfiguration, of network: NetworkConfiguration, leadingTo purpose: Purpose,
        on interface: String, slot: Int, _ global: ControlSocket
    ) async throws -> OpenNetwork {
        let file = "hostapd-\(interface).conf"
        try folder.write(configuration.text, to: file)
        // It holds the passphrase, and is read while hostapd works on the command.
        defer { folder.remove(file) }
        try await global.order("ADD bss_config=\(interface):\(folder.file(file))")
        let control = try ControlSocket(path: folder.file("access-points/\(interface)"))
        try await control.attach()
        if controlFields(try await control.ask("STATUS"))["state"] != "ENABLED" {
            _ = try await control.events.first(within: .seconds(10), waitingFor: "hostapd to beacon") {
                $0.name == "AP-ENABLED"
            }
        }
        // A home's addresses are the internet's own, and its router is where the relay is: nothing lies between.
        let router = purpose == .die ? "192.168.\(7 + slot).1" : DieRelay.host
        let subnet = router.split(separator: ".").prefix(3).joined(separator: ".")
        try InterfaceAddress.set(router, mask: "255.255.255.0", on: interface)
        let services = purpose == .die ? try serve(router) : nil
        let dhcp = try await Daemon(
            "dnsmasq", AccessPointBoard.dhcpCommand(interface: interface, subnet: subnet), journal: journal, lost: lost)
        do { try await dhcp.waitForLine(containing: "sockets bound", within: .seconds(10)) } catch {
            await dhcp.stop()
            throw error
        }
        let ssid = configuration.ssid
        Task { await self.follow(control, ssid: ssid) }
        return OpenNetwork(
            configuration: network, purpose: purpose, slot: slot, interface: interface, control: control, dhcp: dhcp,
            services: services)
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

    /// An address of our own making for one more interface: locally administered, unlike the radio's.
    private func address(of slot: Int, _ radio: DeviceAddress) -> DeviceAddress {
        var bytes = radio.bytes
        bytes[0] = (bytes[0] | 0x02) & 0xFE
        bytes[5] ^= 0x80 | UInt8(slot)
        return DeviceAddress(bytes: bytes) ?? radio
    }

    /// Closes a network; its stations are told.
    func close(ssid: String) async throws {
        await gate.enter()
        defer { gate.leave() }
        guard let network = networks.removeValue(forKey: ssid) else {
            throw RadioError.invalid("the network “\(ssid)” is not open")
        }
        await close(network)
    }

    /// Closes every network, or every one of the die's.
    func closeAll(leadingTo purpose: Purpose? = nil) async throws {
        await gate.enter()
        defer { gate.leave() }
        let closed = networks.filter { purpose == nil || $0.value.purpose == purpose }
        for (ssid, network) in closed {
            networks[ssid] = nil
            await close(network)
        }
    }

    private func close(_ network: OpenNetwork) async {
        await takeDown(network.interface, slot: network.slot)
        network.control.close()
        await network.dhcp.stop()
    }

    private func takeDown(_ interface: String, slot: Int) async {
        _ = try? await global?.ask("REMOVE \(interface)")
        try? InterfaceAddress.clear(on: interface)
        guard slot > 0, let stack else { return }
        guard let index = try? await stack.interfaces().first(where: { $0.name == interface })?.index else { return }
        try? await stack.removeInterface(index)
    }

    /// The pairwise master key that a station came with; nil on an open network, and from a hostapd that does not tell.
    private func masterKey(of station: DeviceAddress, _ control: ControlSocket) async -> Data? {
        guard let answer = try? await control.ask("GET_PMK \(station)") else { return nil }
        return Hex.bytes(answer.utf8).flatMap { $0.isEmpty ? nil : Data($0) }
    }

    /// Tells of stations that come and go, for as long as the network is open.
    private func follow(_ control: ControlSocket, ssid: String) async {
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
                emit(.die(.stationJoined(ssid: ssid, station)))
            case "AP-STA-DISCONNECTED": emit(.die(.stationLeft(ssid: ssid, station)))
            default: continue
            }
        }
    }
}
