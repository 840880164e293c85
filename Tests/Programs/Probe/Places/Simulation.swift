import BoardProtocol
import Foundation
import HIL
import HILBench
import HILExecution
import HILLabgrid
import HILPOSIX
import HILRecord
import HILReports
import HILTiming
import RigModel
import Synchronization

/// A run of many cases on many places whose boards answer at once, so that the time is the runner's own.
struct Simulation {
    /// What it cost.
    struct Figures: Encodable {
        var places, cases, passed: Int
        /// Processor time of the runner for a case, in milliseconds.
        var processorPerCase: Double
        /// The time of the whole run for a case, in milliseconds.
        var timePerCase: Double
        /// Resident memory in KiB when a tenth, a half and all of the cases were done.
        var memory: [Int]
        /// Seconds from the first order to the last answer: to take all places, and to give them back.
        var take, giveBack: Double
    }

    let places: Int
    let cases: Int
    let results: String
    let benches: LabgridBenches
    let interruption: Interruption

    /// - Returns: The figures, as JSON.
    func run() async throws -> String {
        let pool = BenchPool(benches)
        let taking = ContinuousClock.now
        try await pool.fill(places)
        let take = (ContinuousClock.now - taking).seconds
        let scenarios = (1...cases).map { number in
            NamedScenario(
                "answers\(number)", file: "Answers\(number).swift", Scenario("Case \(number) answers") { _ in })
        }
        let folder = try RunFolder.create(in: results)
        let reports = try ReportWriter(folder.path, root: results, format: .text, isTerminal: false) { _ in }
        let observed = ObservedRun([reports])
        var options = RunOptions()
        (options.jobs, options.keptBoards) = (places, 0)
        let memory = MemoryWatch(cases)
        let run = Run(
            Agenda(try Plan(scenarios).all, options), rigs: PoolRigs(pool), workers: InstantWorkers(), folder: folder,
            interruption: interruption, options: options
        ) { line in
            observed.take(line)
            if case .scenarioEnded? = line.runner { memory.caseEnded() }
        }
        let (began, used) = (ContinuousClock.now, rusage.ofThisProcess.processorTime)
        try await run.perform(version: "simulation")
        let (time, processor) = (ContinuousClock.now - began, rusage.ofThisProcess.processorTime - used)
        let givingBack = ContinuousClock.now
        await pool.empty()
        let figures = Figures(
            places: places, cases: cases, passed: observed.record.count(.passed),
            processorPerCase: processor.seconds * 1000 / Double(cases),
            timePerCase: time.seconds * 1000 / Double(cases), memory: memory.kibibytes, take: take,
            giveBack: (ContinuousClock.now - givingBack).seconds)
        return String(decoding: try JSONEncoder().encode(figures), as: UTF8.self)
    }
}

/// Benches that a run has taken, for one case after the other.
actor BenchPool {
    private let source: any BenchSource
    private var idle: [LentBench] = []
    private var all: [LentBench] = []
    private var waiting: [CheckedContinuation<LentBench, Never>] = []

    init(_ source: any BenchSource) { self.source = source }

    func fill(_ count: Int) async throws {
        let taken = try await withThrowingTaskGroup(of: LentBench?.self) { [source] group in
            for _ in 0..<count { group.addTask { try await source.take(excluding: []) } }
            return try await group.reduce(into: [LentBench]()) { if let bench = $1 { $0.append(bench) } }
        }
        guard taken.count == count else { throw RigFailure("filling the pool", "there are only \(taken.count) places") }
        (idle, all) = (taken, taken)
    }

    /// Takes an idle bench. There may be none for a moment: the rig of the next case is asked for while that of the last one
    /// is stopped.
    func take() async -> LentBench {
        if let bench = idle.popLast() { return bench }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack(_ bench: LentBench) {
        if waiting.isEmpty { idle.append(bench) } else { waiting.removeFirst().resume(returning: bench) }
    }

    func empty() async {
        await withTaskGroup(of: Void.self) { group in
            for bench in all { group.addTask { await bench.giveBack() } }
        }
        (idle, all) = ([], [])
    }
}

/// Rigs without processes, each on a bench of the pool.
struct PoolRigs: RigProvider {
    let description = RigDescription("simulated", has: [.bluetooth, .wifi])
    private let pool: BenchPool

    init(_ pool: BenchPool) { self.pool = pool }

    func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
        PoolRig(description, pool, await pool.take())
    }
}

struct PoolRig: RunningRig {
    let endpoint: RigEndpoint
    private let pool: BenchPool
    private let bench: LentBench

    init(_ description: RigDescription, _ pool: BenchPool, _ bench: LentBench) {
        endpoint = RigEndpoint(description, addresses: ["host": bench.address.host.map { "\($0)" } ?? ""])
        (self.pool, self.bench) = (pool, bench)
    }

    func lost() async throws -> String { try await bench.lost() }

    func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
        throw RigFailure("asking a board", "it is simulated")
    }

    func stop() async { await pool.giveBack(bench) }
}

/// Workers without processes that pass at once.
struct InstantWorkers: WorkerLauncher {
    func launch(_ scenario: String, log: String) throws -> any RunningWorker { InstantWorker() }
}

struct InstantWorker: RunningWorker {
    let events: AsyncStream<WorkerLine>

    init() {
        let place = SourceLocation(file: "Answers.swift", path: "/Answers.swift", line: 1)
        let told: [ScenarioEvent] = [
            .boardsReady(versions: ["host": ["bluez": "5.82"], "accessory": ["bluez": "5.82"]]),
            .bodyBegan(budget: 60), .stepBegan(name: "answer", budget: 5, at: place, number: 1),
            .expectation(text: "the board answers", held: true, at: place),
            .stepEnded(name: "answer", seconds: 0.001, outcome: .done, number: 1), .bodyEnded(seconds: 0.002), .done,
        ]
        events = AsyncStream { continuation in
            for event in told {
                continuation.yield(.event(WorkerMessage(StampedEvent(time: wallClockNanoseconds(), event: event))))
            }
            continuation.finish()
        }
    }

    var processorTime: ProcessorTime? { nil }

    func begin(on rig: RigEndpoint, options: LabOptions) {}
    func wait() async -> HILPOSIX.ExitStatus { .exited(0) }
    func ask() {}
    func resume() {}
    func kill() {}
    func endWithBacktrace() {}
}

/// The resident memory of this process after a tenth, a half and all of the cases.
final class MemoryWatch: Sendable {
    private let marks: [Int]
    private let state = Mutex((ended: 0, kibibytes: [Int]()))

    init(_ cases: Int) { marks = [cases / 10, cases / 2, cases] }

    var kibibytes: [Int] { state.withLock { $0.kibibytes } }

    func caseEnded() {
        state.withLock { state in
            state.ended += 1
            if marks.contains(state.ended) { state.kibibytes.append(MemoryWatch.resident) }
        }
    }

    private static var resident: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
    }
}
