import BoardProtocol
import HILPOSIX
import HILTiming
import RadioModel

/// The router of a home, on a host board: an access point, and the internet behind it.
///
/// With a radio of its own, the router is in a network of the board that the phone's programs do not see. So the phone
/// reaches it, and everything behind it, only over the air, like any other station.
actor HomeRouter {
    /// A router that was switched on.
    private struct Device {
        /// The address of its own radio, if the scenario named one.
        let radio: DeviceAddress?
        let namespace: NetworkNamespace?
        let accessPoint: AccessPointBoard
        let internet: InternetProgram
    }

    private let folder: AgentFolder
    private let journal: Journal
    /// The Wi-Fi interface of the phone; nil for the first one.
    private let phone: String?
    private let emit: @Sendable (BoardEvent) -> Void
    private let gate = Gate()
    private var device: Device?
    /// The servers that it plays; nil for none.
    var servers: PlayedServers?

    /// - Parameters:
    ///   - phone: The Wi-Fi interface of the phone; nil for the first one.
    ///   - emit: Called from any thread.
    init(folder: AgentFolder, journal: Journal, phone: String?, emit: @escaping @Sendable (BoardEvent) -> Void) {
        self.folder = folder
        self.journal = journal
        self.phone = phone
        self.emit = emit
    }

    /// The name of the open network, if there is one.
    var openNetworks: [String] { get async { await device?.accessPoint.openNetworks ?? [] } }

    /// Opens the network. Returns when it sends beacons and gives addresses.
    func open(_ configuration: HomeNetworkConfiguration) async throws {
        await gate.enter()
        defer { gate.leave() }
        let device = try await device(with: configuration.radio, hasInternet: configuration.hasInternet)
        _ = try await device.accessPoint.power()
        await device.accessPoint.isolateStations(configuration.isolatesStations)
        try await device.accessPoint.open(
            configuration.network, leadingTo: .home(hasInternet: configuration.hasInternet))
        guard configuration.hasInternet else { return }
        do { try await device.internet.start(on: PushService.host) } catch {
            // An open network without its internet would keep the next one from opening.
            try? await device.accessPoint.closeAll()
            throw error
        }
    }

    /// Restarts the network with another passphrase.
    func changePassphrase(to passphrase: String) async throws {
        await gate.enter()
        defer { gate.leave() }
        guard let device, let ssid = await device.accessPoint.openNetworks.first else {
            throw RadioError.invalid("no home network is open")
        }
        try await device.accessPoint.changePassphrase(of: ssid, to: passphrase)
    }

    /// Closes the network. Its stations are notified.
    func close() async throws {
        await gate.enter()
        defer { gate.leave() }
        await device?.internet.stop()
        try await device?.accessPoint.closeAll()
    }

    /// Ends the router. Its own radio returns to the board's other radios.
    func stop() async {
        await gate.enter()
        defer { gate.leave() }
        await forget()
    }

    private func forget() async {
        await device?.internet.stop()
        await device?.accessPoint.stop()
        servers = nil
        device = nil
    }

    /// The network that the router is in; nil for that of the agent.
    func namespace() throws(RadioError) -> NetworkNamespace? {
        guard let device else { throw .invalid("no home network is open") }
        return device.namespace
    }

    /// The router with this radio. It stays the same as long as its daemon lives.
    private func device(with radio: DeviceAddress?, hasInternet: Bool) async throws -> Device {
        if let device, device.radio == radio, await device.accessPoint.isDaemonThere { return device }
        await forget()
        guard radio != nil || !hasInternet else {
            throw RadioError.unsupported("the home's router has no radio of its own, so it cannot lead to the internet")
        }
        let namespace = radio == nil ? nil : try NetworkNamespace()
        let made = Device(
            radio: radio, namespace: namespace,
            accessPoint: AccessPointBoard(
                folder: folder, journal: journal, interfaceName: radio == nil ? phone : nil,
                radioAddress: radio, in: namespace, sharesRadio: radio == nil, emit: emit, accessory: { nil }),
            internet: InternetProgram(in: namespace, journal: journal) { [emit] in emit(.daemonLost(name: $0, how: $1))
            })
        device = made
        return made
    }
}
