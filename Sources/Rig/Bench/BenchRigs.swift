import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// Runs scenarios on benches: boards that the harness does not boot and reaches by SSH.
package struct BenchRigs: RigProvider {
    /// The capabilities of benches with two boards.
    package static let description = description(hasAccessory: true, home: nil)

    /// The capabilities of benches.
    ///
    /// - Parameters:
    ///   - hasAccessory: Whether the accessory is a board; otherwise it is a device without a login.
    ///   - home: The home's network; nil for a router that shares the phone's radio.
    package static func description(hasAccessory: Bool, home: BenchHome?) -> RigDescription {
        var has: Set<Capability> = [.bluetooth, .wifi, .homeNetwork, .realAir]
        if hasAccessory { has.insert(.accessoryBoard) }
        var reasons = reasons
        switch home {
        case nil: has.insert(.homeControl)
        case .interface, .board: has.formUnion([.homeRouter, .homeControl])
        case .network(let name):
            has.insert(.homeRouter)
            reasons[.homeControl] = "“\(name)” is a real network, whose router is not ours"
        }
        return RigDescription(kind, has: has, reasons: reasons)
    }

    private static let reasons: [Capability: String] = [
        .air: "its air is real", .distance: "the boards stay where they are",
        .homeRouter: "its router shares the phone's radio; `--rig HOST,ACCESSORY,home=…` gives it another",
        .capture: "scenarios cannot search it; the file has the packets of the boards' radios",
        .adapters: "the radios stay plugged in", .hostStacks: "its air is real",
        .power: "scenarios do not switch it", .boardSystem: "each board keeps its system",
        .ownBoards: "its boards belong to somebody", .snapshot: "its boards are real",
        .wifiAware: "wpa_supplicant 2.10 does not have it", .processorTimes: "it is not measured",
        .accessoryBoard: "the accessory is a device, ACCESSORY=none",
    ]
    package static let kind = "bench"

    package let description: RigDescription
    package let label: String
    package let choice: String
    package var footprint: RigFootprint { .remote }
    package var nextRig: NextRig { .afterLast }
    private let pool: BenchPool<HeldBench>

    /// - Parameters:
    ///   - source: Lends the benches.
    ///   - hasAccessory: Whether they have accessory boards.
    ///   - request: Their name on the command line.
    ///   - holder: The user, the machine and the run, for other users of the same boards.
    ///   - report: Called with a line when a bench is left out or has changed.
    package init(
        _ source: any BenchSource, hasAccessory: Bool, request: RigRequest, holder: String,
        report: @escaping @Sendable (String) -> Void
    ) {
        let home: BenchHome? = if case .boards(let bench) = request { bench.home } else { nil }
        description = BenchRigs.description(hasAccessory: hasAccessory, home: home)
        label = "\(request)"
        choice = "a bench, by --rig \(request)"
        pool = BenchPool(source, report: report) { lent in
            try await HeldBench(lent, holder: holder, captures: true)
        }
    }

    package func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
        try await start(for: needs, evidence: evidence, avoiding: nil)
    }

    package func start(
        for needs: AccessoryNeeds, evidence: String, avoiding avoided: String?
    ) async throws -> any RunningRig {
        let (bench, isSuspect) = try await pool.lend(avoiding: avoided)
        do {
            let notes = try await bench.begin(at: isSuspect ? .adapter : .daemons, evidence: evidence)
            return RunningBench(bench, description, notes, pool)
        } catch {
            await pool.takeBack(bench, isError: !Task.isCancelled)
            let failure = RigFailure.wrapping(error, while: "making bench \(bench.name) ready")
            throw UnreadyRig(name: bench.name, failure: failure)
        }
    }

    package func hasOther(than name: String) async -> Bool { await pool.hasOther(than: name) }

    package func close() async { await pool.close() }
}

/// A bench in one scenario.
private final class RunningBench: RunningRig {
    let endpoint: RigEndpoint
    let notes: [String]
    private let bench: HeldBench
    private let pool: BenchPool<HeldBench>
    private let found = Mutex<[String]>([])

    init(_ bench: HeldBench, _ description: RigDescription, _ notes: [String], _ pool: BenchPool<HeldBench>) {
        (self.bench, self.notes, self.pool) = (bench, notes, pool)
        endpoint = RigEndpoint(description, addresses: bench.sockets)
    }

    var name: String? { bench.name }

    var answerTimes: [BoardRole: AnswerTimes] { bench.answerTimes }

    func lost() async throws -> String { try await bench.lost() }

    func has(_ board: BoardRole) -> Bool {
        board == .host ? bench.address.host != nil : endpoint.description.has(.accessoryBoard)
    }

    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
        try await BoardClient.connect(to: try endpoint.address(board.rawValue), role: board, within: limit)
    }

    func stop() async {
        let problems: [String]
        do { problems = try await bench.end() } catch { problems = ["\(error)"] }
        found.withLock { $0 = problems.map { "bench \(bench.name): \($0)" } }
    }

    var findings: [String] { found.withLock { $0 } }

    func release(isError: Bool) async {
        await pool.takeBack(bench, isError: isError)
    }
}
