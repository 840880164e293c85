import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import HILTiming
import RadioModel

/// A board in one of the two roles: its daemons, its Bluetooth and its Wi-Fi.
package actor Board: CallHandler {
    /// The Wi-Fi of the board. It depends on the role.
    enum WiFi {
        /// The Wi-Fi of the phone, on a host board.
        case station(StationBoard)
        /// The access point of the accessory, on an accessory board.
        case accessPoint(AccessPointBoard)
    }

    /// The Bluetooth of the board. It depends on the role.
    enum Bluetooth {
        /// The adapter for the phone's own host stack, on a host board: no bluetoothd uses it.
        case lent(HostController)
        /// The Bluetooth of the accessory, on an accessory board.
        case accessory(BluetoothBoard)
    }

    let journal: Journal
    let daemons: BoardDaemons
    let bluetooth: Bluetooth
    let wifi: WiFi
    /// Allows one call to an accessory at a time: all accessories share bluetoothd and the access point.
    private let accessoryGate = Gate()
    let disk = BoardDisk()
    let emit: @Sendable (BoardEvent) -> Void
    let internet: InternetProgram
    /// The router of a home, on a host board; nil on an accessory board.
    let home: HomeRouter?
    /// The strangers near it, on a host board; nil on an accessory board.
    let strangers: Strangers?
    /// The program of an accessory's maker on the first adapter.
    let programs: ProgramHost
    let folder: AgentFolder
    /// The parts of the board for further adapters with a separate bluetoothd.
    var compartments: [AdapterID: Compartment] = [:]
    /// The adapters that will get a compartment when they are attached.
    var prepared: Set<AdapterID> = []
    /// The daemons that the program runs in place of the board.
    var owned: Set<OwnedDaemon> = []

    /// - Parameters:
    ///   - accessories: The kinds of accessories that an accessory board can be.
    ///   - interface: The Wi-Fi interface; nil for the first one.
    ///   - adapter: The address of its Bluetooth adapter; nil for the first one.
    ///   - channelsInUse: Returns the channels to listen on now, as centre frequencies in MHz; nil if they are not
    ///     known.
    ///   - pass: Queues a frame for the runner, and never waits. Called from any thread.
    ///   - emit: Called from any thread.
    package init(
        role: BoardRole, journal: Journal, accessories: [any AgentAccessory.Type] = [], interface: String? = nil,
        adapter: DeviceAddress? = nil, channelsInUse: @escaping @Sendable () -> [Int]? = { nil },
        pass: @escaping @Sendable (Frame) -> Void = { _ in },
        emit: @escaping @Sendable (BoardEvent) -> Void
    ) throws(SystemError) {
        let folder = try AgentFolder()
        self.journal = journal
        self.folder = folder
        self.emit = emit
        programs = ProgramHost(
            folder: folder.path, filesFolder: try BoardDisk.makeFolder("programs"), journal: journal, emit: emit)
        switch role {
        case .host:
            bluetooth = .lent(HostController(at: adapter, in: folder, send: pass, emit: emit))
            daemons = BoardDaemons(journal: journal, emit: emit)
            internet = InternetProgram(journal: journal) { emit(.daemonLost(name: $0, how: $1)) }
            let station = StationBoard(
                folder: folder, journal: journal, interfaceName: interface, channelsInUse: channelsInUse, emit: emit)
            home = HomeRouter(folder: folder, journal: journal, phone: interface) {
                [weak station] event in
                // The phone itself reports what it joins.
                if case .homeNetwork(let event) = event, event.station == station?.address { return }
                emit(event)
            }
            strangers = Strangers(folder: folder, journal: journal, channelsInUse: channelsInUse)
            wifi = .station(station)
        case .accessory:
            let board = BluetoothBoard(at: adapter, accessories: accessories, emit: emit)
            bluetooth = .accessory(board)
            let tell: @Sendable (BoardEvent) -> Void = { [weak board] event in
                emit(event)
                if case .daemonLost(let name, _, _) = event, let daemon = BoardDaemon(rawValue: name) {
                    board?.tellAccessories(.daemonLost(daemon))
                }
            }
            daemons = BoardDaemons(journal: journal, emit: tell)
            internet = InternetProgram(journal: journal) { tell(.daemonLost(name: $0, how: $1)) }
            home = nil
            strangers = nil
            let accessPoint = AccessPointBoard(
                folder: folder, journal: journal, interfaceName: interface, channelsInUse: channelsInUse, emit: tell,
                accessory: { [weak board] in board?.accessory })
            wifi = .accessPoint(accessPoint)
            for accessory in board.hosted.all { accessory.radio.connect(to: board, accessPoint) }
        }
    }

    /// Starts the daemons that are used in any case. Returns when all of them accept commands.
    package func start() async throws {
        // A killed agent leaves them behind, perhaps with a bluetoothd.
        await programs.killLeftOver()
        async let bluetooth: Void = startBluetooth()
        async let wifi: Void = startWiFi()
        _ = try await (bluetooth, wifi)
    }

    private func startBluetooth() async throws {
        guard case .accessory(let bluetooth) = bluetooth else { return }
        try await daemons.startBluetooth()
        try await bluetooth.start()
        await bluetooth.onRestart { [daemons, weak bluetooth] settings in
            try await daemons.stopBluetooth()
            try await bluetooth?.waitUntilDaemonIsGone()
            try await daemons.startBluetooth(with: settings)
        }
    }

    private func startWiFi() async throws {
        if case .station(let station) = wifi { try await station.start() }
    }

    /// Ends the daemons.
    package func stop() async {
        if case .lent(let controller) = bluetooth { await controller.close() }
        await programs.end()
        for compartment in compartments.values { await compartment.end() }
        await home?.stop()
        await strangers?.leave()
        switch wifi {
        case .station(let station): await station.stop()
        case .accessPoint(let accessPoint): await accessPoint.stop()
        }
        await internet.stop()
        await daemons.stop()
    }

    package func reset() async {
        if case .station(let station) = wifi {
            station.streams.endAll()
            station.services.endAll()
        }
        await home?.stop()
        await strangers?.leave()
        switch bluetooth {
        case .lent(let controller): await giveBack(controller)
        case .accessory(let bluetooth): await bluetooth.reset()
        }
    }

    package var areRadiosPowered: Bool {
        get async {
            if case .accessory(let bluetooth) = bluetooth, await !bluetooth.isPowered { return false }
            switch wifi {
            case .station(let station): return await station.isPowered
            case .accessPoint(let accessPoint): return await accessPoint.isPowered
            }
        }
    }

    package func perform(_ call: BoardCall) async throws -> Answer {
        switch call {
        // The server answers it.
        case .hello: throw RadioError.invalid("hello begins a conversation")
        case .system(let call): try await perform(call)
        case .fault(let call): try await perform(call)
        case .controller(let call): try await perform(call)
        case .station(let call): try await station().perform(call)
        case .localNetwork(let call): try await station().perform(call)
        case .home(let call): try await perform(call)
        case .stranger(let call): try await perform(call)
        case .accessory(let call): try await perform(call)
        case .program(let call): try await perform(call)
        }
    }

    private func perform(_ call: SystemCall) async throws -> Answer {
        switch call {
        case .setClock(let nanoseconds, let reply):
            try setClock(nanoseconds)
            return reply()
        case .powerRadios(let reply): return reply(try await powerRadios())
        case .wake(let reply): return reply()
        case .warmUp(let reply): return reply(try await warmUp())
        case .versions(let reply): return reply(await BoardDaemons.versions())
        case .health(let reply): return reply(try await health())
        }
    }

    private func perform(_ call: AccessoryCall) async throws -> Answer {
        switch call {
        case .prepareCompartment(let adapter, let reply):
            try await prepareCompartment(for: adapter)
            return reply()
        case .powerAdapter(let adapter, let address, let reply): return reply(try await power(adapter, at: address))
        case .ask(let call, let kind, let adapter, let reply):
            return reply(try await ask(call, of: kind, on: adapter))
        case .openInternet(let network, let reply):
            try await openInternet(network)
            return reply()
        }
    }

    /// Loads into memory the programs that scenarios will start, and the remaining pages of the running programs.
    ///
    /// After a restore from the snapshot, they start without reading the disk.
    private func warmUp() async throws -> [String: String] {
        let versions = await BoardDaemons.versions()
        let count = PageCache.fill(and: ["/usr/sbin/dnsmasq", "/usr/bin/busybox", "/usr/sbin/avahi-daemon"])
        journal.write("\(count >> 20) MiB of programs are in memory", from: "agent")
        if case .accessPoint(let accessPoint) = wifi {
            try await accessPoint.startEarly()
            await programs.prepare()
        }
        return versions
    }

    /// A host board's Bluetooth is the phone's own, which powers it.
    private func powerRadios() async throws -> BoardAddresses {
        switch wifi {
        case .station(let station): return BoardAddresses(bluetooth: nil, wifi: try await station.power())
        case .accessPoint(let accessPoint):
            async let adapter = accessoryBluetooth().powerAdapter()
            let wifi = try await accessPoint.power()
            return BoardAddresses(bluetooth: try await adapter, wifi: wifi)
        }
    }

    private func setClock(_ nanoseconds: UInt64) throws(SystemError) {
        let before = wallClockNanoseconds()
        var time = timespec(
            tv_sec: time_t(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        try valueOrErrno("clock_settime", "setting the board's clock") { clock_settime(CLOCK_REALTIME, &time) }
        // Readers of earlier lines need this: a restored board continued with the time of its snapshot.
        let set = JournalLine.ClockSet(uptime: Board.uptime, jump: Int64(bitPattern: nanoseconds &- before))
        journal.write("the clock was set, by \(set.jump) ns", from: "agent", clockSet: set)
    }

    /// The time since boot in nanoseconds, by the clock of the kernel's log.
    private static var uptime: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    // MARK: - A host board

    func station() throws(RadioError) -> StationBoard {
        guard case .station(let station) = wifi else { throw .invalid("this is an accessory board") }
        return station
    }

    // MARK: - An accessory board

    /// The Bluetooth of the board's accessory with adapter 0.
    func accessoryBluetooth() throws(RadioError) -> BluetoothBoard {
        guard case .accessory(let board) = bluetooth else { throw .invalid("this is a host board") }
        return board
    }

    /// The Bluetooth of one of the board's accessories.
    func board(of adapter: AdapterID) throws(RadioError) -> BluetoothBoard {
        let first = try accessoryBluetooth()
        if adapter == .first { return first }
        guard let board = first.roster.further.first(where: { $0.adapterID == adapter }) else {
            throw .invalid("Bluetooth adapter \(adapter) is not in use: power its accessory on first")
        }
        return board
    }

    private func power(_ adapter: AdapterID, at address: DeviceAddress) async throws -> DeviceAddress {
        try requireFurther(adapter)
        let board: BluetoothBoard
        if let known = try? self.board(of: adapter) {
            board = known
        } else if let compartment = try await openCompartment(for: adapter, at: address) {
            board = try await accessoryBluetooth().further(adapter, at: address, in: compartment)
        } else {
            board = try await accessoryBluetooth().further(adapter, at: address)
        }
        return try await board.powerAdapter()
    }

    func requireFurther(_ adapter: AdapterID) throws(RadioError) {
        guard case .accessPoint = wifi else { throw .invalid("this is a host board") }
        guard adapter != .first, adapter.exists else {
            throw .invalid("a board has further adapters 1 to \(AdapterID.limit - 1), not \(adapter)")
        }
    }

    /// Passes a call to an accessory of an adapter.
    private func ask(_ call: Data, of kind: String, on adapter: AdapterID) async throws -> Data {
        let board = try board(of: adapter)
        await accessoryGate.enter()
        defer { accessoryGate.leave() }
        let (hosted, before) = try board.hosted.choose(kind)
        if let before { try await board.endAccessory(before) }
        return try await hosted.accessory.perform(encoded: call)
    }
}
