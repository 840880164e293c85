import BoardProtocol
import POSIX
import RigModel

/// Starts virtual rigs from prepared parts.
package struct VirtualRigs: RigProvider {
    /// The capabilities of rigs with QEMU's boards: all that need no antenna, and that the boards' daemons have.
    package static let description = RigDescription(
        "virtual", has: Set(Capability.allCases).subtracting([.realAir, .wifiAware]),
        reasons: [.realAir: "its air is a program", .wifiAware: "wpa_supplicant 2.10 does not have it"])
    /// The capabilities of rigs with native boards.
    package static let nativeDescription = RigDescription(
        "native", has: Set(Capability.allCases).subtracting([.realAir, .wifiAware, .snapshot]),
        reasons: [
            .realAir: "its air is a program", .wifiAware: "wpa_supplicant 2.10 does not have it",
            .snapshot: "its boards are processes, whose state cannot be saved; `--boards qemu` takes boards that can",
        ])
    package let description: RigDescription
    package let choice: String
    private let stock: RigPartsProvider
    private let programs: RigPrograms

    /// - Parameter prepare: Makes the parts again if the snapshot was lost; if nil, the boards boot from then on.
    package init(_ parts: RigParts, programs: RigPrograms = .built(), prepare: RigPartsProvider.Preparation? = nil) {
        stock = RigPartsProvider(parts, prepare: prepare)
        self.programs = programs
        description = VirtualRigs.description(of: parts)
        choice = parts.choice
    }

    /// The capabilities of a rig of these parts.
    static func description(of parts: RigParts) -> RigDescription {
        parts.native == nil ? description : nativeDescription
    }

    package func start(evidence: String) async throws -> any RunningRig {
        let (parts, note) = await stock.take()
        let rig = try await VirtualRig.start(parts, programs: programs, evidence: evidence)
        return RunningVirtualRig(rig, note: note)
    }
}

/// A running virtual rig behind the runner's protocol.
private struct RunningVirtualRig: RunningRig {
    let endpoint: RigEndpoint
    let notes: [String]
    private let rig: VirtualRig

    init(_ rig: VirtualRig, note: String?) {
        self.rig = rig
        endpoint = rig.endpoint
        let failure = rig.snapshotFailure.map { "the boards' snapshot could not be used as it is: \($0)" }
        notes = [note, failure].compactMap { $0 }
    }

    func lost() async throws -> String {
        for await loss in rig.losses { return "\(loss)" }
        throw CancellationError()
    }

    var processorTimes: [BoardRole: ProcessorTime] {
        BoardRole.allCases.reduce(into: [:]) {
            let process = rig.processes[$1]
            // Programs that shut a native board in stand above it.
            $0[$1] = ProcessorTime(of: ProcessTree(of: process).first(named: "linux") ?? process)
        }
    }

    var use: RigUse? { rig.use }

    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
        try await BoardClient.connect(to: rig.agentSocket(of: board), role: board, within: limit)
    }

    func saveBoards(in folder: String) async throws { try await rig.saveBoards(in: folder) }

    func stop() async { await rig.stop() }
}
