import Foundation
import HIL
import HILExecution
import HILRecord
import StubRig
import Testing

/// Two runs compared case by case.
struct RunComparisonTests {
    /// A run whose cases have these verdicts; nil for a case that has not ended.
    private func run(_ cases: KeyValuePairs<String, Judgement?>) throws -> RunRecord {
        let named = cases.map { name, _ in
            NamedScenario(name, file: "\(name).swift", Scenario("The \(name)", .covers("K1"), run: { _ in }))
        }
        let entries = try Plan(named).all.map { RunInfo.Entry($0) }
        var record = RunRecord()
        let info = RunInfo(version: "1", rig: "stub", machine: "here", folder: "/f", scenarios: entries)
        record.take(RunLine(time: 1, runner: .runBegan(info)))
        for (name, judgement) in cases {
            guard let judgement else { continue }
            let result = ScenarioResult(judgement, seconds: 1)
            record.take(RunLine(time: 2, scenario: name, runner: .scenarioEnded(result)))
        }
        return record
    }

    private let passed = Judgement([])
    private let failed = Judgement([Failure(.product, "broken")])

    @Test("Equal runs do not differ; a case that passed on a retry has passed, and other words are no other verdict")
    func equal() throws {
        let flaky = Judgement(attempts: [failed, passed])
        let other = Judgement([Failure(.product, "also broken")])
        let comparison = RunComparison(
            try run(["a": passed, "b": failed]), try run(["a": flaky, "b": other]), names: ("one", "two"))
        #expect(comparison.differences == [])
        #expect(comparison.count == 2)
    }

    @Test("Another verdict, a case that did not end, and one that is not in both are differences, with the reasons")
    func different() throws {
        let comparison = RunComparison(
            try run(["a": passed, "b": passed, "c": passed, "d": nil]), try run(["a": failed, "b": passed, "c": nil]),
            names: ("qemu", "native"))
        #expect(
            comparison.differences == [
                "a: passed on qemu, failed (broken) on native", "c: passed on qemu, not run on native",
            ])
        #expect(comparison.count == 3)
    }

    @Test("A rule that only one run covers is a difference")
    func rules() throws {
        let skipped = Judgement(skipped: Lack("no air"))
        let comparison = RunComparison(try run(["a": passed]), try run(["a": skipped]), names: ("qemu", "native"))
        #expect(
            comparison.differences == [
                "a: passed on qemu, skipped (no air) on native", "rule K1 is covered on qemu only",
            ])
    }
}

/// The scenarios of this package on both kinds of boards.
@Suite(.serialized, .enabled(if: RealRig.isReady && !RealRig.compared.isEmpty), .timeLimit(.minutes(60)))
struct RunOnBothTests {
    @Test("Every case has the same verdict on native boards and on QEMU's, and the same rules are covered")
    func same() async throws {
        let results = RealRig.results()
        defer { try? FileManager.default.removeItem(atPath: results) }
        var patterns = RealRig.compared == ["all"] ? [] : RealRig.compared
        // A machine that is too busy for a board's time limits says so, which a second attempt shows.
        patterns += ["--retries", "1"]
        let (_, qemu) = try await RealRig.run(patterns, boards: "qemu", out: results).end()
        let (_, native) = try await RealRig.run(patterns, boards: "native", out: results).end()
        #expect([qemu.info?.rig, native.info?.rig] == ["virtual", "native"])
        let comparison = RunComparison(qemu, native, names: ("QEMU", "native boards"))
        #expect(comparison.count > 0 && comparison.count == qemu.entries.count)
        #expect(comparison.differences == [], "\(comparison.differences.joined(separator: "\n"))")
    }
}
