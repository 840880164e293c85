import Eventually
import Foundation
import HIL
import HILPOSIX
import HILTiming
import StubRig
import Synchronization
import Testing

@testable import HILExecution

struct RunTests {
    @Test("Every scenario gets a verdict, and a crash of one does not reach the next")
    func verdicts() async throws {
        let record = try await TestRun().perform { name, worker in
            guard name == "second" else { return worker.pass() }
            worker.tell(.bodyBegan(budget: 60))
            worker.end(.signalled(11))
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, .failed, .passed])
        #expect(record.exitCode == 1)
        #expect(record.end?.signal == nil)
    }

    @Test("A rig that cannot be started is an error, and the run goes on")
    func noRig() async throws {
        let record = try await TestRun().perform(rigs: StubRigs(failure: "QEMU is not installed")) { _, worker in
            worker.pass()
        }
        #expect(record.count(.error) == 3)
        #expect(record.entries.first?.result?.judgement.cause?.message == "starting the stubs: QEMU is not installed")
        #expect(record.exitCode == 2)
    }

    @Test("Late failures on boards without processor time are an error that says so; passed stays passed")
    func starved() async throws {
        let record = try await TestRun().perform(rigs: StubRigs(waiting: .seconds(4))) { name, worker in
            guard name == "second" else { return worker.pass() }
            worker.tell(.bodyBegan(budget: 60), .failure(RunTests.late), .done)
            worker.end(.exited(0))
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, .error, .passed])
        let judgement = record.entries[1].result?.judgement
        #expect(
            judgement?.cause?.message.contains(
                "too busy for a verdict: the accessory board ran for 0 ms and waited 4 s")
                == true)
        #expect(judgement?.failures.first == RunTests.late, "what went wrong is told all the same, and first")
        #expect(record.exitCode == 2)
    }

    private static let late = Failure(.product, "“join” missed its budget of 8 s", basis: .time)
    private static let wrong = Failure(.product, "expected that the face is right: got 6, not 5")

    @Test("Failures that do not depend on time have failed even on a busy machine, with a note about it")
    func starvedAndWrong() async throws {
        let record = try await TestRun().perform(rigs: StubRigs(waiting: .seconds(4))) { name, worker in
            worker.tell(.bodyBegan(budget: 60))
            switch name {
            case "first": worker.tell(.failure(RunTests.wrong), .done)
            case "second": worker.tell(.failure(RunTests.late), .failure(RunTests.wrong), .done)
            default: return worker.end(.signalled(11))
            }
            worker.end(.exited(0))
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.failed, .failed, .failed])
        let judgement = record.entries[1].result?.judgement
        #expect(judgement?.cause == RunTests.wrong)
        #expect(judgement?.failures == [RunTests.late, RunTests.wrong])
        #expect(judgement?.remark?.hasPrefix("the machine was too busy for a verdict") == true)
        #expect(record.exitCode == 1)
    }

    @Test(
        "On a machine that is too busy a worker that waited is excused for its budget, one that was busy by itself is not",
        arguments: [(Duration.zero, Verdict.error), (.seconds(3600), .failed)])
    func starvedWorker(ran: Duration, verdict: Verdict) async throws {
        let test = try TestRun()
        async let record = test.perform([TestRun.three[0]], rigs: StubRigs(waiting: .seconds(4))) { _, worker in
            worker.ran.withLock { $0 = ran }
            worker.tell(.bodyBegan(budget: 60))
        }
        try await eventually("the first scenario to begin") { test.record.hasBegun("first") }
        try await eventually("the first scenario to end") {
            test.clock.advance(by: .seconds(30))
            return test.record.entries.first?.result != nil
        }
        #expect(try await record.entries[0].result?.judgement.verdict == verdict)
    }

    @Test("A few hundred milliseconds of waiting are no excuse, because too little is known about the machine")
    func hardlyWaited() async throws {
        let record = try await TestRun().perform(rigs: StubRigs(waiting: .milliseconds(280))) { _, worker in
            worker.tell(.bodyBegan(budget: 60), .failure(RunTests.late), .done)
            worker.end(.exited(0))
        }
        #expect(record.count(.failed) == 3)
        #expect(record.entries[0].result?.judgement.remark == nil)
    }

    @Test("A scenario that misses its budget is ended, and has failed")
    func budget() async throws {
        let test = try TestRun()
        async let record = test.perform { name, worker in
            guard name == "first" else { return worker.pass() }
            worker.tell(.bodyBegan(budget: 60))
        }
        // The budget's timer replaces that of the preparation.
        try await eventually("the first scenario to begin") { test.record.hasBegun("first") }
        try await eventually("the first scenario to end") {
            test.clock.advance(by: .seconds(30))
            return test.record.entries.first?.result != nil
        }
        #expect(
            try await record.entries[0].result?.judgement.cause?.message.hasPrefix("missed its budget of 60 s") == true)
        #expect(try await record.exitCode == 1)
    }

    @Test("An interrupted run reports what was done and what was not, and its exit code is that of the signal")
    func interrupted() async throws {
        let test = try TestRun()
        let record = try await test.perform { name, worker in
            if name == "first" { return worker.pass() }
            worker.tell(.bodyBegan(budget: 60))
            test.interruption.raise(SIGTERM)
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, nil, nil])
        #expect(record.entries.map(\.isInterrupted) == [false, true, false])
        #expect(record.end?.signal == SIGTERM)
        #expect(record.exitCode == 143)
    }

    @Test("A run that misses its budget ends as an error, because the rest is unknown")
    func runBudget() async throws {
        let test = try TestRun()
        var options = RunOptions()
        options.budget = 30
        let record = try await test.perform(options: options) { name, worker in
            if name == "first" { return worker.pass() }
            worker.tell(.bodyBegan(budget: 60))
            Task {
                // The timers of the run and of the scenario, which is longer.
                await test.clock.sleepers(atLeast: 2)
                test.clock.advance(by: .seconds(30))
            }
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, nil, nil])
        #expect(record.end?.missedBudget == 30)
        #expect(record.exitCode == 2)
    }

    @Test("Without its own budget a run may take the time of its scenarios with all attempts and rounds")
    func longest() throws {
        let scenarios = try Plan(TestRun.three).all
        let budget = scenarios[0].scenario.traits.budget.seconds
        var options = RunOptions()
        #expect(options.longest(scenarios) == 4 * (budget + 90))
        options.retries = 1
        options.rounds = 10
        options.jobs = 2
        #expect(options.longest(scenarios) == (3 * 10 / 2 + 1) * 2 * (budget + 90))
        options.rounds = nil
        options.untilFail = true
        #expect(options.longest(scenarios) == nil)
    }

    @Test(
        "A scenario that failed waits until somebody has looked, and one whose worker crashed keeps its boards so long")
    func pauses() async throws {
        let looked = EventLog<String>()
        let record = try await TestRun().perform { rig in
            looked.append("\(rig.title): \(rig.cause.message)")
        } script: { name, worker in
            switch name {
            case "first":
                worker.tell(.bodyBegan(budget: 60), .failure(Failure(.product, "wrong")), .bodyEnded(seconds: 1))
                worker.tell(.paused)
            case "second":
                worker.tell(.bodyBegan(budget: 60))
                worker.end(.signalled(11))
            default: worker.pass()
            }
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.failed, .failed, .passed])
        let told = looked.events
        #expect(told.count == 2)
        #expect(told.first == "The first: wrong")
        #expect(told.last?.hasPrefix("The second: crashed") == true)
    }

    @Test("A run whose lines cannot be written ends with the reason")
    func fullDisk() async throws {
        let test = try TestRun()
        await #expect(throws: SystemError(code: ENOSPC, action: "writing")) {
            _ = try await test.perform(failingSinkAfter: 3) { _, worker in worker.pass() }
        }
        #expect(test.lines.withLock { $0.count } == 3)
    }

    @Test("Each line of a run is one JSON object that can be read back")
    func lines() async throws {
        let test = try TestRun()
        _ = try await test.perform { _, worker in worker.pass() }
        for line in test.lines.withLock({ $0 }) {
            let json = line.json
            #expect(!json.contains(0x0A))
            let read = try JSONDecoder().decode(RunLine.self, from: Data(json))
            #expect(read.json == json)
        }
    }
}

extension RunRecord {
    fileprivate func hasBegun(_ identifier: String) -> Bool {
        self[identifier]?.log.contains { $0.contains("begins") } ?? false
    }
}
