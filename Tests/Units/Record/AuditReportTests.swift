import Foundation
import TestSupport
import Testing

@testable import HILRecord

@Suite("The report of an audit")
struct AuditReportTests {
    private func check(_ control: String, in record: RunRecord) throws -> AuditReport.Check {
        try #require(AuditReport(record)?.checks.first { $0.control.name == control })
    }

    @Test("It tells holds, breached, accepted, does not apply, out of reach, not checked and undecided apart")
    func outcomes() throws {
        let record = SampleAudit.record()
        let told = try #require(AuditReport(record)).checks.map { "\($0.control.name): \($0.outcome.words)" }
        #expect(
            told == [
                "air.modes: holds", "air.signal: out of reach", "pairing.legacy: holds", "pairing.guesses: accepted",
                "pairing.keySize: undecided", "access.matrix: breached", "access.hidden: does not apply",
                "life.reset: not checked", "wifi.wps: not checked",
            ])
        #expect(try check("access.matrix", in: record).reason == "a stranger can write FF01")
        #expect(
            try check("pairing.guesses", in: record).reason == "it can be guessed; accepted, because each number is new"
        )
        #expect(try check("pairing.guesses", in: record).attempt?.seed == .max)
        #expect(try check("pairing.keySize", in: record).reason == "the air is lost")
        #expect(try check("access.hidden", in: record).reason == "it has no attributes")
        #expect(try check("air.signal", in: record).instead == "measure it")
        #expect(
            AuditReport(record)?.targets[0].summary
                == "1 breached, 1 undecided, 1 accepted, 2 hold, 1 does not apply, 1 out of reach, 1 not checked")
    }

    @Test("Several of one outcome have its plural, and an audit that attacked nothing says so")
    func plural() throws {
        var target = try #require(AuditReport(SampleAudit.record())?.targets[0])
        target.checks += target.checks
        #expect(target.rest == "2 do not apply, 2 out of reach, 2 not checked")
        #expect(target.result.hasSuffix("4 hold"))
        target.checks = target.checks.filter { [.doesNotApply, .outOfReach].contains($0.outcome) }
        #expect(target.result == "nothing was attacked")
    }

    @Test("A check has its notes with their frames, its matrix and its command, also when its story is forgotten")
    func story() throws {
        var record = SampleAudit.record()
        record.forgetStory(of: "lampIsSetUp~air.modes[build=weak]")
        let modes = try check("air.modes", in: record)
        #expect(modes.attempt?.notes.map(\.text) == ["it was tried: write FF01", "it came"])
        #expect(modes.attempt?.notes.first?.frames == AuditFrames([7, 9]))
        #expect(modes.attempt?.notes.first?.frames?.words == "frames 7, 9")
        let last = try #require(modes.attempt?.notes.last)
        #expect(last.frames?.count == 50 && last.frames?.numbers == Array(11...30) + Array(41...60))
        #expect(last.frames?.words == "50 frames, 11 to 60")
        #expect(AuditFrames([3, 4, 5, 9]).words == "frames 3–5, 9" && AuditFrames([]).words == nil)
        #expect(AuditFrames([1, 3, 5, 7, 9]).words == "5 frames, 1 to 9")
        #expect(last.seconds(since: modes.zero) == 1.5)
        #expect(try check("access.matrix", in: record).attempt?.matrix == SampleAudit.matrix)
        #expect(modes.replay == "hil audit 'lampIsSetUp[build=weak]' --only air.modes")
    }

    /// The report of a failed check that has told this.
    private func failed(_ notes: [AuditNote], _ cause: String = "the step “use” missed its budget") -> AuditReport.Check
    {
        var entry = RunInfo.Entry(identifier: "lamp~air.modes", title: "", folder: "lamp")
        entry.control = "air.modes"
        var info = RunInfo(version: "1", rig: "native", machine: "m", folder: "/r/1", scenarios: [entry])
        info.audit = SampleAudit.info
        var record = RunRecord()
        record.take(RunLine(time: 1, runner: .runBegan(info)))
        for note in notes {
            record.take(RunLine(scenario: "lamp~air.modes", worker: StampedEvent(time: 2, event: .audit(note))))
        }
        let result = ScenarioResult(Judgement([Failure(.product, cause)]), seconds: 1)
        record.take(RunLine(time: 3, scenario: "lamp~air.modes", runner: .scenarioEnded(result)))
        return AuditReport.Check(SampleAudit.info.controls[0], record.entries[0])
    }

    @Test("An accessory that survives the attack, but serves its owner no longer, is breached")
    func ownerServed() {
        let check = failed([.began, .found(outcome: .holds, reason: nil, instead: nil)])
        #expect(check.outcome == .breached)
        #expect(check.reason == "after the attack it serves its owner no longer: the step “use” missed its budget")
    }

    @Test("A failure before the attack, or of the attack itself, shows nothing of the accessory")
    func undecided() {
        #expect(failed([]).outcome == .undecided)
        #expect(failed([]).reason?.hasPrefix("the accessory could not be set up") == true)
        #expect(failed([.began]).outcome == .undecided)
        #expect(failed([.began]).reason?.hasPrefix("the attack came to no end") == true)
    }

    @Test("A run of an earlier format, or without an audit, has no report")
    func other() throws {
        let lines = #"{"format":6,"time":1,"runner":{"runBegan":{"info":{"folder":"/r/1","scenarios":[]}}}}"#
        let record = RunRecord(lines: Data(lines.utf8))
        #expect(record.info != nil && AuditReport(record) == nil)
        #expect(AuditReport(SamplePage.record(["good"])) == nil)
    }

    @Test("The lines of an audit are read as they were written")
    func lines() throws {
        let info = try #require(SampleAudit.record().info)
        let notes: [AuditNote] = [
            .began, .stranger(address: "02:00:00:00:02:C0", interface: "accessory-hci8"), .tried(text: "it came"),
            .seed(.max), .matrix(SampleAudit.matrix), .found(outcome: .outOfReach, reason: "a", instead: "b"),
            .frames(ofNotes: [AuditFrames([3, 4])]),
        ]
        let lines =
            [RunLine(time: 1, runner: .runBegan(info))]
            + notes.map { RunLine(scenario: "x", worker: StampedEvent(time: 2, event: .audit($0))) }
        let read = try lines.map { try #require(RunLine(Data($0.json)), "\(String(decoding: $0.json, as: UTF8.self))") }
        guard case .runBegan(let again)? = read.first?.runner else {
            Issue.record("the first line begins no run")
            return
        }
        #expect(again.audit == info.audit && again.scenarios.map(\.control) == info.scenarios.map(\.control))
        let found = read.compactMap { line -> AuditNote? in
            if case .audit(let note)? = line.worker { note } else { nil }
        }
        #expect(found == notes)
    }

    @Test("A matrix tells what is open beyond what is meant, level by level")
    func matrix() {
        #expect(SampleAudit.matrix.breaches(at: .nobody) == ["write FF01"])
        #expect(SampleAudit.matrix.breaches(at: .pairedWithNumber) == [])
        #expect(SampleAudit.matrix.rows[0].cells[.pairedWithNumber]?[.read]?.isLess == true)
    }
}
