import BoardProtocol
import Foundation
import HILPOSIX
import HILTiming
import RigModel
import Synchronization

/// Runs scenarios on benches: boards that the harness does not boot and reaches by SSH.
package struct BenchRigs: RigProvider {
    /// The capabilities of benches with two boards.
    package static let description = RigDescription(
        kind, has: [.bluetooth, .wifi, .accessoryBoard, .homeNetwork, .realAir],
        reasons: [
            .air: "its air is real", .distance: "the boards stay where they are",
            .homeRouter: "its router shares the phone's radio",
            .capture: "scenarios cannot search it; the file has the packets of the boards' radios",
            .adapters: "the radios stay plugged in", .hostStacks: "its air is real",
            .power: "scenarios do not switch it", .boardSystem: "each board keeps its system",
            .ownBoards: "its boards belong to somebody", .snapshot: "its boards are real",
            .wifiAware: "wpa_supplicant 2.10 does not have it", .processorTimes: "it is not measured",
        ])
    /// The capabilities of benches whose accessory is a device without a login.
    package static let descriptionWithoutAccessory = RigDescription(
        kind, has: [.bluetooth, .wifi, .homeNetwork, .realAir],
        reasons: description.missing.merging([.accessoryBoard: "the accessory is a device, ACCESSORY=none"]) { $1 })
    package static let kind = "bench"

    package let description: RigDescription
    package let label: String
    package let choice: String
    package var footprint: RigFootprint { .remote }
    package var nextRig: NextRig { .afterLast }
    private let pool: BenchPool<Bench>

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
        description = hasAccessory ? BenchRigs.description : BenchRigs.descriptionWithoutAccessory
        label = "\(request)"
        choice = "a bench, by --rig \(request)"
        pool = BenchPool(source, report: report) { lent in
            try await Bench(lent, holder: holder, captures: true)
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
    private let bench: Bench
    private let pool: BenchPool<Bench>
    private let found = Mutex<[String]>([])

    init(_ bench: Bench, _ description: RigDescription, _ notes: [String], _ pool: BenchPool<Bench>) {
        (self.bench, self.notes, self.pool) = (bench, notes, pool)
        endpoint = RigEndpoint(description, addresses: bench.sockets)
    }

    var name: String? { bench.name }

    var answerTimes: [BoardRole: AnswerTimes] { bench.answerTimes }

    func lost() async throws -> String { try await bench.lost() }

    func has(_ board: BoardRole) -> Bool { board == .host || endpoint.description.has(.accessoryBoard) }

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
