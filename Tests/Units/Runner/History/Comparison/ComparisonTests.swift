import HILRecord
import Testing

@testable import HILHistory

struct ComparisonTests {
    private let none = StepTimes(whyNot: "none")

    private func compare(_ before: [CaseOutcome], _ after: [CaseOutcome]) -> Comparison {
        Comparison(before, after, times: none)
    }

    @Test("Each pair of verdicts has its own group")
    func groups() {
        let verdicts: [Verdict] = [.passed, .flaky, .failed, .error, .skipped, .quarantined]
        func name(_ first: Verdict, _ second: Verdict) -> String { "\(first) \(second)" }
        let pairs = verdicts.flatMap { first in verdicts.map { (first, $0) } }
        let found = compare(
            pairs.map { CaseOutcome(name($0, $1), $0) }, pairs.map { CaseOutcome(name($0, $1), $1, cause: "so") })
        func names(_ changes: [Comparison.Change]) -> [String] { changes.map(\.scenario) }
        #expect(names(found.newlyFailed) == ["passed failed", "flaky failed"])
        #expect(names(found.fixed) == ["failed passed", "failed flaky"])
        #expect(names(found.newlyFlaky) == ["passed flaky"])
        #expect(names(found.stillFailed) == ["failed failed"])
        #expect(names(found.failedUnknown) == ["error failed", "skipped failed", "quarantined failed"])
        #expect(names(found.rigErrors) == verdicts.map { name($0, .error) })
        #expect(found.new.isEmpty && found.gone.isEmpty)
        #expect(found.newlyFailed[0].cause == "so" && found.isRegression)
    }

    @Test("A breach is new, no longer accepted, accepted now or mended; what it was before decides")
    func audits() {
        let pairs: [(AuditOutcome, AuditOutcome)] = [
            (.holds, .breached), (.doesNotApply, .breached), (.accepted, .breached), (.breached, .holds),
            (.breached, .doesNotApply), (.breached, .accepted), (.breached, .breached), (.undecided, .breached),
            (.holds, .holds), (.accepted, .accepted), (.accepted, .holds),
        ]
        func outcome(_ name: String, _ audit: AuditOutcome) -> CaseOutcome {
            let verdicts: [AuditOutcome: Verdict] = [
                .breached: .failed, .doesNotApply: .skipped, .undecided: .error,
            ]
            return CaseOutcome(name, verdicts[audit] ?? .passed, cause: "so", audit: audit)
        }
        let found = compare(
            pairs.map { outcome("\($0) \($1)", $0) }, pairs.map { outcome("\($0) \($1)", $1) })
        #expect(found.newBreaches.map(\.scenario) == ["holds breached", "doesNotApply breached"])
        #expect(found.noLongerAccepted.map(\.scenario) == ["accepted breached"])
        #expect(found.mended.map(\.scenario) == ["breached holds", "breached doesNotApply"])
        #expect(found.newlyAccepted.map(\.scenario) == ["breached accepted"])
        #expect(found.stillFailed.map(\.scenario) == ["breached breached"])
        #expect(found.failedUnknown.map(\.scenario) == ["undecided breached"])
        #expect(found.newlyFailed.isEmpty && found.fixed.isEmpty && found.isRegression)
        #expect(compare([outcome("a", .accepted)], [outcome("a", .breached)]).isRegression)
        #expect(!compare([outcome("a", .breached)], [outcome("a", .accepted)]).isRegression)
    }

    @Test("New and gone cases are told, and neither is a regression")
    func newAndGone() {
        let found = compare([CaseOutcome("old", .passed)], [CaseOutcome("new", .failed)])
        #expect(found.new.map(\.scenario) == ["new"] && found.gone.map(\.scenario) == ["old"])
        #expect(found.newlyFailed.isEmpty && !found.isRegression)
    }

    @Test("All rounds of a case are one, with the worst verdict")
    func rounds() {
        let entries = ["join", "join#2", "join#3", "waits"]
        var record = RunRecord()
        let json = entries.map { #"{"identifier":"\#($0)","title":"\#($0)"}"# }.joined(separator: ",")
        var lines = [#"{"runner":{"runBegan":{"info":{"folder":"/r","scenarios":[\#(json)]}}},"time":1}"#]
        for (name, verdict) in zip(entries, ["passed", "failed", "error"]) {
            let judgement = #"{"failures":[{"kind":"product","message":"\#(name)"}],"verdict":"\#(verdict)"}"#
            let result = #"{"evidence":[],"judgement":\#(judgement),"missing":[],"seconds":1}"#
            lines.append(#"{"runner":{"scenarioEnded":{"result":\#(result)}},"scenario":"\#(name)","time":2}"#)
        }
        record = RunRecord(lines: .init(lines.joined(separator: "\n").utf8))
        #expect(CaseOutcome.all(of: record) == [CaseOutcome("join", .failed, cause: "join#2")])
    }
}

struct StepTimesTests {
    private let key = StepTimes.Key("join", "open")

    private func times(_ before: [Double], _ after: [Double], least: StepTimes.LeastChange = .standard) -> StepTimes {
        StepTimes([key: before], [key: after], least: least)
    }

    @Test("A step that is clearly slower is told with both medians, and one that is faster as well")
    func slower() throws {
        let (quick, slow) = ([1.0, 1.1, 1.2, 1.05, 1.15], [2.0, 2.1, 2.2, 2.05, 2.15])
        let found = times(quick, slow)
        let change = try #require(found.slower.first)
        #expect(change.before == 1.1 && change.after == 2.1 && change.samples == [5, 5] && change.p < 0.01)
        #expect(found.faster.isEmpty && found.compared == 1 && found.whyNot == nil)
        #expect(times(slow, quick).faster.count == 1 && times(slow, quick).slower.isEmpty)
        #expect(
            Comparison([], [], times: found).isRegression && !Comparison([], [], times: times(slow, quick)).isRegression
        )
    }

    @Test("Fewer than four runs of a side give no answer but say how many are needed")
    func few() {
        let found = times([1, 1, 1], [9, 9, 9, 9])
        #expect(found.slower.isEmpty && found.tooFew == 1 && found.compared == 0)
        #expect(found.whyNot == "needs at least 4 runs on each side")
    }

    @Test("A change must be of 20 % and of 100 ms, and more than chance")
    func least() {
        #expect(times([0.1, 0.1, 0.1, 0.1], [0.19, 0.19, 0.19, 0.19]).slower.isEmpty, "90 ms are too little")
        #expect(times([10, 10, 10, 10], [11.9, 11.9, 11.9, 11.9]).slower.isEmpty, "19 % are too little")
        #expect(times([10, 10, 10, 10], [12, 12, 12, 12]).slower.count == 1)
        #expect(times([1, 3, 1, 3], [2.9, 1.2, 2.9, 2.9]).slower.isEmpty, "that may be chance")
        let small = StepTimes.LeastChange(share: 0.01, seconds: 0.01)
        #expect(times([10, 10, 10, 10], [10.2, 10.2, 10.2, 10.2], least: small).slower.count == 1)
    }

    @Test("One slow outlier of a busy machine does not make a step slower")
    func outlier() {
        #expect(times([1, 1.01, 1.02, 1.03, 1.04], [1, 1.01, 1.02, 1.03, 60]).slower.isEmpty)
    }

    @Test("The largest change comes first, and a step of one side only is not compared")
    func order() {
        let (one, many) = ([1.0, 1, 1, 1], [5.0, 5, 5, 5])
        let keys = [StepTimes.Key("a", "x"), .init("b", "x"), .init("b", "y"), .init("c", "x")]
        let before = [keys[0]: one, keys[1]: one, keys[2]: one]
        let found = StepTimes(before, [keys[0]: [2, 2, 2, 2], keys[1]: many, keys[2]: many, keys[3]: many])
        #expect(found.slower.map(\.key) == [keys[1], keys[2], keys[0]] && found.compared == 3)
    }
}
