import BoardProtocol
import Foundation
import HILAir
import HILPOSIX
import RigModel
import Synchronization

/// The names of a virtual rig's sockets in its endpoint.
enum VirtualAddress {
    /// The control socket of the air.
    static let air = "air"

    /// The socket of a board's agent.
    static func agent(of board: BoardRole) -> String { board.rawValue }

    /// The socket of a board's power switch.
    static func power(of board: BoardRole) -> String { "\(board.rawValue).power" }

    /// There if a board is asleep at first, until a command needs it.
    static func asleep(_ board: BoardRole) -> String { "\(board.rawValue).asleep" }
}

extension VirtualRig {
    /// The endpoint for workers.
    package var endpoint: RigEndpoint {
        var addresses = [VirtualAddress.air: airSocket]
        for board in allBoards {
            addresses[VirtualAddress.agent(of: board)] = agentSocket(of: board)
            addresses[VirtualAddress.power(of: board)] = powerSocket(of: board)
            if asleep.contains(board) { addresses[VirtualAddress.asleep(board)] = "" }
        }
        return RigEndpoint(description, addresses: addresses)
    }

    /// The private folder of the virtual rig behind an endpoint; nil for another kind of rig.
    package static func folder(of endpoint: RigEndpoint) -> String? {
        endpoint.addresses[VirtualAddress.air].map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    }
}

/// Connects workers to virtual rigs.
package struct VirtualConnector: RigConnector {
    package let kind: String

    /// - Parameter boards: The rigs' description: of QEMU's boards or of native ones.
    package init(_ boards: RigDescription = VirtualRigs.description) { kind = boards.kind }

    package func connect(to endpoint: RigEndpoint) async throws -> RigConnection {
        let air = try await VirtualConnector.air(of: endpoint)
        let accessoryAgent = endpoint.addresses[VirtualAddress.agent(of: .accessory)]
        let facets = AirFacets(air)
        async let host = VirtualConnector.host(of: endpoint, plugging: facets)
        async let accessory = VirtualConnector.accessory(at: accessoryAgent)
        var connection = RigConnection(endpoint.description, host: try await host, accessory: try await accessory)
        if accessoryAgent == nil { connection.absence = VirtualConnector.absence }
        if endpoint.addresses[VirtualAddress.asleep(.host)] != nil { connection.asleep = [.host] }
        connection.events = air.events
        connection.air = facets
        connection.distance = facets
        connection.adapters = facets
        connection.hostStacks = facets
        connection.phoneController = facets
        connection.capture = facets.capture
        connection.power = VirtualPower(endpoint)
        return connection
    }

    private static func host(of endpoint: RigEndpoint, plugging adapters: AirFacets) async throws -> BoardClient {
        let agent = try endpoint.address(VirtualAddress.agent(of: .host))
        guard endpoint.addresses[VirtualAddress.asleep(.host)] != nil else {
            return try await BoardClient.connect(to: agent, role: .host, within: .seconds(30))
        }
        let power = try endpoint.address(VirtualAddress.power(of: .host))
        return try await SleepingBoard.connect(.host) {
            if endpoint.description.kind == VirtualRigs.nativeDescription.kind {
                try await NativePower(socket: power, name: BoardRole.host.rawValue).restore()
            } else {
                try await BoardPower(socket: power, name: BoardRole.host.rawValue).wake()
            }
            let board = try await BoardClient.connect(to: agent, role: .host, within: .seconds(30))
            do {
                try await board.ask { .system(.setClock(nanoseconds: wallClockNanoseconds(), $0)) }
                _ = try await adapters.attach(.wifi, to: .host, adapter: .first)
                try await board.ask { .system(.powerRadios($0)) }
            } catch {
                // The agent serves one client at a time, and another try may follow.
                await board.close()
                throw error
            }
            await board.close()
            return try UnixSocket.connect(to: agent)
        }
    }

    private static func accessory(at agent: String?) async throws -> BoardClient {
        guard let agent else { return try await AbsentBoard.connect(absence) }
        return try await BoardClient.connect(to: agent, role: .accessory, within: .seconds(30))
    }

    private static let absence =
        "the scenario is declared .withoutAccessoryBoard: remove that to use the accessory board"

    /// Connects only to the air of a virtual rig.
    package static func air(of endpoint: RigEndpoint) async throws -> AirClient {
        try await AirClient.connect(to: try endpoint.address(VirtualAddress.air))
    }
}

/// Switches the power of a virtual rig's boards.
package final class VirtualPower: PowerControl {
    private let sockets: [BoardRole: String]
    private let isNative: Bool
    /// The connections to the boards whose power is off.
    private let cuts = Mutex<[BoardRole: any PowerSwitch]>([:])

    /// - Parameter sockets: The socket of each board's power switch: of QMP, or of ``NativePower`` for native boards.
    package init(sockets: [BoardRole: String], isNative: Bool = false) {
        self.sockets = sockets
        self.isNative = isNative
    }

    convenience init(_ endpoint: RigEndpoint) {
        var sockets: [BoardRole: String] = [:]
        for board in BoardRole.allCases { sockets[board] = endpoint.addresses[VirtualAddress.power(of: board)] }
        self.init(sockets: sockets, isNative: endpoint.description.kind == VirtualRigs.nativeDescription.kind)
    }

    package func cut(_ board: BoardRole) async throws {
        guard let socket = sockets[board] else {
            throw RigFailure(
                "cutting the power", on: "the \(board.rawValue) board", "the address of its switch is missing")
        }
        let power: any PowerSwitch =
            isNative
            ? try NativePower(socket: socket, name: board.rawValue)
            : try await BoardPower(socket: socket, name: board.rawValue)
        try await power.cut()
        cuts.withLock { $0[board] = power }
    }

    package func restore(_ board: BoardRole) async throws {
        guard let power = cuts.withLock({ $0[board] }) else { return }
        try await power.restore()
        cuts.withLock { $0[board] = nil }
    }
}
