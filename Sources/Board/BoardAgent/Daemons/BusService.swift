import HILDBus
import HILTiming
import RadioModel

/// A daemon with a name on the system bus.
enum BusService {
    /// Starts a daemon, unless it already runs, started by the board's own init for example. Returns when it is on the
    /// bus.
    ///
    /// - Parameters:
    ///   - name: Its name on the bus: `org.bluez`.
    ///   - address: The address of the bus; nil for the board's system bus.
    ///   - start: Starts it.
    /// - Returns: The started daemon; nil if it was already running.
    static func start(
        _ name: String, onBusAt address: String? = nil, _ start: () async throws -> Daemon
    ) async throws -> Daemon? {
        let connection: BusConnection
        do { connection = try address.map(BusConnection.open) ?? .system() } catch {
            throw RadioError.rig("the message bus cannot be reached: \(error)")
        }
        defer { connection.close() }
        let owners = EventLog<String>()
        let match = BusMatch(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
            firstArgument: name)
        // Subscribe before the daemon starts, so that its start is not missed.
        try await connection.subscribe(to: match) { signal in
            if signal.arguments.first?.asString == name, let owner = signal.arguments.last?.asString, !owner.isEmpty {
                owners.append(owner)
            }
        }
        let isAvailable = try await connection.call(
            "NameHasOwner", of: "org.freedesktop.DBus", on: "/org/freedesktop/DBus", at: "org.freedesktop.DBus",
            [.string(name)], within: .seconds(5))
        guard isAvailable.first?.asBool != true else { return nil }
        let daemon = try await start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await owners.first(within: .seconds(20), waitingFor: "\(daemon.name) to appear on the bus")
            }
            group.addTask {
                throw RadioError.rig("\(daemon.name) did not start: \(try await daemon.earlyEnd())")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        return daemon
    }
}
