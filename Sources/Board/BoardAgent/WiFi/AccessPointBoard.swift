import BoardProtocol
import FoundationEssentials
import HILAvahi
import HILPOSIX
import HILTiming
import HILWiFi
import RadioModel

/// hostapd and its networks: the Wi-Fi of an accessory board, or the router of a home on a host board.
///
/// hostapd starts with the first network. Each network has its own interface on the one radio, so that it can be closed
/// separately.
actor AccessPointBoard {
    /// The most networks at once.
    static let slots = 2

    private let interfaceName: String?
    private let radioAddress: DeviceAddress?
    private let sharesRadio: Bool
    let surroundings: OpenNetwork.Surroundings
    /// Returns the channels to listen on now; nil if they are not known.
    let channelsInUse: @Sendable () -> [Int]?
    let gate = Gate()
    let multicastDNS: MulticastDNS

    private var hostapd: Daemon?
    /// Whether a program uses the radio.
    private var isGivenUp = false
    private var global: ControlSocket?
    private(set) var stack: WirelessStack?
    private(set) var radio: WirelessInterface?
    private(set) var networks: [String: OpenNetwork] = [:]
    /// The network of others that the accessory has joined, or looks for.
    var joined: JoinedNetwork?
    /// The bands that the accessory's radio knows.
    private(set) var bands = Set<WiFiBand>.all
    /// Whether networks that are opened from now on pass nothing from one station to another.
    private var isolatesStations = false
    /// The services that the accessory offers on its networks.
    var offered: [BonjourService] = []
    /// The current offers, by the name of the network.
    var published: [String: [(service: BonjourService, publication: ServicePublication)]] = [:]

    /// - Parameters:
    ///   - interfaceName: The Wi-Fi interface; nil for the first one.
    ///   - radioAddress: The address of the Wi-Fi interface; nil for any.
    ///   - namespace: The network of the board into which the radio is moved; nil to leave it where it is.
    ///   - sharesRadio: Whether the radio's first interface has another use, so that every network gets a new one.
    ///   - channelsInUse: Returns the channels to listen on now, as centre frequencies in MHz; nil if they are not
    ///     known.
    ///   - emit: Called from any thread.
    ///   - accessory: Returns the accessory that opens networks; nil for none.
    init(
        folder: AgentFolder, journal: Journal, interfaceName: String?, radioAddress: DeviceAddress? = nil,
        in namespace: NetworkNamespace? = nil, sharesRadio: Bool = false,
        channelsInUse: @escaping @Sendable () -> [Int]? = { nil },
        emit: @escaping @Sendable (BoardEvent) -> Void, accessory: @escaping @Sendable () -> (any AgentAccessory)?
    ) {
        self.interfaceName = interfaceName
        self.sharesRadio = sharesRadio
        self.radioAddress = radioAddress
        self.channelsInUse = channelsInUse
        surroundings = OpenNetwork.Surroundings(
            namespace: namespace, folder: folder, journal: journal, emit: emit, accessory: accessory)
        multicastDNS = MulticastDNS(folder: folder, journal: journal, hostName: nil, lost: surroundings.lost)
    }

    /// Starts hostapd before its first network, unless a program uses the radio.
    func startEarly() async throws {
        await gate.enter()
        defer { gate.leave() }
        try await startIfDue()
    }

    private func startIfDue() async throws {
        if hostapd == nil, !isGivenUp { try await start() }
    }

    /// Starts hostapd, which needs no radio yet. Returns when it accepts commands.
    private func start() async throws {
        // In a separate folder: at its end, hostapd removes the socket's folder if it is empty.
        try surroundings.folder.makeFolder("control")
        surroundings.folder.remove("control/hostapd")
        let socket = surroundings.folder.file("control/hostapd")
        hostapd = try await Daemon(
            "hostapd", surroundings.command(["hostapd", "-g", socket]), journal: surroundings.journal,
            lost: surroundings.lost)
        try await FileWatch.wait(for: socket, within: .seconds(10))
        global = try ControlSocket(path: socket, in: surroundings.namespace)
    }

    /// Whether hostapd runs, or will with the first network.
    var isDaemonThere: Bool { hostapd?.isRunning ?? !isGivenUp }

    /// The names of the open networks.
    var openNetworks: [String] { networks.keys.sorted() }

    /// Kills hostapd. Its networks end with it.
    func killDaemon(by signal: Int32) async throws {
        try await startEarly()
        guard let hostapd, hostapd.isRunning else { throw RadioError.invalid("hostapd is not running") }
        await hostapd.kill(by: signal)
    }

    /// Restarts hostapd after a kill, and opens the same networks again, as an accessory's own firmware would.
    func startAgain() async throws {
        // Keep only the configurations: the networks themselves would keep their services listening.
        let lost = networks.values.sorted { $0.slot < $1.slot }.map { ($0.configuration, $0.purpose) }
        global?.close()
        global = nil
        try await closeAll()
        try await start()
        for (configuration, purpose) in lost { try await open(configuration, leadingTo: purpose) }
    }

    /// Closes every network and ends hostapd.
    func stop() async {
        await leave()
        try? await closeAll()
        await multicastDNS.stop()
        global?.close()
        await hostapd?.stop()
        guard surroundings.namespace != nil else { return }
        do { try await stack?.giveBack() } catch {
            surroundings.journal.write("the radio stays in the router's network: \(error)", from: "agent")
        }
    }

    /// Ends hostapd, so that a program can use the radio.
    func giveUpRadio() async {
        isGivenUp = true
        await stop()
        global = nil
        hostapd = nil
    }

    /// Takes the radio back from a program. The next network starts hostapd.
    func takeRadio() { isGivenUp = false }

    /// Waits until some program of the board has opened a network with this name.
    func waitUntilAnyoneOpens(_ ssid: String) async throws {
        let stack = try self.stack ?? WirelessStack()
        self.stack = stack
        try await stack.waitForAccessPoint(ssid)
    }

    /// Waits for the radio.
    ///
    /// - Returns: The address of its interface.
    func power(within limit: Duration = .seconds(20)) async throws -> DeviceAddress {
        let stack = try self.stack ?? surroundings.inside { try WirelessStack() }
        self.stack = stack
        if let namespace = surroundings.namespace {
            try await stack.take(interfaceName, at: radioAddress, into: namespace, within: limit)
        }
        let found = try await stack.interface(named: interfaceName, at: radioAddress, within: limit)
        radio = found
        return found.address
    }

    /// Sets whether networks that are opened from now on pass nothing from one station to another.
    func isolateStations(_ isOn: Bool) { isolatesStations = isOn }

    /// Sets the bands that the accessory's radio knows.
    func setBands(_ bands: Set<WiFiBand>) { self.bands = bands }

    /// Whether the radio was found and still exists.
    var isPowered: Bool {
        get async {
            guard let radio, let stack else { return false }
            return (try? await stack.interfaces().contains(radio)) ?? false
        }
    }

    // MARK: - Networks

    /// Opens a network. Returns when it sends beacons, gives addresses and serves.
    func open(_ network: NetworkConfiguration, leadingTo purpose: OpenNetwork.Purpose = .accessory) async throws {
        await gate.enter()
        defer { gate.leave() }
        try await openNow(network, leadingTo: purpose)
    }

    private func openNow(_ network: NetworkConfiguration, leadingTo purpose: OpenNetwork.Purpose) async throws {
        try await startIfDue()
        guard hostapd != nil else {
            throw RadioError.invalid("the board's Wi-Fi belongs to the program: it owns hostapd or wpa_supplicant")
        }
        guard let global, let radio, let stack else { throw RadioError.rig("the board's Wi-Fi is not powered") }
        await leaveNow()
        guard networks[network.ssid] == nil else {
            throw RadioError.invalid("the network “\(network.ssid)” is already open")
        }
        if purpose == .accessory { try check(try WiFiChannel(network.channel)) }
        let taken = networks.values.map(\.slot)
        let slots = sharesRadio ? 1..<2 : 0..<AccessPointBoard.slots
        guard let slot = slots.first(where: { !taken.contains($0) }) else {
            throw RadioError.invalid("the radio carries at most \(slots.count) networks at once")
        }
        let interface = AccessPointBoard.interfaces(of: radio)[slot]
        var configuration = try AccessPointConfiguration(
            interface: interface, controlFolder: surroundings.folder.file("access-points"), ssid: network.ssid,
            in: network.encoding, security: network.security, passphrase: network.passphrase, channel: network.channel)
        // mac80211_hwsim supports a medium outside the kernel only if its radio uses one channel.
        if let other = networks.values.map(\.configuration).first(where: { $0.channel != network.channel }) {
            throw RadioError.invalid(
                "the one radio is on channel \(other.channel) with “\(other.ssid)”: open “\(network.ssid)” there too")
        }
        configuration.requiresProtectedManagement = network.requiresProtectedManagement
        configuration.isolatesStations = isolatesStations || network.isolatesStations
        configuration.hasWPS = network.hasWPS
        configuration.lacksProtectedManagement = network.lacksProtectedManagement
        configuration.isHidden = network.isHidden
        configuration.server = try network.server.map {
            try EnterpriseFiles($0, path: surroundings.folder.file(OpenNetwork.serverFile(interface)))
        }
        guard (network.server != nil) == (network.security == .wpa2Enterprise) else {
            throw RadioError.invalid("a WPA2-Enterprise network needs a server, and only such a network has one")
        }
        if let address = network.address { try check(address) }
        let own = network.address ?? purpose.router(slot: slot)
        if let other = networks.values.first(where: { subnet($0.address) == subnet(own) }) {
            throw RadioError.invalid(
                "“\(other.configuration.ssid)” is open at \(other.address): give “\(network.ssid)” another address than \(own)"
            )
        }
        if slot > 0 {
            try await stack.addInterface(named: interface, on: radio.radio, address: address(of: slot, radio.address))
        }
        do {
            let opened = try await OpenNetwork.open(
                network, leadingTo: purpose, as: configuration, slot: slot, by: global, in: surroundings)
            networks[network.ssid] = opened
            if purpose == .accessory { try await publish(on: opened) }
        } catch {
            if let opened = networks.removeValue(forKey: network.ssid) {
                await Task { await self.close(opened) }.value
                throw error
            }
            await Task { await self.takeDown(interface, slot: slot) }.value
            throw error
        }
    }

    /// The names of the interfaces of a radio's networks.
    static func interfaces(of radio: WirelessInterface) -> [String] {
        (0..<slots).map { $0 == 0 ? radio.name : "\(radio.name)-\($0)" }
    }

    /// Checks that the accessory's radio knows the band of a channel.
    private func check(_ channel: WiFiChannel) throws(RadioError) {
        let band = WiFiBand(frequency: channel.frequency)
        guard !bands.contains(band) else { return }
        throw .invalid(
            "the accessory's radio does not know \(band), so it cannot open a network on channel \(channel.number)")
    }

    /// Checks the address that an accessory chooses for itself on its network.
    private func check(_ address: String) throws(RadioError) {
        let octets = address.split(separator: ".").compactMap { UInt8($0) }
        // RFC 1918. The server gives .10 to .250 to stations.
        let isPrivate =
            octets.first == 10 || octets.starts(with: [192, 168])
            || octets.first == 172 && octets.count == 4 && 16...31 ~= octets[1]
        guard (try? internetAddress(address, port: 0)) != nil, octets.count == 4, isPrivate,
            let last = octets.last, 1...9 ~= last || 251...254 ~= last
        else {
            throw .invalid(
                "an access point cannot have the address \(address): choose a private one that ends with 1 to 9 or 251 to 254"
            )
        }
    }

    private func subnet(_ address: String) -> [Substring] { Array(address.split(separator: ".").prefix(3)) }

    /// The address of a further interface: locally administered, different from the radio's.
    private func address(of slot: Int, _ radio: DeviceAddress) -> DeviceAddress {
        var bytes = radio.bytes
        bytes[0] = (bytes[0] | 0x02) & 0xFE
        bytes[5] ^= 0x80 | UInt8(slot)
        return DeviceAddress(bytes: bytes) ?? radio
    }

    /// Closes a network. Its stations are notified.
    func close(ssid: String) async throws {
        await gate.enter()
        defer { gate.leave() }
        guard let network = networks.removeValue(forKey: ssid) else {
            throw RadioError.invalid("the network “\(ssid)” is not open")
        }
        await close(network)
    }

    /// Restarts a network with another passphrase. Its stations are disconnected, as when a router applies new
    /// settings. An invalid passphrase changes nothing.
    func changePassphrase(of ssid: String, to passphrase: String) async throws {
        await gate.enter()
        defer { gate.leave() }
        // Keep only the configuration: the network itself would keep its services listening.
        guard let (network, purpose) = networks[ssid].map({ ($0.configuration, $0.purpose) }) else {
            throw RadioError.invalid("the network “\(ssid)” is not open")
        }
        var changed = network
        changed.passphrase = passphrase
        try WiFiRules.check(ssid: ssid, in: changed.encoding, security: changed.security, passphrase: passphrase)
        if let network = networks.removeValue(forKey: ssid) { await close(network) }
        try await openNow(changed, leadingTo: purpose)
    }

    /// Closes all networks, or all with this purpose.
    func closeAll(leadingTo purpose: OpenNetwork.Purpose? = nil) async throws {
        await gate.enter()
        defer { gate.leave() }
        let closed = networks.filter { purpose == nil || $0.value.purpose == purpose }
        for (ssid, network) in closed {
            networks[ssid] = nil
            await close(network)
        }
    }

    private func close(_ network: OpenNetwork) async {
        published[network.configuration.ssid] = nil
        await takeDown(network.interface, slot: network.slot)
        await network.close()
    }

    private func takeDown(_ interface: String, slot: Int) async {
        _ = try? await global?.ask("REMOVE \(interface)")
        try? surroundings.inside { try InterfaceAddress.clear(on: interface) }
        guard slot > 0, let stack else { return }
        guard let index = try? await stack.interfaces().first(where: { $0.name == interface })?.index else { return }
        try? await stack.removeInterface(index)
    }
}
