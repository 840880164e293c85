import Foundation
import HIL
import POSIX
import Synchronization
import Timing

/// Runs scenarios one after the other, each with its own rig and its own worker, and tells what happens.
public struct Run: Sendable {
    /// Takes the lines of a run, in order. Throws when they cannot be kept: then the run ends.
    public typealias Sink = @Sendable (RunLine) throws -> Void

    private let scenarios: [PlannedScenario]
    private let rigs: any RigProvider
    private let workers: any WorkerLauncher
    private let folder: RunFolder
    private let interruption: Interruption
    private let clock: any Clock<Duration>
    private let limits: Supervision.Limits
    private let sink: SinkGuard
    private let versions = Memo<[String: [String: String]]>()

    /// - Parameters:
    ///   - clock: Measures the budgets.
    ///   - sink: Takes each line.
    public init(
        _ scenarios: [PlannedScenario], rigs: any RigProvider, workers: any WorkerLauncher, folder: RunFolder,
        interruption: Interruption = Interruption(), clock: any Clock<Duration> = ContinuousClock(),
        limits: Supervision.Limits = Supervision.Limits(), sink: @escaping Sink
    ) {
        self.scenarios = scenarios
        self.rigs = rigs
        self.workers = workers
        self.folder = folder
        self.interruption = interruption
        self.clock = clock
        self.limits = limits
        self.sink = SinkGuard(sink)
    }

    /// Runs them all, or until a signal comes.
    ///
    /// - Throws: What the sink throws; nothing of the run is left running then.
    public func perform(version: String) async throws {
        let began = ContinuousClock.now
        let entries = scenarios.map { RunInfo.Entry($0) }
        let machine = ProcessInfo.processInfo.hostName
        let info = RunInfo(
            version: version, rig: rigs.kind, machine: machine, folder: folder.path, scenarios: entries)
        tell(nil, .runBegan(info))
        for planned in scenarios where interruption.signal == nil && !sink.isBroken { try await run(planned) }
        tell(nil, .runEnded(RunEnd(signal: interruption.signal, seconds: (ContinuousClock.now - began).seconds)))
        try sink.check()
    }

    private func run(_ planned: PlannedScenario) async throws {
        let began = ContinuousClock.now
        tell(planned, .scenarioBegan)
        let path = try folder.scenario(planned.slug)
        let attempt = Attempt(
            planned: planned, rigs: rigs, workers: workers, folder: path, interruption: interruption, clock: clock,
            limits: limits, versions: versions.value
        ) { [sink, versions] event in
            if case .boardsReady(let told) = event.event { versions.set(told) }
            sink.take(RunLine(scenario: planned.identifier, worker: event))
        }
        guard let outcome = await attempt.run() else {
            _ = Evidence.collect(in: path)
            return tell(planned, .scenarioInterrupted)
        }
        let evidence = Evidence.collect(in: path)
        var result = ScenarioResult(
            outcome.judgement, seconds: (ContinuousClock.now - began).seconds, bodySeconds: outcome.bodySeconds,
            evidence: evidence.files, missing: evidence.missing)
        if let problem = Evidence.write(result, of: planned, to: path) { result.missing.append(problem) }
        tell(planned, .scenarioEnded(result))
    }

    private func tell(_ planned: PlannedScenario?, _ event: RunnerEvent) {
        sink.take(RunLine(time: wallClockNanoseconds(), scenario: planned?.identifier, runner: event))
    }
}

/// Remembers one value.
private final class Memo<Value: Sendable>: Sendable {
    private let state = Mutex<Value?>(nil)

    var value: Value? { state.withLock { $0 } }

    func set(_ value: Value) { state.withLock { $0 = value } }
}

/// Remembers the first error of a sink, and gives it nothing more.
private final class SinkGuard: Sendable {
    private let sink: Run.Sink
    private let problem = Mutex<(any Error)?>(nil)

    init(_ sink: @escaping Run.Sink) { self.sink = sink }

    var isBroken: Bool { problem.withLock { $0 != nil } }

    func take(_ line: RunLine) {
        problem.withLock { problem in
            guard problem == nil else { return }
            do { try sink(line) } catch { problem = error }
        }
    }

    func check() throws { if let error = problem.withLock({ $0 }) { throw error } }
}
