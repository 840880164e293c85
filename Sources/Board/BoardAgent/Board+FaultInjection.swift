import BoardProtocol
import FoundationEssentials
import Glibc
import HILPOSIX
import RadioModel

/// The state of the board, and fault injection.
extension Board {
    func health() async throws -> BoardHealth {
        var daemons: [BoardDaemon] = []
        var bonds: [DeviceAddress] = []
        if case .accessory(let bluetooth) = bluetooth {
            if await bluetooth.isDaemonThere { daemons.append(.bluetoothd) }
            bonds = await bluetooth.bonds
        }
        let networks: [String]
        switch wifi {
        case .station(let station):
            if await station.isDaemonThere { daemons.append(.supplicant) }
            networks = await station.networks + (home?.openNetworks ?? [])
        case .accessPoint(let accessPoint):
            if await accessPoint.isDaemonThere { daemons.append(.hostapd) }
            if await internet.isRunning { daemons.append(.internet) }
            networks = await accessPoint.openNetworks
        }
        return BoardHealth(
            clock: wallClockNanoseconds(), boot: Board.bootNumber(), freeDisk: try disk.free(),
            areRadiosPowered: await areRadiosPowered, daemons: daemons, bonds: bonds,
            networks: networks,
            owned: owned
        )
    }

    /// How long a program may take to end when its board is shut down: as long as with systemd, at most half of the
    /// time that the runner waits.
    private static let shutdownGrace = Duration.seconds(10)

    private static func bootNumber() -> String {
        let file = try? Descriptor.open("/proc/sys/kernel/random/boot_id", O_RDONLY)
        let text = (try? file?.read()).flatMap { $0 } ?? []
        return String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    func perform(_ call: FaultCall) async throws -> Answer {
        switch call {
        case .killDaemon(let daemon, let signal, let reply):
            try await kill(daemon, by: signal)
            return reply()
        case .startDaemon(let daemon, let reply):
            try await start(daemon)
            return reply()
        case .waitForAdapterRemoval(let adapter, let reply):
            try await board(of: adapter).waitUntilAdapterIsGone()
            return reply()
        case .killAgent(let reply):
            Glibc.kill(getpid(), SIGKILL)
            return reply()
        case .fillDisk(let bytes, let reply): return reply(try disk.fill(leaving: bytes))
        case .freeDisk(let reply): return reply(try disk.release())
        case .shutDown(let reply):
            await shutDown()
            return reply()
        }
    }

    private func shutDown() async {
        async let first: Void = programs.end(grace: Board.shutdownGrace)
        for host in compartments.values.map(\.programs) { await host.end(grace: Board.shutdownGrace) }
        await first
        await stop()
        sync()
    }

    private func kill(_ daemon: BoardDaemon, by signal: Int32) async throws {
        switch (daemon, wifi) {
        case (.bluetoothd, .accessPoint):
            try await daemons.killBluetooth(by: signal)
            try await accessoryBluetooth().waitUntilDaemonIsGone()
        case (.supplicant, .station(let station)): try await station.killDaemon(by: signal)
        case (.hostapd, .accessPoint(let accessPoint)): try await accessPoint.killDaemon(by: signal)
        case (.internet, .accessPoint): try await internet.kill(by: signal)
        default: throw RadioError.invalid("this board runs no \(daemon.rawValue)")
        }
    }

    private func start(_ daemon: BoardDaemon) async throws {
        switch (daemon, wifi) {
        case (.bluetoothd, .accessPoint):
            let bluetooth = try accessoryBluetooth()
            try await daemons.startBluetooth(with: bluetooth.settings)
            let further = bluetooth.roster.further.filter { $0.ownController == nil }
            for board in [bluetooth] + further { try await board.restoreOnAir() }
        case (.supplicant, .station(let station)): try await station.start()
        case (.hostapd, .accessPoint(let accessPoint)): try await accessPoint.startAgain()
        case (.internet, .accessPoint): try await internet.startAgain()
        default: throw RadioError.invalid("this board runs no \(daemon.rawValue)")
        }
        if case .accessory(let bluetooth) = bluetooth { bluetooth.tellAccessories(.daemonBack(daemon)) }
    }
}
