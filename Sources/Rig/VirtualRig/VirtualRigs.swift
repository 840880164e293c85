import BoardProtocol
import Foundation
import HILPOSIX
import RigModel

/// Starts virtual rigs from prepared parts.
package struct VirtualRigs: RigProvider {
    /// The capabilities of rigs with QEMU's boards: all those that need no antenna and that the boards' daemons
    /// support.
    package static let description = RigDescription(
        "virtual", has: Set(Capability.allCases).subtracting([.realAir, .wifiAware]),
        reasons: [.realAir: "its air is a program", .wifiAware: "wpa_supplicant 2.10 does not have it"])
    /// The capabilities of rigs with native boards.
    package static let nativeDescription = RigDescription(
        "native", has: Set(Capability.allCases).subtracting([.realAir, .wifiAware, .snapshot]),
        reasons: [
            .realAir: "its air is a program", .wifiAware: "wpa_supplicant 2.10 does not have it",
            .snapshot:
                "its boards are processes, whose state cannot be saved; `--boards qemu` uses boards that can be saved",
        ])
    package let description: RigDescription
    package let choice: String
    package let accessorySystem: BoardSystem?
    package let footprint: RigFootprint
    package let nextRig: NextRig
    private let stocks: [BoardSystem: RigPartsProvider]
    private let programs: RigPrograms
    private let cache: Cache
    private let programSnapshots: ProgramSnapshots

    /// - Parameters:
    ///   - parts: The parts for each system of accessory boards. There is at least one.
    ///   - system: The accessory board's default system.
    ///   - prepare: Makes the parts again if the snapshot was lost; if nil, the boards boot from then on.
    package init(
        _ parts: [BoardSystem: RigParts], system: BoardSystem = .debian13, programs: RigPrograms = .built(),
        cache: Cache = .standard(), prepare: (@Sendable (BoardSystem) async throws -> RigParts)? = nil
    ) {
        var stocks: [BoardSystem: RigPartsProvider] = [:]
        for (system, parts) in parts {
            var again: RigPartsProvider.Preparation?
            if let prepare { again = { try await prepare(system) } }
            stocks[system] = RigPartsProvider(parts, prepare: again)
        }
        self.stocks = stocks
        self.programs = programs
        self.cache = cache
        programSnapshots = ProgramSnapshots(programs: programs, cache: cache)
        accessorySystem = system
        let any = parts.values.first
        description = any.map { VirtualRigs.description(of: $0) } ?? VirtualRigs.description
        choice = any?.choice ?? ""
        footprint = any?.native == nil ? .emulated : .native
        nextRig = any?.native == nil ? .whileLastStops : .whileLastRuns
    }

    /// The capabilities of a rig of these parts.
    static func description(of parts: RigParts) -> RigDescription {
        parts.native == nil ? description : nativeDescription
    }

    package func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
        let system = needs.system(or: accessorySystem ?? .debian13)
        guard let stock = stocks[system] else {
            throw RigFailure("starting the virtual rig", "no parts were prepared for an accessory board with \(system)")
        }
        var (parts, note) = await stock.take()
        if !needs.hasBoard { parts.boards = [.host] }
        if !needs.startsHost, parts.native != nil || parts.snapshot != nil { parts.asleep = [.host] }
        if let payload = needs.payload { parts.payloadDisk = try await PayloadImage.prepare(payload, cache: cache) }
        guard let program = needs.program, let base = parts.snapshot, parts.native == nil else {
            return try await start(parts, evidence: evidence, note: note)
        }
        let (snapshot, said) = await programSnapshots.snapshot(of: parts, with: program)
        parts.snapshot = snapshot ?? base
        let rig = try await start(parts, evidence: evidence, note: note ?? said)
        if let snapshot, let failure = rig.snapshotFailure, !FileManager.default.fileExists(atPath: snapshot.folder) {
            await programSnapshots.giveUp(program, on: base, payloadDisk: parts.payloadDisk, because: failure)
        }
        return rig
    }

    private func start(_ parts: RigParts, evidence: String, note: String?) async throws -> RunningVirtualRig {
        let rig = try await VirtualRig.start(parts, programs: programs, evidence: evidence)
        return RunningVirtualRig(rig, isNative: parts.native != nil, note: note)
    }
}

/// A running virtual rig behind the runner's protocol.
private struct RunningVirtualRig: RunningRig {
    let endpoint: RigEndpoint
    let notes: [String]
    /// Why the boards' snapshot could not be used directly; nil if it could.
    let snapshotFailure: RigFailure?
    private let rig: VirtualRig
    private let isNative: Bool

    init(_ rig: VirtualRig, isNative: Bool, note: String?) {
        self.rig = rig
        self.isNative = isNative
        endpoint = rig.endpoint
        snapshotFailure = rig.snapshotFailure
        let failure = rig.snapshotFailure.map { "the boards' snapshot could not be used directly: \($0)" }
        notes = [note, failure].compactMap { $0 }
    }

    func has(_ board: BoardRole) -> Bool { rig.boards.contains(board) }

    func lost() async throws -> String {
        for await loss in rig.losses { return "\(loss)" }
        throw CancellationError()
    }

    var times: [RigPart: PartTimes] {
        var times: [RigPart: PartTimes] = [
            .air: PartTimes(processor: ProcessorTime(of: rig.processes.air)),
            .rig: PartTimes(processor: ProcessorTime(of: rig.tree.processes[0])),
        ]
        for board in rig.boards {
            let process = rig.processes[board]
            times[RigPart(board)] = PartTimes(
                processor: isNative
                    ? ProcessorTime(takingTurns: ProcessTree(of: process).processes) : ProcessorTime(of: process))
        }
        return times.reduce(into: times) { $0[$1.key]?.ticks = TickRecord(at: rig.ticks(of: $1.key)) }
    }

    var use: RigUse? { rig.use }

    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
        try await BoardClient.connect(to: rig.agentSocket(of: board), role: board, within: limit)
    }

    func saveBoards(in folder: String) async throws { try await rig.saveBoards(in: folder) }

    func stop() async { await rig.stop() }
}
