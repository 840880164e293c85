import Foundation
import HILBench
import HILExecution
import HILHand
import RigModel
import VirtualRig

/// A kind of rig that the command can run scenarios on.
package struct RigKind: Sendable {
    /// Makes everything that the rigs need if it does not exist, and returns the provider that starts them.
    ///
    /// - Parameters:
    ///   - interruption: Ends the set-up early.
    ///   - results: The folder of the results, which also needs disk space.
    ///   - boards: Which virtual boards to take.
    ///   - needs: What the scenarios require of the accessory board.
    ///   - progress: Called with a line for each step.
    package typealias SetUp =
        @Sendable (
            _ interruption: Interruption, _ results: String, _ boards: BoardsRequest, _ needs: Set<AccessoryNeeds>,
            _ progress: @escaping @Sendable (String) -> Void
        ) async throws -> any RigProvider

    /// The capabilities of its rigs, as far as they are known before the set-up.
    let description: RigDescription
    /// Connect a worker to one of its rigs.
    let connectors: [any RigConnector]
    /// Prepares its rigs.
    package let setUp: SetUp

    package init(_ description: RigDescription, connectors: [any RigConnector], setUp: @escaping SetUp) {
        self.description = description
        self.connectors = connectors
        self.setUp = setUp
    }

    /// Two virtual boards on this machine, and the air between them.
    package static let virtual = RigKind(
        VirtualRigs.description,
        connectors: [VirtualConnector(), VirtualConnector(VirtualRigs.nativeDescription), BenchConnector()]
    ) { interruption, results, boards, needs, progress in
        let (kind, chosen) = try await Command.resolve(boards, progress: progress)
        let systems = Set(needs.map { $0.system(or: chosen) })
        let parts = try await Command.prepare(
            interruption, kind, systems.isEmpty ? [chosen] : systems, for: ResultsFolder.need(results),
            progress: progress)
        if let any = parts.values.first {
            progress("the boards are \(any.choice)")
            if any.wantsKernel { progress(KernelCommand.startBeside()) }
        }
        return VirtualRigs(parts, system: chosen) { system in
            // The result has each requested system.
            try await Command.prepare(interruption, kind, [system]) { _ in }[system]!
        }
    }

    /// The rigs that a command line requests.
    static func requested(_ request: RigRequest) -> RigKind {
        if case .hand(let accessory) = request { return hand(accessory, request) }
        return bench(request)
    }

    /// A phone in a person's hand beside an accessory board; nil is a virtual one. A virtual rig is for the simulated phone,
    /// which goes first.
    private static func hand(_ accessory: BoardAddress?, _ request: RigRequest) -> RigKind {
        let description = accessory == nil ? HandRigs.virtualDescription : HandRigs.description
        return RigKind(description, connectors: virtual.connectors) {
            interruption, results, boards, needs, progress in
            let simulated = try await virtual.setUp(interruption, results, boards, needs, progress)
            guard let accessory else {
                return HandRigs(simulated, beside: simulated, description: description, label: "\(request)")
            }
            let bench = NamedBenches([BenchAddress(host: nil, accessory: accessory)])
            let boards = BenchRigs(
                bench, hasAccessory: true, request: request, holder: BenchKind.holder(of: results), report: progress)
            return HandRigs(simulated, beside: boards, description: description, label: "\(request)")
        }
    }

    /// Boards of benches, reached by SSH.
    private static func bench(_ request: RigRequest) -> RigKind {
        let hasAccessory = if case .boards(let bench) = request { bench.accessory != nil } else { true }
        let home: BenchHome? = if case .boards(let bench) = request { bench.home } else { nil }
        let description = BenchRigs.description(hasAccessory: hasAccessory, home: home)
        return RigKind(description, connectors: virtual.connectors) { _, results, _, _, progress in
            try DiskNeed.require([ResultsFolder.need(results)], for: "checking the disk space")
            let (source, hasAccessory) = try await BenchKind.source(of: request, progress: progress)
            return BenchRigs(
                source, hasAccessory: hasAccessory, request: request, holder: BenchKind.holder(of: results),
                report: progress)
        }
    }

    /// Whether a person has the phone, who takes their time.
    var isOfPerson: Bool { description.kind == HandRigs.kind }

    /// The capabilities of its rigs, if these boards are taken.
    func description(with boards: BoardChoice) -> RigDescription {
        boards == .native && description == VirtualRigs.description ? VirtualRigs.nativeDescription : description
    }

    /// What one of its rigs needs of this machine, as far as that is known before the set-up.
    func footprint(with boards: BoardChoice) -> RigFootprint {
        if description.kind == BenchRigs.kind || description.kind == HandRigs.kind { return .remote }
        return boards == .native ? .native : .emulated
    }
}
