import BlueZ
import BoardProtocol
import DBus
import POSIX
import RadioModel
import Synchronization
import Timing

/// The Bluetooth half of a board's agent, in either role: requests in, bluetoothd and the kernel behind it, events out.
///
/// It has one adapter. A board with several accessories has one of these for each; the first of them has the connections to
/// bluetoothd and the kernel, and hands what they tell to whom it is about.
actor BluetoothBoard {
    /// How long calls that need no peer may take.
    static let promptLimit = Duration.seconds(10)

    nonisolated let role: BoardRole
    /// Which of the board's adapters it has.
    nonisolated let adapterID: AdapterID
    /// Of an adapter that was asked for; the first board takes the first that is nobody else's.
    private nonisolated let address: DeviceAddress?
    nonisolated let roster: AdapterRoster
    nonisolated let emit: @Sendable (BoardEvent) -> Void
    /// The last pairings, in the order in which they ended.
    nonisolated let pairings = EventLog<PairingRecord>(keepingAtMost: 1000)
    /// The last devices that the kernel was told to connect by itself.
    nonisolated let additions = EventLog<DeviceAddress>(keepingAtMost: 100)
    /// What the radio's threads and this actor share.
    nonisolated let shared = Shared()
    /// What the agent hosts on this adapter; nil on a host board.
    nonisolated let accessory: (any AgentAccessory)?
    /// What the accessory has its radios by.
    nonisolated let radio: HostedRadio
    private var parts: Parts?
    var subscriptions: [Subscription: NotificationChannel] = [:]
    var connecting: Set<DeviceAddress> = []
    var pairing: Set<DeviceAddress> = []
    /// One change of the adapter's power at a time.
    let powerGate = Gate()
    /// How often it was switched off.
    var timesOff = 0
    /// How the accessory is on the air.
    var onAir = OnAir()
    /// What the adapter was made to be; nil where that is not known.
    var transports: AdapterTransports? = AdapterTransports()
    /// Where the accessory's classic channel is served.
    var classicService: ClassicService?

    /// How a pairing ended, whoever began it.
    struct PairingRecord: Sendable {
        let address: DeviceAddress
        /// Nil if it failed.
        let bond: Bond?
    }

    /// What exists from ``start()`` on.
    struct Parts: Sendable {
        let daemon: BluetoothDaemon
        let agent: PairingAgent
        let management: ManagementChannel
    }

    /// - Parameters:
    ///   - accessory: What an accessory board hosts; nil for nothing.
    ///   - emit: Called from any thread, in the order of what happened on it.
    init(
        role: BoardRole, accessory: (any AgentAccessory.Type)? = nil, emit: @escaping @Sendable (BoardEvent) -> Void
    ) {
        self.role = role
        self.emit = emit
        adapterID = .first
        address = nil
        roster = AdapterRoster()
        let radio = HostedRadio(adapter: .first, emit: emit)
        self.radio = radio
        self.accessory = role == .accessory ? accessory?.init(radio) : nil
    }

    /// A board's further adapter.
    private init(_ adapterID: AdapterID, at address: DeviceAddress, beside first: BluetoothBoard, _ parts: Parts) {
        role = first.role
        emit = first.emit
        roster = first.roster
        self.adapterID = adapterID
        self.address = address
        self.parts = parts
        let radio = HostedRadio(adapter: adapterID, emit: first.emit)
        self.radio = radio
        accessory = first.accessory.map { type(of: $0).init(radio) }
    }

    /// Takes another of the board's adapters into use.
    ///
    /// - Parameter address: The adapter's.
    func further(_ adapterID: AdapterID, at address: DeviceAddress) throws(RadioError) -> BluetoothBoard {
        guard let parts else { throw .rig("the board's Bluetooth was not started") }
        let board = BluetoothBoard(adapterID, at: address, beside: self, parts)
        board.radio.connect(to: board)
        roster.add(board, at: address)
        return board
    }

    /// Connects to the system bus and the kernel. bluetoothd may come later, and again after it went.
    ///
    /// - Throws: ``RadioError/rig(_:)``: no bus, or no Bluetooth in the kernel.
    package func start() async throws(RadioError) {
        guard parts == nil else { return }
        do {
            let connection = try BusConnection.system()
            let emit = emit
            connection.onClose { emit(.daemonLost(name: "dbus-daemon", how: "it closed the agent's connection")) }
            let found = AsyncStream<Void>.makeStream()
            let daemon = BluetoothDaemon(connection) { [weak self] change in
                if case .serviceFound = change { found.continuation.yield() }
                self?.handOut(change)
            }
            let agent = PairingAgent(
                of: daemon, capability: role == .host ? .keyboardDisplay : .displayYesNo
            ) { [weak self, weak daemon] request in
                if let daemon { self?.handOut(request, of: daemon) }
            }
            let management = try ManagementChannel { [weak self] event, controller in
                self?.handOut(event, of: controller)
            }
            parts = Parts(daemon: daemon, agent: agent, management: management)
            Task { for await _ in found.stream { await self.registerAgent() } }
            try await daemon.start(within: Self.promptLimit)
            // Who finds the board ready finds the agent known, unless bluetoothd is yet to come.
            if !daemon.objects.serviceIsMissing { await registerAgent() }
        } catch { throw RadioError.rig("\(error)") }
    }

    /// Waits for the adapter and powers it.
    ///
    /// - Returns: The adapter's address.
    package func powerAdapter(within limit: Duration = .seconds(20)) async throws(RadioError) -> DeviceAddress {
        do {
            let adapter = try await adapter(within: limit)
            try await adapter.setPowered(true, within: limit)
            return try await self.address()
        } catch { throw RadioError(rig: error) }
    }

    /// The adapter's own address.
    func address() async throws -> DeviceAddress {
        guard let address = try await adapter().address else { throw RadioError.rig("the adapter has no address") }
        return address
    }

    /// Whether there is an adapter and it is on.
    package var isPowered: Bool {
        parts?.daemon.objects.objects.contains { path, interfaces in
            interfaces[BlueZ.Interface.adapter]?["Powered"]?.asBool == true && isMine(path)
        } ?? false
    }

    /// Whether an object of bluetoothd's is this board's adapter, or belongs to it.
    nonisolated func isMine(_ path: String) -> Bool {
        let owner = roster.owner(of: path)
        return adapterID == .first ? owner == nil : owner === self
    }

    /// Whether bluetoothd is on the bus.
    var isDaemonThere: Bool { parts?.daemon.objects.serviceIsMissing == false }

    /// Devices that bluetoothd has a bond with.
    var bonds: [DeviceAddress] {
        let objects = parts?.daemon.objects.objects ?? [:]
        return objects.keys.sorted().compactMap { path in
            let device = objects[path]?[BlueZ.Interface.device]
            guard device?["Paired"]?.asBool == true else { return nil }
            return device?["Address"]?.asString.flatMap { DeviceAddress($0) }
        }
    }

    /// Returns when bluetoothd, which was killed, has left the bus.
    func untilDaemonIsGone() async throws {
        _ = try await started().objects.first(within: Self.promptLimit, waitingFor: "bluetoothd to leave the bus") {
            $0.isEmpty ? true : nil
        }
    }

    /// Returns when bluetoothd has the adapter no more.
    func untilAdapterIsGone() async throws {
        _ = try await started().objects.first(within: Self.promptLimit, waitingFor: "the adapter to be gone") {
            $0.contains { self.isMine($0.key) && $0.value[BlueZ.Interface.adapter] != nil } ? nil : true
        }
    }

    /// A new conversation with a runner began: what was asked of the last one is void.
    package func reset() async {
        shared.state.withLock { state in
            state.isDiscovering = false
            state.questions = [:]
        }
        guard role == .host, isPowered, let adapter = try? await adapter() else { return }
        try? management().setReportsDuplicates(false, controller: adapter.number)
        try? await adapter.stopDiscovery(within: Self.promptLimit)
    }

    func started() throws(RadioError) -> BluetoothDaemon {
        guard let daemon = parts?.daemon else { throw .rig("the board's Bluetooth was not started") }
        return daemon
    }

    func management() throws(RadioError) -> ManagementChannel {
        guard let channel = parts?.management else { throw .rig("the board's Bluetooth was not started") }
        return channel
    }

    /// Ends a device's link, and returns when it is gone.
    func drop(_ device: Device) async throws {
        let controller = try await adapter().number
        try await device.disconnect(through: management(), controller: controller, within: Self.promptLimit)
    }

    func adapter() async throws -> Adapter { try await adapter(within: Self.promptLimit) }

    private func adapter(within limit: Duration) async throws -> Adapter {
        let (mine, roster) = (address, roster)
        let adapter = try await started().adapter(within: limit) { address in
            mine.map { $0 == address } ?? !roster.isFurther(address)
        }
        if let mine { roster.note(mine, at: adapter.path) }
        return adapter
    }

    private func registerAgent() async {
        guard let agent = parts?.agent else { return }
        do { try await agent.register(within: Self.promptLimit) } catch {
            emit(.daemonLost(name: "bluetoothd", how: "it took no pairing agent: \(error)"))
        }
    }
}

extension BluetoothBoard {
    /// State that is read and changed on the threads of the bus and of the kernel's channel.
    final class Shared: Sendable {
        struct State {
            var isDiscovering = false
            /// Whether Bluetooth is being switched off: nothing new begins.
            var isGoingOff = false
            /// Devices that a link is up to.
            var links: Set<DeviceAddress> = []
            var filter = AdvertisementFilter<ContinuousClock.Instant>()
            /// What devices are called that told who they are, by the private address that they had.
            var identities: [DeviceAddress: DeviceAddress] = [:]
            /// How strong the classic keys are.
            var classicKeys: [DeviceAddress: Bond] = [:]
            /// Pairings that wait for the person.
            var questions: [DeviceAddress: PairingAgent.Answer] = [:]
            /// Devices to be forgotten as soon as Bluetooth is on.
            var toForget: Set<DeviceAddress> = []
            /// Calls to the attribute servers of peers, to be given up when the link is lost.
            var calls: [DeviceAddress: [Int: @Sendable () -> Void]] = [:]
            var lastCall = 0
        }
        let state = Mutex(State())

        /// Keeps a question for the person; false where Bluetooth is being switched off, and nobody is asked.
        func ask(_ address: DeviceAddress, _ answer: PairingAgent.Answer) -> Bool {
            state.withLock { state in
                if !state.isGoingOff { state.questions[address] = answer }
                return !state.isGoingOff
            }
        }

        /// What a device is called now.
        func current(_ address: DeviceAddress) -> DeviceAddress { state.withLock { $0.identities[address] ?? address } }
    }
}

extension RadioError {
    /// A fault of the rig, unless the error says otherwise already: Bluetooth that is off is the phone's affair.
    init(rig error: any Error) {
        let isOff = (error as? BusError)?.name == BlueZ.ErrorName.notReady
        self = isOff ? .bluetoothOff : error as? RadioError ?? .rig("\(error)")
    }
}
