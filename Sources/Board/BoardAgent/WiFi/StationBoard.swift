import BoardProtocol
import FoundationEssentials
import Glibc
import POSIX
import RadioModel
import Timing
import WiFi

/// The Wi-Fi of a host board: the station of a phone, by wpa_supplicant and a DHCP client.
package actor StationBoard {
    /// The network that the board has joined.
    private struct Joined {
        let number: Int
        let link: WiFiLink
        let lease: Lease
    }

    /// The limit for association and key exchange.
    private static let joinLimit = Duration.seconds(15)

    private let folder: RunFolder
    private let journal: Journal
    private let interfaceName: String?
    let channelsInUse: @Sendable () -> [Int]?
    let emit: @Sendable (BoardEvent) -> Void
    let gate = Gate()
    /// The runner's connections over the joined network. They end with it.
    nonisolated let streams = OpenStreams()

    private var supplicant: Daemon?
    private(set) var global: ControlSocket?
    private var stack: WirelessStack?
    private(set) var interface: WirelessInterface?
    private var control: ControlSocket?
    /// The task that gives the radio to the supplicant. Code that needs the supplicant waits for it.
    private var taking: Task<Void, any Error>?
    /// The networks that the last scan found.
    var heard: [WiFiNetwork] = []
    private var joined: Joined? { didSet { if joined?.number != oldValue?.number { streams.endAll() } } }
    /// Allows one change of the Wi-Fi switch at a time.
    let switchGate = Gate()
    var isSwitchedOff = false
    /// The attempts to join that are running or waiting.
    var attempts: [Int: Task<WiFiLink, any Error>] = [:]
    var lastAttempt = 0
    /// Events before this place belong to joins and leaves that were asked for.
    private var quietUntil = 0

    /// - Parameters:
    ///   - interfaceName: The Wi-Fi interface; nil for the first one.
    ///   - channelsInUse: Returns the channels to listen on now, as centre frequencies in MHz; nil if they are not
    ///     known.
    ///   - emit: Called from any thread.
    init(
        folder: RunFolder, journal: Journal, interfaceName: String?,
        channelsInUse: @escaping @Sendable () -> [Int]?, emit: @escaping @Sendable (BoardEvent) -> Void
    ) {
        self.channelsInUse = channelsInUse
        self.folder = folder
        self.journal = journal
        self.interfaceName = interfaceName
        self.emit = emit
    }

    /// Starts the supplicant, which needs no radio yet. Returns when it accepts commands.
    func start() async throws {
        let socket = folder.file("wpa_supplicant")
        folder.remove("wpa_supplicant")
        global?.close()
        try Lease.prepare(folder)
        supplicant = try await Daemon(
            "wpa_supplicant", ["wpa_supplicant", "-g", socket], journal: journal, lost: lost)
        try await FileWatch.wait(for: socket, within: .seconds(10))
        global = try ControlSocket(path: socket)
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
        control?.close()
        global?.close()
        await supplicant?.stop()
    }

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
            if let interface { try? InterfaceAddress.clear(on: interface.name) }
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
        let stack = try self.stack ?? WirelessStack()
        self.stack = stack
        let found = try await stack.interface(named: interfaceName, within: limit)
        if let interface, interface == found, taking != nil { return found.address }
        let before = interface
        await forgetInterface()
        interface = found
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
        let control = try ControlSocket(path: folder.file("stations/\(found.name)"))
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

    // MARK: - Joining

    func joinNow(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        let network = try SupplicantNetwork(credentials, frequencies: frequencies(of: credentials.ssid))
        await gate.enter()
        defer { gate.leave() }
        let (control, interface, _) = try await powered()
        defer { quietUntil = control.events.count }
        let before = joined
        joined = nil
        var number: Int?
        do {
            let added = try await add(network, to: control)
            number = added
            let found = try await select(added, credentials.ssid, control)
            if let before { try await control.order("REMOVE_NETWORK \(before.number)") }
            joined = found
            return found.link
        } catch {
            // Also after a cancellation: returning to the earlier network must not be cancelled.
            await Task { await self.returnToEarlierNetwork(to: before, from: number, control, interface) }.value
            throw error
        }
    }

    private func add(_ network: SupplicantNetwork, to control: ControlSocket) async throws -> Int {
        let answer = try await control.ask("ADD_NETWORK")
        guard let number = Int(answer) else { throw RadioError.rig("the supplicant did not add a network: \(answer)") }
        for (name, value) in network.settings { try await control.order("SET_NETWORK \(number) \(name) \(value)") }
        return number
    }

    /// Makes the supplicant join one of its networks, and gets an address there.
    private func select(_ number: Int, _ ssid: String, _ control: ControlSocket) async throws -> Joined {
        let (_, interface, _) = try await powered()
        let place = control.events.count
        try await control.order("SELECT_NETWORK \(number)")
        try await waitUntilJoined(number, ssid, control, from: place)
        try InterfaceAddress.clear(on: interface.name)
        let lease = try await Lease.obtain(on: interface.name, ssid: ssid, folder: folder, journal: journal)
        try InterfaceAddress.set(lease.address, mask: lease.mask, on: interface.name)
        let status = controlFields(try await control.ask("STATUS"))
        guard status["wpa_state"] == "COMPLETED", status["id"] == "\(number)",
            let bssid = status["bssid"].flatMap({ DeviceAddress($0) })
        else { throw RadioError.associationFailed(ssid: ssid, reason: "the link was lost before an address came") }
        let link = WiFiLink(
            ssid: ssid, bssid: bssid, keyManagement: status["key_mgmt"] ?? "", address: lease.address,
            router: lease.router, protectsManagement: status["pmf"].map { $0 != "0" } ?? false)
        return Joined(number: number, link: link, lease: lease)
    }

    private func waitUntilJoined(
        _ number: Int, _ ssid: String, _ control: ControlSocket, from place: Int
    ) async throws {
        var progress = JoinProgress(ssid: ssid, network: number)
        var place = place
        let deadline = ContinuousClock.now + StationBoard.joinLimit
        while true {
            let next: (event: ControlEvent, next: Int)
            do {
                next = try await control.events.first(
                    from: place, within: ContinuousClock.now.duration(to: deadline),
                    waitingFor: "the network “\(ssid)” to be joined")
            } catch let error as TimedOut {
                throw RadioError.associationFailed(ssid: ssid, reason: "\(error)")
            }
            place = next.next
            switch progress.accept(next.event) {
            case nil: continue
            case .joined: return
            case .failed(.networkNotFound): throw try await reasonForNotFound(ssid)
            case .failed(let error): throw error
            }
        }
    }

    /// Finds out why the supplicant did not find a network. It also skips a network whose security differs from the
    /// credentials.
    private func reasonForNotFound(_ ssid: String) async throws -> RadioError {
        let (_, interface, stack) = try await powered()
        let heard = try await stack.networks(heardBy: interface.index, since: 0)
        guard let other = heard.first(where: { NetworkName.areEqual($0.ssid, ssid) }) else {
            return .networkNotFound(ssid: ssid)
        }
        return .associationFailed(ssid: ssid, reason: "its security is \(other.security.rawValue), not as requested")
    }

    private func returnToEarlierNetwork(
        to before: Joined?, from number: Int?, _ control: ControlSocket, _ interface: WirelessInterface
    ) async {
        do {
            if let number { try await control.order("REMOVE_NETWORK \(number)") }
            // The supplicant avoids an access point after failures there.
            _ = try await control.ask("BSSID_IGNORE clear")
            // With Wi-Fi off, it cannot return to the earlier network.
            guard let before, !isSwitchedOff else {
                try InterfaceAddress.clear(on: interface.name)
                return
            }
            joined = try await select(before.number, before.link.ssid, control)
        } catch {
            journal.write("returning to the earlier network failed: \(error)", from: "agent")
            guard let before else { return }
            _ = try? await control.ask("REMOVE_NETWORK \(before.number)")
            try? InterfaceAddress.clear(on: interface.name)
            emit(.radio(.wifiLost(ssid: before.link.ssid, reason: "it could not be joined again: \(error)")))
        }
    }

    /// Leaves the network. Does nothing if there is none.
    func leave() async throws {
        await gate.enter()
        defer { gate.leave() }
        try await leaveNow()
    }

    func leaveNow() async throws {
        guard let joined, let control, let interface else { return }
        let place = control.events.count
        defer { quietUntil = control.events.count }
        self.joined = nil
        try await control.order("REMOVE_NETWORK \(joined.number)")
        _ = try await control.events.first(from: place, within: .seconds(5), waitingFor: "the link to end") {
            $0.name == "CTRL-EVENT-DISCONNECTED"
        }
        try InterfaceAddress.clear(on: interface.name)
    }

    /// Handles the supplicant's events as long as it has the interface.
    private func follow(_ control: ControlSocket) async {
        var place = 0
        // A day is longer than any run. The log ends when the socket is closed.
        while let next = try? await control.events.first(
            from: place, within: .seconds(86_400), waitingFor: "an event of the supplicant",
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
        try? InterfaceAddress.clear(on: interface.name)
        let reason = event.number("reason").map { "reason \($0) (IEEE 802.11-2020, table 9-49)" } ?? event.text
        emit(.radio(.wifiLost(ssid: joined.link.ssid, reason: reason)))
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

    /// Carries out a command on streams over the joined network.
    func performOnStreams(_ command: BoardCommand) async throws -> BoardResult {
        switch command {
        case .openStream(let address, let port):
            return .number(try await streams.open(to: address, port: port, over: try joinedInterface()))
        case .sendOnStream(let number, let bytes, let isLast):
            try await streams.send(Array(bytes), on: number, isLast: isLast)
        case .receiveFromStream(let number, let limit):
            return .value(Data(try await streams.receive(from: number, upTo: limit)))
        case .closeStream(let number): streams.close(number)
        default: throw RadioError.invalid("\(command.name) is not a command for streams")
        }
        return .done
    }
}
