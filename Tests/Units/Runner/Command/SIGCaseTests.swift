import Foundation
import HILRules
import Testing

@testable import HILCommand

@Suite("The SIG's test cases")
struct SIGCaseTests {
    private static let tests = ["passes()", "fails()", "waits()"].map { "BluetoothHostTests.PairingTests/\($0)" }

    /// Three tests, of which the second failed and the third was skipped, with the cases that they show.
    private func record(_ cases: [[String]]) throws -> UnitTestRecord {
        struct Cover: Encodable {
            let id: String
            let name: String
            let rules: [String]
        }
        let ids = Self.tests.map { "\($0)/PairingTests.swift:1:6" }
        let covers = try zip(ids, cases).map { id, cases in
            String(decoding: try JSONEncoder().encode(Cover(id: id, name: "test", rules: cases)), as: UTF8.self)
        }
        func event(_ kind: String, _ id: String, _ more: String = "") -> String {
            #"{"kind":"event","payload":{"kind":"\#(kind)"\#(more),"testID":"\#(id)"},"version":0}"#
        }
        let events = [
            event("testEnded", ids[0]), event("issueRecorded", ids[1], #","issue":{"isKnown":false}"#),
            event("testEnded", ids[1]), event("testSkipped", ids[2]),
        ]
        return UnitTestRecord(
            covers: Data(covers.joined(separator: "\n").utf8), events: Data(events.joined(separator: "\n").utf8))
    }

    @Test("Each case is there once, with words and a name of the SIG's form; only those that apply can be shown")
    func table() throws {
        #expect(Set(SIGCase.all.map(\.id)).count == SIGCase.all.count)
        for each in SIGCase.all {
            #expect(!each.text.isEmpty && each.id.prefixMatch(of: #/(SM|GATT|L2CAP|GAP)\//#) != nil, "\(each)")
            let isCase = each.id.wholeMatch(of: #/(SM|GATT|L2CAP|GAP)(/[A-Z]+)+/B[VI]-\d\d-C/#) != nil
            #expect(each.absence != nil || isCase, "\(each.id)")
            #expect((SIGCase.applicable(each.id) != nil) == (each.absence == nil))
        }
        #expect(SIGCase.applicable("SM/CEN/PROT/BV-99-C") == nil)
        #expect(SIGCase.all.count { $0.absence == nil } >= 200)
    }

    @Test("A case passed if each of its tests passed; one without a test, or with one that did not run, is a finding")
    func states() throws {
        let names = SIGCase.all.filter { $0.absence == nil }.prefix(4).map(\.id)
        let record = try record([[names[0], names[2]], [names[1]], [names[2]]])
        let report = SIGReport(tests: record)
        let states = names.map { name in report.entries.first { $0.name == name }?.state }
        #expect(states == [.passed, .failed, .notRun, .notShown])
        #expect(
            report.findings.map(\.name) == SIGCase.all.filter { $0.absence == nil }.map(\.id).filter { $0 != names[0] })
        let lines = SIGText().findings(report)
        #expect(lines.contains("\(names[1]) \(Self.tests[1]) (failed)"))
        #expect(lines.contains("\(names[2]) \(Self.tests[2]) (skipped)"))
        #expect(lines.contains("\(names[3]) no test shows it, and no reason is given"))
    }

    @Test("A test that shows an unknown case, or one that does not apply, is a finding; a rule of the phone is not")
    func strangers() throws {
        let absent = try #require(SIGCase.all.first { $0.absence != nil }).id
        let report = SIGReport(tests: try record([["SM/CEN/XX/BV-01-C", "K2"], [absent], []]))
        #expect(report.strangers.map(\.name) == [absent, "SM/CEN/XX/BV-01-C"].sorted())
        let line = "SM/CEN/XX/BV-01-C is shown by \(Self.tests[0]), but it is no case of the SIG that applies"
        #expect(SIGText().findings(report).contains(line))
    }

    @Test("Without the unit tests of the phone's host all cases that apply are unknown, which is one finding")
    func unknown() throws {
        for record in [nil, try record([["K2"], [], []])] {
            let report = SIGReport(tests: record)
            #expect(Set(report.entries.map(\.state)) == [.unknown, .open, .notApplicable])
            let line = "cases of the SIG: the unit tests of the phone's Bluetooth host have not run here"
            #expect(SIGText().findings(report) == [line])
        }
    }

    @Test("Cases are selected by the beginnings of their names; a case that does not apply says why")
    func text() throws {
        let cases = SIGCase.all
        var report = SIGReport(cases, tests: try record([["SM/CEN/PROT/BV-01-C"], [], []]))
        try report.select(["sm/cen/prot", "SM/SIGN", "GAP/SEC/SEM/BV-56"])
        let lines = SIGText().lines(report)
        #expect(lines[0].hasPrefix("SM/CEN/PROT/BV-01-C      passed          a Pairing Request without an answer"))
        #expect(lines[1].hasSuffix(" \(Self.tests[0])"))
        #expect(SIGText(isLong: true).lines(report)[1].hasSuffix(" passed     \(Self.tests[0])  test"))
        #expect(lines[2].hasPrefix("SM/SIGN/*                does not apply  signed data"))
        #expect(lines[3].hasSuffix(SIGCase.Absence.signing.rawValue))
        #expect(lines[4].hasPrefix("GAP/SEC/SEM/BV-56-C … BV-57-C open"))
        let summary = [
            "SM:    1 case applies: 1 passed; 1 does not apply", "GAP:   0 cases apply: 0 passed; 1 is open",
            "all:   1 case applies: 1 passed; 1 is open; 1 does not apply",
        ]
        #expect(lines.suffix(4) == [""] + summary)
        #expect(throws: UsageError.self) { try report.select(["ATT"]) }
    }

    @Test("The command line has --sig, with names and --check")
    func arguments() throws {
        guard case .rules(let ruling) = try Arguments.parse(["rules", "--sig", "GATT/CL", "--check"]) else {
            return #expect(Bool(false), "no request for rules")
        }
        #expect(ruling.isSIG && ruling.isCheck && ruling.rules == ["GATT/CL"])
    }
}
