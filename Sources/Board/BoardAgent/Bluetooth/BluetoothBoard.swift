import BoardProtocol
import HILBlueZ
import HILDBus
import HILPOSIX
import HILTiming
import RadioModel
import Synchronization

/// The Bluetooth of an accessory board's agent. It carries out commands through bluetoothd and the kernel, and reports
/// events.
///
/// Each has one adapter. A board with several accessories has one for each of them. The first one has the connections
/// to bluetoothd and the kernel, and passes on events of the others.
actor BluetoothBoard {
    /// The time limit for calls that need no peer.
    static let promptLimit = Duration.seconds(10)

    /// The number of its adapter.
    nonisolated let adapterID: AdapterID
    /// The address of its adapter. Nil for a first board on the first adapter that no other board has.
    private nonisolated let address: DeviceAddress?
    nonisolated let roster: AdapterRoster
    nonisolated let emit: @Sendable (BoardEvent) -> Void
    /// The latest advertisements that an accessory has heard while it looks for a device.
    nonisolated let found = EventLog<Advertisement>(keepingAtMost: 100)
    /// The latest controllers on which some program has started to advertise.
    nonisolated let advertisers = EventLog<UInt16>(keepingAtMost: 100)
    /// The latest new controllers of the kernel.
    nonisolated let arrivals = EventLog<UInt16>(keepingAtMost: 100)
    /// State that is shared by the radio's threads and this actor.
    nonisolated let shared = Shared()
    /// The accessories that this agent can be on this adapter.
    nonisolated let hosted: HostedAccessories
    private nonisolated let kinds: [any AgentAccessory.Type]
    /// The kernel's number for the controller of an adapter with a separate bluetoothd, which calls it `hci0`; nil for
    /// the adapters that share one.
    nonisolated let ownController: UInt16?
    private var parts: Parts?
    var subscriptions: [Subscription: NotificationChannel] = [:]
    /// What the accessory should have on the air.
    var onAir = OnAir()
    /// Lets one change of it through at a time.
    nonisolated let airGate = Gate()
    /// The transports that were set; nil if they are not known.
    var transports: AdapterTransports? = AdapterTransports()
    /// Serves the accessory's classic channel.
    var classicService: ClassicService?
    /// The name that the accessory has set; empty for the board's.
    var ownName = ""
    /// The settings with which bluetoothd was started.
    var settings = BluetoothSettings()
    /// Starts bluetoothd again with other settings. The board sets it.
    var restartDaemon: (@Sendable (BluetoothSettings) async throws -> Void)?
    /// The connection parameters that the accessory asks phones for; nil for those of Linux.
    var wantedParameters: ConnectionParameters?

    /// What exists after ``start()``.
    struct Parts: Sendable {
        let daemon: BluetoothDaemon
        let agent: PairingAgent
        let management: ManagementChannel
    }

    /// - Parameters:
    ///   - address: The address of its adapter; nil for the first one that no other board has.
    ///   - accessories: The kinds of accessories that it can be.
    ///   - emit: Called from any thread. The order on each thread is kept.
    init(
        at address: DeviceAddress? = nil, accessories: [any AgentAccessory.Type] = [],
        emit: @escaping @Sendable (BoardEvent) -> Void
    ) {
        self.emit = emit
        adapterID = .first
        ownController = nil
        self.address = address
        roster = AdapterRoster()
        kinds = accessories
        hosted = HostedAccessories(accessories, adapter: .first, emit: emit)
    }

    /// A board for a further adapter.
    private init(
        _ adapterID: AdapterID, at address: DeviceAddress, beside first: BluetoothBoard, _ parts: Parts?,
        ownController: UInt16? = nil
    ) {
        self.ownController = ownController
        emit = first.emit
        roster = first.roster
        self.adapterID = adapterID
        self.address = address
        self.parts = parts
        kinds = first.kinds
        hosted = HostedAccessories(kinds, adapter: adapterID, emit: first.emit)
    }

    /// Makes the board for a further adapter.
    ///
    /// - Parameter address: The address of the adapter.
    func further(_ adapterID: AdapterID, at address: DeviceAddress) throws(RadioError) -> BluetoothBoard {
        guard let parts else { throw .rig("the board's Bluetooth was not started") }
        return add(BluetoothBoard(adapterID, at: address, beside: self, parts), at: address)
    }

    /// Makes the board for a further adapter with a separate bluetoothd.
    ///
    /// - Parameter compartment: The compartment where it runs.
    func further(
        _ adapterID: AdapterID, at address: DeviceAddress, in compartment: Compartment
    ) async throws(RadioError) -> BluetoothBoard {
        let board = BluetoothBoard(adapterID, at: address, beside: self, nil, ownController: compartment.controller)
        do {
            let bus = try BusConnection.open(address: compartment.busAddress)
            try await board.start(on: bus, management: management(), beside: self)
        } catch { throw RadioError.rig("\(error)") }
        return add(board, at: address)
    }

    private func add(_ board: BluetoothBoard, at address: DeviceAddress) -> BluetoothBoard {
        for accessory in board.hosted.all { accessory.radio.connect(to: board) }
        roster.add(board, at: address)
        return board
    }

    /// Connects to the system bus and the kernel. bluetoothd may start later, and may restart.
    ///
    /// - Throws: ``RadioError/rig(_:)`` if there is no bus, or no Bluetooth in the kernel.
    package func start() async throws(RadioError) {
        guard parts == nil else { return }
        do {
            let management = try ManagementChannel { [weak self] event, controller in
                self?.dispatch(event, of: controller)
            }
            try await start(on: .system(), management: management, beside: self)
        } catch { throw RadioError.rig("\(error)") }
    }

    /// - Parameter first: The board that knows the owner of each adapter.
    func start(
        on connection: BusConnection, management: ManagementChannel, beside first: BluetoothBoard
    ) async throws {
        let emit = emit
        connection.onClose { emit(.daemonLost(name: "dbus-daemon", how: "it closed the agent's connection")) }
        let found = AsyncStream<Void>.makeStream()
        let daemon = BluetoothDaemon(connection) { [weak self, weak first] change in
            if case .serviceFound = change { found.continuation.yield() }
            if let self { first?.dispatch(change, from: self) }
        }
        let agent = PairingAgent(of: daemon, capability: .displayYesNo) {
            [weak self, weak first, weak daemon] request in
            if let self, let daemon { first?.dispatch(request, of: daemon, from: self) }
        }
        parts = Parts(daemon: daemon, agent: agent, management: management)
        Task { for await _ in found.stream { await self.registerAgent() } }
        try await daemon.start(within: Self.promptLimit)
        // When the board is ready, the agent is registered, unless bluetoothd is not running yet.
        if !daemon.objects.serviceIsMissing { await registerAgent() }
    }

    /// Waits for the adapter and powers it on.
    ///
    /// - Returns: The adapter's address.
    package func powerAdapter(within limit: Duration = .seconds(20)) async throws(RadioError) -> DeviceAddress {
        do {
            let adapter = try await adapter(within: limit)
            try await adapter.setPowered(true, within: limit)
            return try await self.address()
        } catch { throw RadioError(rig: error) }
    }

    /// The adapter's address.
    func address() async throws -> DeviceAddress {
        guard let address = try await adapter().address else { throw RadioError.rig("the adapter has no address") }
        return address
    }

    /// Whether the adapter exists and is on.
    package var isPowered: Bool {
        parts?.daemon.objects.objects.contains { path, interfaces in
            interfaces[BlueZ.Interface.adapter]?["Powered"]?.asBool == true && isMine(path)
        } ?? false
    }

    /// Whether an object of bluetoothd is this board's adapter or belongs to it.
    nonisolated func isMine(_ path: String) -> Bool {
        if ownController != nil { return true }
        let owner = roster.owner(of: path)
        return adapterID == .first ? owner == nil : owner === self
    }

    /// Whether bluetoothd has an adapter of this address.
    func knows(_ address: DeviceAddress) -> Bool {
        parts?.daemon.objects.objects.contains {
            $0.value[BlueZ.Interface.adapter]?["Address"]?.asString == address.description
        } ?? false
    }

    /// Whether bluetoothd is on the bus.
    var isDaemonThere: Bool { parts?.daemon.objects.serviceIsMissing == false }

    /// The devices that have a bond with bluetoothd.
    var bonds: [DeviceAddress] { parts.map { BluetoothDaemon.bonds(in: $0.daemon.objects.objects) } ?? [] }

    /// Waits until bluetoothd has left the bus, after it was killed.
    func waitUntilDaemonIsGone() async throws {
        _ = try await started().objects.first(within: Self.promptLimit, waitingFor: "bluetoothd to leave the bus") {
            $0.isEmpty ? true : nil
        }
    }

    /// Waits until the adapter is gone from bluetoothd.
    func waitUntilAdapterIsGone() async throws {
        _ = try await started().objects.first(within: Self.promptLimit, waitingFor: "the adapter to be gone") {
            $0.contains { self.isMine($0.key) && $0.value[BlueZ.Interface.adapter] != nil } ? nil : true
        }
    }

    /// Ends the search of an earlier conversation with a runner.
    package func reset() { shared.state.withLock { $0.isDiscovering = false } }

    func started() throws(RadioError) -> BluetoothDaemon {
        guard let daemon = parts?.daemon else { throw .rig("the board's Bluetooth was not started") }
        return daemon
    }

    func management() throws(RadioError) -> ManagementChannel {
        guard let channel = parts?.management else { throw .rig("the board's Bluetooth was not started") }
        return channel
    }

    /// Ends a device's link, and returns when it is gone.
    ///
    /// - Returns: Whether bluetoothd knows that it is gone.
    @discardableResult
    func drop(_ device: Device) async throws -> Bool {
        let controller = try await controller()
        return try await device.disconnect(through: management(), controller: controller, within: Self.promptLimit)
    }

    func adapter() async throws -> Adapter { try await adapter(within: Self.promptLimit) }

    /// The kernel's number for the adapter.
    func controller() async throws -> UInt16 {
        if let ownController { return ownController }
        return try await adapter().number
    }

    /// Waits for the adapter.
    func adapter(within limit: Duration) async throws -> Adapter {
        let (mine, roster) = (address, roster)
        let adapter = try await started().adapter(within: limit) { address in
            mine.map { $0 == address } ?? !roster.isFurther(address)
        }
        if let mine, ownController == nil { roster.note(mine, at: adapter.path) }
        return adapter
    }

    /// The accessory that gets events; nil while a program uses the board's Bluetooth.
    nonisolated var listener: (any AgentAccessory)? { shared.state.withLock { $0.isSetAside } ? nil : accessory }

    /// The accessory on this adapter; nil if the agent hosts none.
    nonisolated var accessory: (any AgentAccessory)? { hosted.current?.accessory }

    /// Leaves Bluetooth to a program of the board, or takes it back.
    func setAside(_ isSetAside: Bool) async {
        let wasSetAside = shared.state.withLock { state in
            defer { state.isSetAside = isSetAside }
            return state.isSetAside
        }
        guard isSetAside != wasSetAside else { return }
        if isSetAside {
            // An error means that bluetoothd is gone, or does not know the agent.
            try? await parts?.agent.unregister(within: Self.promptLimit)
        } else {
            // The program may have set any of these.
            transports = nil
            if isDaemonThere { await registerAgent() }
        }
    }

    /// Waits until some program advertises, through bluetoothd or the kernel's management interface.
    ///
    /// - Parameter isMeant: The numbers of the controllers that count.
    func waitUntilAnyoneAdvertises(where isMeant: @escaping @Sendable (UInt16) -> Bool) async throws {
        let start = advertisers.count
        for controller in ManagementChannel.controllers where isMeant(controller) {
            let reply = try await management().ask(
                .advertisingFeatures, controller: controller, within: Self.promptLimit)
            if reply.advertisements ?? 0 > 0 { return }
        }
        // The caller has a deadline.
        _ = try await advertisers.first(from: start, where: isMeant)
    }

    /// Sets what this end can show and ask for during pairing.
    func setCapability(_ capability: PairingCapability) async throws {
        guard let agent = parts?.agent else { throw RadioError.rig("the board's Bluetooth was not started") }
        agent.setCapability(capability)
        // bluetoothd keeps the capability of a registered agent.
        try? await agent.unregister(within: Self.promptLimit)
        await registerAgent()
    }

    func registerAgent() async {
        guard !shared.state.withLock({ $0.isSetAside }), let agent = parts?.agent else { return }
        do { try await agent.register(within: Self.promptLimit) } catch {
            emit(.daemonLost(name: "bluetoothd", how: "it did not accept the pairing agent: \(error)"))
        }
    }
}

extension RadioError {
    /// Keeps a radio error, and makes other errors a fault of the rig. Bluetooth that is off is none.
    init(rig error: any Error) {
        let isOff = (error as? BusError)?.name == BlueZ.ErrorName.notReady
        self = isOff ? .bluetoothOff : error as? RadioError ?? .rig("\(error)")
    }
}
