import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import HILTiming
import HILWiFi
import RadioModel
import Synchronization

/// The Wi-Fi of a host board: the station of a phone, by wpa_supplicant and a DHCP client.
package actor StationBoard {
    /// The network that the board has joined.
    struct Joined {
        let number: Int
        let security: WiFiSecurity
        let link: WiFiLink
        let lease: Lease
    }

    let folder: AgentFolder
    let journal: Journal
    private let interfaceName: String?
    private let radioAddress: DeviceAddress?
    /// The network of the board that the radio is in; nil for that of the agent.
    let namespace: NetworkNamespace?
    let channelsInUse: @Sendable () -> [Int]?
    let emit: @Sendable (BoardEvent) -> Void
    let gate = Gate()
    /// The runner's connections over the joined network. They end with it.
    nonisolated let streams: OpenStreams
    /// The runner's searches, offered services and listeners.
    nonisolated let services = OpenServices()
    nonisolated let multicastDNS: MulticastDNS

    private let knownAddress = Mutex<DeviceAddress?>(nil)
    private var supplicant: Daemon?
    private(set) var global: ControlSocket?
    private var stack: WirelessStack?
    private(set) var interface: WirelessInterface?
    private(set) var control: ControlSocket?
    /// The task that gives the radio to the supplicant. Code that needs the supplicant waits for it.
    private var taking: Task<Void, any Error>?
    /// The networks that the last scan found.
    var heard: [WiFiNetwork] = []
    var joined: Joined? { didSet { if joined?.number != oldValue?.number { streams.endAll() } } }
    /// Allows one change of the Wi-Fi switch at a time.
    let switchGate = Gate()
    var isSwitchedOff = false
    /// The attempts to join that are running or waiting.
    var attempts: [Int: Task<WiFiLink, any Error>] = [:]
    var lastAttempt = 0
    /// Events before this place belong to requested joins and leaves.
    var quietUntil = 0

    /// - Parameters:
    ///   - interfaceName: The Wi-Fi interface; nil for the first one.
    ///   - radioAddress: The address of the Wi-Fi interface; nil for any.
    ///   - namespace: The network of the board into which the radio is moved; nil to leave it where it is.
    ///   - channelsInUse: Returns the channels to listen on now, as centre frequencies in MHz; nil if they are not
    ///     known.
    ///   - emit: Called from any thread.
    init(
        folder: AgentFolder, journal: Journal, interfaceName: String?, radioAddress: DeviceAddress? = nil,
        in namespace: NetworkNamespace? = nil, channelsInUse: @escaping @Sendable () -> [Int]?,
        emit: @escaping @Sendable (BoardEvent) -> Void
    ) {
        self.channelsInUse = channelsInUse
        self.folder = folder
        self.journal = journal
        self.interfaceName = interfaceName
        self.radioAddress = radioAddress
        self.namespace = namespace
        streams = OpenStreams(in: namespace)
        self.emit = emit
        multicastDNS = MulticastDNS(folder: folder, journal: journal, hostName: "iPhone") {
            emit(.daemonLost(name: $0, how: $1))
        }
    }

    /// Starts the supplicant, which needs no radio yet. Returns when it accepts commands.
    func start() async throws {
        let socket = folder.file("wpa_supplicant")
        folder.remove("wpa_supplicant")
        global?.close()
        try Lease.prepare(folder)
        supplicant = try await Daemon(
            "wpa_supplicant", namespace.command(["wpa_supplicant", "-g", socket]), journal: journal, lost: lost)
        try await FileWatch.wait(for: socket, within: .seconds(10))
        global = try ControlSocket(path: socket, in: namespace)
        // No secrets in this file: networks are set through the control socket.
        try folder.write(
            """
            ctrl_interface=\(folder.file("stations"))
            p2p_disabled=1
            sae_pwe=2

            """, to: "wpa_supplicant.conf")
    }

    /// Ends the supplicant.
    func stop() async {
        services.endAll()
        await multicastDNS.stop()
        control?.close()
        global?.close()
        await supplicant?.stop()
        if namespace != nil { try? await stack?.giveBack() }
    }

    /// The address of its interface, once it has one.
    nonisolated var address: DeviceAddress? { knownAddress.withLock { $0 } }

    /// Whether the supplicant runs.
    var isDaemonThere: Bool { supplicant?.isRunning == true }

    /// The name of the joined network, if there is one.
    var networks: [String] { joined.map { [$0.link.ssid] } ?? [] }

    /// Kills the supplicant. Call ``start()`` and ``power(within:)`` to restore Wi-Fi.
    func killDaemon(by signal: Int32) async throws(RadioError) {
        guard let supplicant, supplicant.isRunning else { throw .invalid("wpa_supplicant is not running") }
        await supplicant.kill(by: signal)
    }

    /// The supplicant has ended, and the network with it: the kernel ends a link with the program that made it.
    private func loseDaemon() async {
        if let joined {
            if let interface { try? clearAddress(of: interface) }
            emit(.radio(.wifiLost(ssid: joined.link.ssid, reason: "wpa_supplicant ended")))
        }
        await forgetInterface()
    }

    /// Waits for the radio and gives it to the supplicant.
    ///
    /// The supplicant needs a third of a second for that on an emulated board. Only code that needs it waits for the
    /// end.
    ///
    /// - Returns: The address of the interface.
    func power(within limit: Duration = .seconds(20)) async throws -> DeviceAddress {
        await gate.enter()
        defer { gate.leave() }
        guard let global else { throw RadioError.rig("wpa_supplicant was not started") }
        let stack = try self.stack ?? namespace.run { try WirelessStack() }
        self.stack = stack
        if let namespace {
            try await stack.take(interfaceName, at: radioAddress, into: namespace, within: limit)
        }
        let found = try await stack.interface(named: interfaceName, at: radioAddress, within: limit)
        if let interface, interface == found, taking != nil { return found.address }
        let before = interface
        await forgetInterface()
        interface = found
        knownAddress.withLock { $0 = found.address }
        taking = Task { [journal] in
            do {
                if let before { _ = try? await global.ask("INTERFACE_REMOVE \(before.name)") }
                try await take(found, global)
            } catch {
                journal.write("the supplicant did not accept \(found.name): \(error)", from: "agent")
                throw error
            }
        }
        return found.address
    }

    private func take(_ found: WirelessInterface, _ global: ControlSocket) async throws {
        let words = [found.name, folder.file("wpa_supplicant.conf"), "nl80211", folder.file("stations")]
        try await global.order("INTERFACE_ADD " + words.joined(separator: "\t"))
        let path = folder.file("stations/\(found.name)")
        let control = try ControlSocket(path: path, in: namespace)
        try await control.attach()
        // Seconds between two searches for a missing network.
        try await control.order("SCAN_INTERVAL 1")
        self.control = control
        Task { await self.follow(control) }
    }

    /// Whether the supplicant has the radio and the radio still exists.
    var isPowered: Bool {
        get async {
            guard taking != nil, let interface, let stack else { return false }
            return (try? await stack.interfaces().contains(interface)) ?? false
        }
    }

    func forgetInterface() async {
        _ = await taking?.result
        taking = nil
        control?.close()
        control = nil
        joined = nil
        heard = []
        quietUntil = 0
    }

    private nonisolated var lost: Daemon.LossHandler {
        { [weak self, emit] name, how in
            emit(.daemonLost(name: name, how: how))
            Task { [weak self] in await self?.loseDaemon() }
        }
    }

    func powered() async throws(RadioError) -> (ControlSocket, WirelessInterface, WirelessStack) {
        if isSwitchedOff { throw .wifiOff }
        do { try await taking?.value } catch { throw RadioError(rig: error) }
        guard let control, let interface, let stack else {
            throw .rig("the board's Wi-Fi is not powered")
        }
        return (control, interface, stack)
    }

    /// Handles the supplicant's events as long as it has the interface.
    private func follow(_ control: ControlSocket) async {
        var place = 0
        // The log ends when the socket is closed.
        while let next = try? await control.events.first(
            from: place,
            where: { $0.name == "CTRL-EVENT-DISCONNECTED" || $0.name == "CTRL-EVENT-TERMINATING" })
        {
            place = next.next
            await noticeLoss(next.event, place: next.next, control)
        }
    }

    private func noticeLoss(_ event: ControlEvent, place: Int, _ control: ControlSocket) async {
        await gate.enter()
        defer { gate.leave() }
        guard place > quietUntil, let joined, let interface else { return }
        self.joined = nil
        // The phone decides whether to join again, not the supplicant.
        _ = try? await control.ask("REMOVE_NETWORK \(joined.number)")
        try? clearAddress(of: interface)
        let reason = event.number("reason").map { "reason \($0) (IEEE 802.11-2020, table 9-49)" } ?? event.text
        emit(.radio(.wifiLost(ssid: joined.link.ssid, reason: reason)))
    }

    /// Takes the address of the interface away.
    func clearAddress(of interface: WirelessInterface) throws {
        try namespace.run { try InterfaceAddress.clear(on: interface.name) }
    }

    // MARK: - TCP

    /// The interface of the joined network.
    func joinedInterface() throws(RadioError) -> String {
        guard joined != nil, let interface else { throw .notConnected }
        return interface.name
    }

    /// Opens a TCP connection over the joined network, sends, and reads to the end.
    func exchange(_ request: Data, address: String, port: UInt16) async throws -> Data {
        let answer = try await TCPExchange.run(
            Array(request), with: address, port: port, over: try joinedInterface(), within: .seconds(10))
        return Data(answer)
    }

    func perform(_ call: StationCall) async throws -> Answer {
        switch call {
        case .setPower(let isOn, let reply):
            try await setPower(isOn)
            return reply()
        case .discoverWiFiAware:
            // Service discovery of Wi-Fi Aware (NAN) came to wpa_supplicant with 2.11; Debian 13 has 2.10.
            throw RadioError.unsupported("wpa_supplicant 2.10 of this board has no Wi-Fi Aware service discovery")
        case .scan(let hidden?, let reply): return reply(try await scan(hidden: hidden))
        case .scan(nil, let reply): return reply(try await scan())
        case .join(let credentials, let reply): return reply(try await join(credentials))
        case .leave(let reply):
            try await leave()
            return reply()
        case .exchange(let address, let port, let request, let reply):
            return reply(try await exchange(request, address: address, port: port))
        case .openStream(let address, let port, let transport, let reply):
            return reply(try await streams.open(to: address, port: port, by: transport, over: try joinedInterface()))
        case .sendOnStream(let number, let bytes, let isLast, let reply):
            try await streams.send(Array(bytes), on: number, isLast: isLast)
            return reply()
        case .receiveFromStream(let number, let limit, let reply):
            return reply(Data(try await streams.receive(from: number, upTo: limit)))
        case .closeStream(let number, let reply):
            streams.close(number)
            return reply()
        }
    }
}
