import BoardProtocol
import HIL
import POSIX
import VirtualRig

/// Makes virtual rigs out of parts that are set up.
public struct VirtualRigs: RigProvider {
    public static let kind = "virtual"
    public var kind: String { VirtualRigs.kind }
    public var capabilities: Set<Capability> { VirtualRigs.capabilities }
    /// All but what only antennas have, and what the daemons of the boards lack.
    public static let capabilities = Set(Capability.allCases).subtracting([.realAir, .wifiAware])
    private let stock: RigStock
    private let programs: RigPrograms
    private let keepsKeys: Bool

    /// - Parameters:
    ///   - keepsKeys: The Wi-Fi keys that open a capture are kept beside it.
    ///   - prepare: Makes the parts anew, for a snapshot that was lost meanwhile; nil boots the boards from then on.
    public init(
        _ parts: RigParts, programs: RigPrograms = .built(), keepsKeys: Bool = true,
        prepare: RigStock.Preparation? = nil
    ) {
        stock = RigStock(parts, prepare: prepare)
        self.programs = programs
        self.keepsKeys = keepsKeys
    }

    public func start(evidence: String) async throws -> any RunningRig {
        let (parts, note) = await stock.take()
        let rig = try await VirtualRig.start(parts, programs: programs, evidence: evidence)
        return RunningVirtualRig(rig, keepsKeys: keepsKeys, note: note)
    }
}

/// A virtual rig, as the runner sees it.
private struct RunningVirtualRig: RunningRig {
    let endpoints: RigEndpoints
    let notes: [String]
    private let rig: VirtualRig

    init(_ rig: VirtualRig, keepsKeys: Bool, note: String?) {
        self.rig = rig
        var endpoints = RigEndpoints(
            hostAgent: rig.agentSocket(of: .host), accessoryAgent: rig.agentSocket(of: .accessory), air: rig.airSocket,
            capture: "\(rig.evidence)/capture.pcapng",
            keys: keepsKeys ? "\(rig.evidence)/\(WiFiKeyFile.name)" : nil)
        endpoints.screens = "\(rig.evidence)/\(Evidence.screens)"
        for role in BoardRole.allCases { endpoints.power[role.rawValue] = rig.powerSocket(of: role) }
        self.endpoints = endpoints
        let failure = rig.snapshotFailure.map { "the boards' snapshot could not be used as it is: \($0)" }
        notes = [note, failure].compactMap { $0 }
    }

    func lost() async throws -> String {
        for await loss in rig.losses { return "\(loss)" }
        throw CancellationError()
    }

    var processorTimes: [BoardRole: ProcessorTime] {
        BoardRole.allCases.reduce(into: [:]) { $0[$1] = ProcessorTime(of: rig.processes[$1]) }
    }

    func keepBoards(in folder: String) async throws { try await rig.keepBoards(in: folder) }

    func stop() async { await rig.stop() }
}
