import Foundation
import HIL
import HILPOSIX
import HILRecord
import HILTiming
import StubRig
import Synchronization
import TestSupport
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

    @Test("What fails while a board gets no processor runs again at the end, alone, and its first attempt is kept")
    func late() async throws {
        let test = try TestRun()
        let launched = Mutex<[String]>([])
        let record = try await test.perform(rigs: StubRigs(waiting: .seconds(4))) { name, worker in
            let isFirst = launched.withLock { launched in
                launched.append(name)
                return launched.count { $0 == name } == 1
            }
            guard name == "first", isFirst else { return worker.pass() }
            worker.tell(.bodyBegan(budget: 60), .failure(RunTests.refused), .done)
            worker.end(.exited(0))
        }
        #expect(launched.withLock { $0 } == ["first", "second", "third", "first"])
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, .passed, .passed])
        let result = try #require(record["first"]?.result)
        #expect(result.attempts?.map(\.judgement.verdict) == [.error, .passed])
        #expect(result.attempts?.map(\.folder) == ["", "attempt-2"])
        #expect(
            result.judgement.remark == """
                ran again: the first time the machine was too late for a verdict: the accessory board waited 4 s of 4 s for a \
                processor; run fewer rigs (--jobs 1), or less beside them, after refused the passphrase
                """)
        #expect(record.exitCode == 0)
    }

    @Test(
        "What fails alone on a machine that is late again is an error, and one that fails on a quiet machine has failed"
    )
    func lateAgain() async throws {
        let again = try await TestRun().perform([TestRun.three[0]], rigs: StubRigs(waiting: .seconds(4))) { _, worker in
            worker.tell(.bodyBegan(budget: 60), .failure(RunTests.refused), .done)
            worker.end(.exited(0))
        }
        #expect(again.entries[0].result?.judgement.verdict == .error && again.exitCode == 2)
        #expect(again.entries[0].result?.attempts?.count == 2)
        let quiet = try await TestRun().perform(
            [TestRun.three[0]], rigs: StubRigs(waiting: .seconds(4), firstOnly: true)
        ) { _, worker in
            worker.tell(.bodyBegan(budget: 60), .failure(RunTests.refused), .done)
            worker.end(.exited(0))
        }
        #expect(quiet.entries[0].result?.judgement.verdict == .failed && quiet.exitCode == 1)
        #expect(quiet.entries[0].result?.attempts?.map(\.judgement.verdict) == [.error, .failed])
        #expect(quiet.entries[0].result?.judgement.cause?.message == "refused the passphrase")
    }

    @Test("A late scenario that was retried and passed does not run once more")
    func lateRetry() async throws {
        var options = RunOptions()
        options.retries = 1
        let calls = Atomic(0)
        let record = try await TestRun().perform(
            [TestRun.three[0]], rigs: StubRigs(waiting: .seconds(4)), options: options
        ) { _, worker in
            guard calls.add(1, ordering: .relaxed).newValue == 1 else { return worker.pass() }
            worker.tell(.bodyBegan(budget: 60), .failure(RunTests.refused), .done)
            worker.end(.exited(0))
        }
        #expect(calls.load(ordering: .relaxed) == 2)
        #expect(record.entries[0].result?.judgement.verdict == .passed)
    }

    private static let refused = Failure(.product, "refused the passphrase")

    @Test("A crash, wrong bytes, and what was waited for far longer than all was late have failed on any machine")
    func lateAndWrong() async throws {
        var inVain = Failure(.product, "“join” missed its budget of 20 s")
        inVain.waited = 20
        let wrong = Failure(.product, "expected that the face is right: got 6, not 5", basis: .certain)
        let record = try await TestRun().perform(rigs: StubRigs(waiting: .seconds(4))) { [inVain] name, worker in
            worker.tell(.bodyBegan(budget: 60))
            switch name {
            case "first": worker.tell(.failure(RunTests.refused), .failure(wrong), .done)
            case "second": worker.tell(.failure(inVain), .done)
            default: return worker.end(.signalled(11))
            }
            worker.end(.exited(0))
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.failed, .failed, .failed])
        #expect(record.entries.allSatisfy { $0.result?.attempts == nil })
        #expect(record["first"]?.result?.judgement.cause?.message == wrong.message)
        #expect(record.exitCode == 1)
    }

    @Test(
        "On a machine that is late a worker that waited is excused for its budget, one that was busy by itself is not",
        arguments: [(Duration.zero, Verdict.error), (.seconds(3600), .failed)])
    func lateWorker(ran: Duration, verdict: Verdict) async throws {
        let test = try TestRun()
        let record = try await test.perform([TestRun.three[0]], rigs: StubRigs(waiting: .seconds(20))) { _, worker in
            worker.ran.withLock { $0 = ran }
            test.overrun(worker)
        }
        #expect(record.entries[0].result?.judgement.verdict == verdict)
    }

    @Test("A few hundred milliseconds of waiting are no excuse, because most of it may be a single wait")
    func hardlyWaited() async throws {
        let record = try await TestRun().perform(rigs: StubRigs(waiting: .milliseconds(280))) { _, worker in
            worker.tell(.bodyBegan(budget: 60), .failure(RunTests.refused), .done)
            worker.end(.exited(0))
        }
        #expect(record.count(.failed) == 3)
        #expect(record.entries[0].result?.judgement.remark == nil)
    }

    @Test("A scenario that misses its budget is ended, and has failed")
    func budget() async throws {
        let test = try TestRun()
        let record = try await test.perform { name, worker in
            name == "first" ? test.overrun(worker) : worker.pass()
        }
        #expect(record.entries[0].result?.judgement.cause?.message.hasPrefix("missed its budget of 60 s") == true)
        #expect(record.exitCode == 1)
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

    @Test("No scenario begins after the budget for it; the one that runs then ends, and those that are left are named")
    func lastStart() async throws {
        let test = try TestRun()
        var options = RunOptions()
        options.lastStart = 30
        let record = try await test.perform(options: options) { name, worker in
            if name == "first" { test.clock.advance(by: .seconds(30)) }
            worker.pass()
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, nil, nil])
        #expect(record.end?.usedBudget == 30)
        #expect(record.exitCode == 0)
        #expect(record.owed.isEmpty)
        #expect(record.leftWords == "2 scenarios were left when the budget of 30 s was used up: second, third")
    }

    @Test("With time left for all, a budget for the beginnings leaves nothing")
    func lastStartInTime() async throws {
        var options = RunOptions()
        options.lastStart = 30
        let record = try await TestRun().perform(options: options) { _, worker in worker.pass() }
        #expect(record.count(.passed) == 3)
        #expect(record.leftWords == nil)
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

extension TestRun {
    /// Lets the body of a scenario begin, and miss its budget of a minute.
    fileprivate func overrun(_ worker: ScriptedWorker) {
        Task {
            // The timer for the boards to get ready, which also has a minute: one second apart, the two have different ends.
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
            let end = clock.now.offset + .seconds(60)
            worker.tell(.bodyBegan(budget: 60))
            await clock.sleeper(until: end)
            clock.advance(by: .seconds(60))
            // The time for the worker to say where it stands.
            await clock.sleeper(until: end + .seconds(1))
            clock.advance(by: .seconds(1))
        }
    }
}
