import Foundation
import HIL
import HILPOSIX
import HILRecord
import HILTiming
import RigModel
import StubRig
import Synchronization
import TestSupport

@testable import HILExecution

/// Workers without processes that the test controls.
final class ScriptedWorkers: WorkerLauncher {
    typealias Script = @Sendable (String, ScriptedWorker) -> Void
    private let script: Script

    private let launched: EventLog<ScriptedWorker>

    /// - Parameter launched: Takes each worker.
    init(_ launched: EventLog<ScriptedWorker> = EventLog(), _ script: @escaping Script) {
        self.launched = launched
        self.script = script
    }

    func launch(_ scenario: String, log: String) throws -> any RunningWorker {
        let worker = ScriptedWorker { [script] in script(scenario, $0) }
        launched.append(worker)
        return worker
    }
}

final class ScriptedWorker: RunningWorker {
    let events: AsyncStream<WorkerLine>
    let isAsked = Atomic(false)
    /// The options that it was given; nil before it has a rig.
    let given = Mutex<LabOptions?>(nil)
    /// How long a thread has run when the worker is asked for its step.
    let ran = Mutex(Duration.zero)
    private let continuation: AsyncStream<WorkerLine>.Continuation
    private let ended = EventLog<HILPOSIX.ExitStatus>()

    private let script: @Sendable (ScriptedWorker) -> Void

    /// - Parameter script: Called when there is a rig.
    init(_ script: @escaping @Sendable (ScriptedWorker) -> Void) {
        self.script = script
        (events, continuation) = AsyncStream.makeStream()
    }

    func begin(on rig: RigEndpoint, options: LabOptions) {
        given.withLock { $0 = options }
        script(self)
    }

    var hasEnded: Bool { ended.count > 0 }

    func tell(_ told: ScenarioEvent...) {
        for event in told { continuation.yield(.event(WorkerMessage(StampedEvent(time: 7, event: event)))) }
    }

    func end(_ status: HILPOSIX.ExitStatus) {
        ended.append(status)
        continuation.finish()
    }

    func pass() {
        tell(.bodyBegan(budget: 60), .bodyEnded(seconds: 1), .done)
        end(.exited(0))
    }

    func wait() async -> HILPOSIX.ExitStatus {
        (try? await ended.first(within: .seconds(300), waitingFor: "the worker's end").event) ?? .exited(99)
    }

    var processorTime: ProcessorTime? {
        let hasRun = isAsked.load(ordering: .sequentiallyConsistent)
        return ProcessorTime(["1": .init(ran: hasRun ? ran.withLock { $0 } : .zero, waited: .zero)])
    }

    func ask() { isAsked.store(true, ordering: .sequentiallyConsistent) }
    func kill() { end(.signalled(9)) }
    func endWithBacktrace() { kill() }

    func resume() {
        tell(.done)
        end(.exited(0))
    }
}

/// A run in a temporary folder.
final class TestRun: Sendable {
    let folder: RunFolder
    let interruption = Interruption()
    let clock = ManualClock()
    let lines = Mutex<[RunLine]>([])
    /// The workers, in the order of their start.
    let workers = EventLog<ScriptedWorker>()

    init() throws {
        folder = try RunFolder.create(in: NSTemporaryDirectory() + "hil-run-\(UUID().uuidString)")
    }

    deinit {
        let parent = URL(fileURLWithPath: folder.path).deletingLastPathComponent()
        try? FileManager.default.removeItem(at: parent)
    }

    static let three = ["first", "second", "third"].map {
        NamedScenario($0, file: "\($0).swift", Scenario("The \($0)") { _ in })
    }

    func perform(
        _ scenarios: [NamedScenario] = three, rigs: any RigProvider = StubRigs(), options: RunOptions = RunOptions(),
        failingSinkAfter limit: Int = .max, pause: Run.Pause? = nil, script: @escaping ScriptedWorkers.Script
    ) async throws -> RunRecord {
        let run = Run(
            Agenda(try Plan(scenarios).all, options), rigs: rigs, workers: ScriptedWorkers(workers, script),
            folder: folder, interruption: interruption, clock: clock, options: options, today: "2026-06-15",
            pause: pause
        ) { [self] line in
            try lines.withLock { lines in
                if lines.count >= limit { throw SystemError(code: ENOSPC, action: "writing") }
                lines.append(line)
            }
        }
        try await run.perform(version: "test")
        return record
    }

    var record: RunRecord {
        lines.withLock { lines in
            var record = RunRecord()
            for line in lines { record.take(line) }
            return record
        }
    }
}
