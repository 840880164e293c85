import Foundation
import HIL
import HILRecord
import HILTiming
import RigModel
import StubRig
import Synchronization
import Testing

@testable import HILExecution

/// The next scenario's rig is made ready before the last one is given back.
struct RigAheadTests {
    /// Stub rigs that tell of their starts and stops, and stop only when `stopsAfter` rigs have begun to start.
    private struct WatchedRigs: RigProvider {
        let description = StubRigKind.whole
        let log = EventLog<String>()
        /// The starts alone.
        let begun = EventLog<Void>()
        /// The scenarios that have a folder, at each stop.
        let folders = EventLog<Int>()
        var stopsAfter = 0
        var nextRig = NextRig.whileLastStops
        var onStart: @Sendable (Int) -> Void = { _ in }

        func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
            log.append("start \((evidence as NSString).lastPathComponent)")
            onStart(begun.count + 1)
            begun.append(())
            return WatchedRig(
                rig: try await StubRigs().start(for: needs, evidence: evidence), rigs: self, evidence: evidence)
        }

        var starts: Int { begun.count }
        var stops: Int { log.events.count { $0 == "stop" } }
    }

    private struct WatchedRig: RunningRig {
        let rig: any RunningRig
        let rigs: WatchedRigs
        let evidence: String

        var endpoint: RigEndpoint { rig.endpoint }
        func lost() async throws -> String { try await rig.lost() }
        func agent(of board: BoardRole, within limit: Duration) async throws -> BoardClient {
            try await rig.agent(of: board, within: limit)
        }
        func stop() async {
            if rigs.stops == 0, rigs.stopsAfter > 0 {
                _ = try? await rigs.begun.first(
                    from: rigs.stopsAfter - 1, within: .seconds(60), waitingFor: "the next rig's start")
            }
            // What comes next has its folder before this is called.
            let folders = TestRun.three.map { ((evidence as NSString).deletingLastPathComponent + "/" + $0.name) }
            rigs.folders.append(folders.count { FileManager.default.fileExists(atPath: $0) })
            await rig.stop()
            rigs.log.append("stop")
        }
    }

    @Test("The second rig starts before the first has stopped, and each scenario has its own, and one worker")
    func overlap() async throws {
        let run = try TestRun()
        var rigs = WatchedRigs(stopsAfter: 2)
        let early = EventLog<Int>()
        rigs.onStart = { [workers = run.workers] _ in early.append(workers.count) }
        let record = try await run.perform(rigs: rigs) { _, worker in worker.pass() }
        #expect(early.events == [1, 2, 3], "a worker is there before its rig")
        #expect(run.workers.count == 3)
        #expect(record.count(.passed) == 3)
        #expect(Array(rigs.log.events.prefix(3)) == ["start first", "start second", "stop"])
        #expect(rigs.starts == 3 && rigs.stops == 3)
        #expect(rigs.folders.events == [2, 3, 3])
    }

    @Test("The rig that starts while a scenario runs is for whoever is free first")
    func whileRunning() async throws {
        let run = try TestRun()
        var options = RunOptions()
        options.jobs = 2
        let rigs = WatchedRigs(nextRig: .whileLastRuns)
        let passed = EventLog<String>()
        let record = try await run.perform(rigs: rigs, options: options) { scenario, worker in
            worker.tell(.bodyBegan(budget: 60))
            Task {
                // The first runs until the second and the third have passed.
                if scenario == "first",
                    await !happens({ try await passed.first(from: 1, within: .seconds(20), waitingFor: "the others") })
                {
                    return worker.kill()
                }
                passed.append(scenario)
                worker.tell(.bodyEnded(seconds: 1), .done)
                worker.end(.exited(0))
            }
        }
        #expect(record.count(.passed) == 3 && passed.events.last == "first")
        #expect(rigs.starts == 3 && rigs.stops == 3 && run.workers.count == 3)
    }

    @Test("A rig that costs little to start is started while the scenario before it runs")
    func whileRunningAlone() async throws {
        let run = try TestRun()
        let rigs = WatchedRigs(nextRig: .whileLastRuns)
        let record = try await run.perform(rigs: rigs) { scenario, worker in
            worker.tell(.bodyBegan(budget: 60))
            Task {
                let next = ["first": 1, "second": 2][scenario]
                if let next,
                    await !happens({
                        try await rigs.begun.first(from: next, within: .seconds(20), waitingFor: "the next rig")
                    })
                {
                    return worker.kill()
                }
                worker.tell(.bodyEnded(seconds: 1), .done)
                worker.end(.exited(0))
            }
        }
        #expect(record.count(.passed) == 3 && rigs.starts == 3 && rigs.stops == 3)
    }

    @Test(
        "With retries, or until something fails, a rig starts when it is its scenario's turn", arguments: [true, false])
    func inTurn(retries: Bool) async throws {
        var options = RunOptions()
        options.retries = retries ? 1 : 0
        options.untilFail = !retries
        options.rounds = retries ? nil : 1
        let rigs = WatchedRigs()
        let record = try await TestRun().perform(rigs: rigs, options: options) { _, worker in worker.pass() }
        #expect(record.count(.passed) == 3)
        #expect(rigs.folders.events == [1, 2, 3])
    }

    @Test("Of rigs that others want as well, no more are taken than scenarios run")
    func scarce() async throws {
        let rigs = WatchedRigs(nextRig: .afterLast)
        let record = try await TestRun().perform(rigs: rigs) { _, worker in worker.pass() }
        #expect(record.count(.passed) == 3)
        #expect(rigs.folders.events == [1, 2, 3])
        #expect(rigs.log.events.prefix(3).last == "start second" && rigs.log.events[1] == "stop")
    }

    @Test("Of a scenario whose turn does not come, no rig and no folder is left")
    func interrupted() async throws {
        let run = try TestRun()
        var rigs = WatchedRigs(stopsAfter: 2)
        rigs.onStart = { [interruption = run.interruption] count in if count == 2 { interruption.overrun() } }
        let record = try await run.perform(rigs: rigs) { _, worker in worker.pass() }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, nil, nil])
        #expect(rigs.starts == 2 && rigs.stops == 2)
        #expect(run.workers.count == 2 && run.workers.events.allSatisfy(\.hasEnded))
        #expect(!FileManager.default.fileExists(atPath: run.folder.file("second")))
    }

    @Test("A rig that cannot be made ready ahead is the error of its scenario alone")
    func failing() async throws {
        struct Failing: RigProvider {
            let description = StubRigKind.whole
            func start(for needs: AccessoryNeeds, evidence: String) async throws -> any RunningRig {
                guard !evidence.hasSuffix("second") else { throw RigFailure("starting the stubs", "no memory") }
                return try await StubRigs().start(for: needs, evidence: evidence)
            }
        }
        let run = try TestRun()
        let record = try await run.perform(rigs: Failing()) { _, worker in worker.pass() }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, .error, .passed])
        #expect(run.workers.count == 3 && run.workers.events.allSatisfy(\.hasEnded))
    }

    /// Whether something that is waited for happens: what does not come fails its scenario, and does not hold up the test.
    private func happens<Event>(_ wait: () async throws -> Event) async -> Bool { (try? await wait()) != nil }
}
