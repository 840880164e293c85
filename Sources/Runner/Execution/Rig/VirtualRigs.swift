import HIL
import VirtualRig

/// Makes virtual rigs out of parts that are set up.
public struct VirtualRigs: RigProvider {
    public static let kind = "virtual"
    public var kind: String { VirtualRigs.kind }
    public var capabilities: Set<Capability> { VirtualRigs.capabilities }
    /// All but what only antennas have.
    public static let capabilities = Set(Capability.allCases).subtracting([.realAir])
    private let parts: RigParts
    private let programs: RigPrograms

    public init(_ parts: RigParts, programs: RigPrograms = .built()) {
        self.parts = parts
        self.programs = programs
    }

    public func start(evidence: String) async throws -> any RunningRig {
        RunningVirtualRig(try await VirtualRig.start(parts, programs: programs, evidence: evidence))
    }
}

/// A virtual rig, as the runner sees it.
private struct RunningVirtualRig: RunningRig {
    let endpoints: RigEndpoints
    let notes: [String]
    private let rig: VirtualRig

    init(_ rig: VirtualRig) {
        self.rig = rig
        endpoints = RigEndpoints(
            hostAgent: rig.agentSocket(of: .host), accessoryAgent: rig.agentSocket(of: .accessory), air: rig.airSocket,
            capture: "\(rig.evidence)/capture.pcapng")
        notes =
            rig.snapshotFailure.map { ["the boards' snapshot could not be used as it is: \($0)"] } ?? []
    }

    func lost() async throws -> String {
        for await loss in rig.losses { return "\(loss)" }
        throw CancellationError()
    }

    func keepBoards(in folder: String) async throws { try await rig.keepBoards(in: folder) }

    func stop() async { await rig.stop() }
}
