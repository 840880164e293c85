import Foundation
import HIL
import HILPOSIX
import HILRecord
import RigModel
import Synchronization
import Testing

@testable import HILExecution

/// Retries, quarantine, and missing capabilities.
struct RetryTests {
    private func options(retries: Int, strict: Bool = false) -> RunOptions {
        var options = RunOptions()
        options.retries = retries
        options.isStrict = strict
        return options
    }

    /// Workers that fail in the scenarios and attempts of `failing`.
    private func script(_ failing: Set<String>, _ kind: Failure.Kind = .product) -> ScriptedWorkers.Script {
        let counts = Mutex<[String: Int]>([:])
        return { name, worker in
            let attempt = counts.withLock { counts in
                counts[name, default: 0] += 1
                return counts[name, default: 0]
            }
            if failing.contains("\(name) \(attempt)") {
                worker.tell(.bodyBegan(budget: 60), .failure(Failure(kind, "attempt \(attempt)")))
            }
            worker.pass()
        }
    }

    @Test("A scenario that fails and then passes is flaky, every attempt has its folder, and strict runs exit with 3")
    func flaky() async throws {
        let test = try TestRun()
        let record = try await test.perform(options: options(retries: 2), script: script(["second 1", "second 2"]))
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.passed, .flaky, .passed])
        let result = try #require(record["second"]?.result)
        #expect(result.attempts?.map(\.judgement.verdict) == [.failed, .failed, .passed])
        #expect(result.attempts?.map(\.folder) == ["", "attempt-2", "attempt-3"])
        #expect(result.judgement.cause?.message == "attempt 1")
        #expect(FileManager.default.fileExists(atPath: test.folder.file("second/attempt-3/host")))
        #expect(record["first"]?.result?.attempts == nil)
        #expect(record.exitCode == 0)
        let strict = try await TestRun().perform(
            options: options(retries: 1, strict: true), script: script(["third 1"]))
        #expect(strict.exitCode == 3)
    }

    @Test("A scenario that never passes has failed; one failure of the product outweighs errors of the rig")
    func hopeless() async throws {
        let failed = try await TestRun().perform(options: options(retries: 1), script: script(["first 1", "first 2"]))
        #expect(failed["first"]?.result?.judgement.verdict == .failed)
        #expect(failed["first"]?.result?.attempts?.count == 2)
        #expect(failed.exitCode == 1)
        let rig = Judgement([Failure(.rig, "lost")])
        let product = Judgement([Failure(.product, "wrong")])
        #expect(Judgement(attempts: [rig, product, rig]).verdict == .failed)
        #expect(Judgement(attempts: [rig, rig]).verdict == .error)
        #expect(Judgement(attempts: [rig, Judgement([])]).verdict == .flaky)
    }

    @Test("If a retry is interrupted, the results before it are kept")
    func interrupted() async throws {
        let test = try TestRun()
        let calls = Atomic(0)
        let record = try await test.perform(options: options(retries: 1)) { _, worker in
            worker.tell(.bodyBegan(budget: 60))
            if calls.add(1, ordering: .relaxed).newValue == 2 { return test.interruption.raise(SIGINT) }
            worker.tell(.failure(Failure(.product, "wrong")))
            worker.pass()
        }
        #expect(record["first"]?.result?.judgement.verdict == .failed)
        #expect(record["second"]?.result == nil)
        #expect(record.exitCode == 130)
    }

    @Test("A scenario that needs a missing capability is skipped with the reason, and no rig is started for it")
    func skipped() async throws {
        let scenarios = [
            NamedScenario("walls", file: "W.swift", Scenario("Through walls", .needs(.wifi, .realAir)) { _ in }),
            NamedScenario("joins", file: "J.swift", Scenario("It joins", .needs(.wifi)) { _ in }),
        ]
        let record = try await TestRun().perform(scenarios) { name, worker in
            #expect(name == "joins")
            worker.pass()
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.skipped, .passed])
        #expect(record["walls"]?.result?.judgement.remark == "the stub rig lacks real air between antennas")
        #expect(record.exitCode == 0)
    }

    @Test("A scenario that is skipped at a call is not retried, and saves no boards")
    func skippedOnce() async throws {
        let lack = Lack(try #require(RigDescription("stub", has: []).lack(of: [.power])))
        var options = RunOptions()
        options.retries = 2
        let record = try await TestRun().perform(options: options) { _, worker in
            worker.tell(.bodyBegan(budget: 60), .lacks(lack), .bodyEnded(seconds: 1), .done)
            worker.end(.exited(0))
        }
        #expect(record.entries.map { $0.result?.judgement.verdict } == [.skipped, .skipped, .skipped])
        #expect(record.entries.allSatisfy { $0.result?.attempts == nil && $0.result?.boards == nil })
        #expect(record.entries.allSatisfy { $0.result?.evidence.contains("story.txt") == true })
        #expect(record.exitCode == 0)
    }

    @Test("Scenarios in quarantine run and do not count, until their last day has passed")
    func quarantine() async throws {
        func scenario(_ name: String, until day: String) -> NamedScenario {
            NamedScenario(
                name, file: "\(name).swift",
                Scenario("It \(name)", .quarantined(owner: "Kim", ticket: "HIL-7", until: day)) { _ in })
        }
        let bad = script(["last 1", "over 1"])
        let held = try await TestRun().perform([scenario("last", until: "2026-06-15")], script: bad)
        let judgement = try #require(held["last"]?.result?.judgement)
        #expect(judgement.verdict == .quarantined)
        #expect(judgement.actual == .failed)
        #expect(judgement.remark == "in quarantine until 2026-06-15 (Kim, HIL-7); this time: failed")
        #expect(held.exitCode == 0)
        let over = try await TestRun().perform([scenario("over", until: "2026-06-14")], script: bad)
        #expect(over["over"]?.result?.judgement.verdict == .failed)
        #expect(over["over"]?.result?.judgement.remark == "its quarantine ended on 2026-06-14 (Kim, HIL-7)")
        #expect(over.exitCode == 1)
        #expect(throws: PlanError.unreadableDay("soon", file: "x.swift")) { try Plan([scenario("x", until: "soon")]) }
        #expect(UTCDay.text(1_781_481_600) == "2026-06-15")
    }
}
