import BoardProtocol
import HILAir
import HILCommand
import RigModel
import VirtualRig

extension RigKind {
    /// Boards as on a bench: they have radios, and nothing controls the air, the power or the memory.
    static let twoAgents = RigKind(TwoAgents.description, connectors: [TwoAgentsConnector()]) {
        interruption, results, boards, needs, progress in
        TwoAgents(of: try await RigKind.virtual.setUp(interruption, results, boards, needs, progress))
    }
}

/// Starts virtual rigs with their radios plugged in, and offers only their two agents.
struct TwoAgents: RigProvider {
    static let description = RigDescription(
        "two-agents", has: [.bluetooth, .wifi, .accessoryBoard, .ownBoards, .homeNetwork],
        reasons: [
            .air: "nobody controls it", .distance: "the boards stay where they are", .capture: "nothing listens",
            .adapters: "the radios stay plugged in", .power: "it has no switch",
            .boardSystem: "each board keeps its system", .wifiAware: "wpa_supplicant 2.10 does not have it",
        ])
    var description: RigDescription { TwoAgents.description }
    var accessorySystem: BoardSystem? { virtual.accessorySystem }
    private let virtual: any RigProvider

    init(of virtual: any RigProvider) { self.virtual = virtual }

    func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
        var needs = needs
        // Its connector attaches the radios of both boards itself.
        needs.startsHost = true
        let rig = try await virtual.start(for: needs, evidence: evidence)
        do {
            let air = try await VirtualConnector.air(of: rig.endpoint)
            for board in BoardRole.allCases {
                for radio in AirRadio.allCases { try await air.ask { .attach(board, radio, $0) } }
            }
            return RunningAgents(rig: rig, air: air)
        } catch {
            await rig.stop()
            throw error
        }
    }
}

/// A running virtual rig of which only the two agents are offered.
private struct RunningAgents: RunningRig {
    let rig: any RunningRig
    /// Kept, because the radios stay plugged in.
    let air: AirClient

    /// Only the sockets of the agents.
    var endpoint: RigEndpoint {
        let names = BoardRole.allCases.map(\.rawValue)
        return RigEndpoint(TwoAgents.description, addresses: rig.endpoint.addresses.filter { names.contains($0.key) })
    }

    func lost() async throws -> String { try await rig.lost() }

    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
        try await rig.agent(of: board, within: limit)
    }

    func stop() async {
        await air.close()
        await rig.stop()
    }
}

/// Connects workers to two agents.
private struct TwoAgentsConnector: RigConnector {
    var kind: String { TwoAgents.description.kind }

    func connect(to endpoint: RigEndpoint) async throws -> RigConnection {
        let sockets = try BoardRole.allCases.map { try endpoint.address($0.rawValue) }
        async let host = BoardClient.connect(to: sockets[0], role: .host, within: .seconds(30))
        async let accessory = BoardClient.connect(to: sockets[1], role: .accessory, within: .seconds(30))
        return try await RigConnection(endpoint.description, host: host, accessory: accessory)
    }
}
