import HILRules

/// The SIG's test cases for the phone's Bluetooth host with the unit tests that show them, for `hil rules --sig`.
///
/// As JSON it has one line with an object for each case: see ``Entry``.
struct SIGReport: Sendable {
    enum State: String, Sendable, Encodable {
        /// All tests that show it passed.
        case passed
        /// A test that shows it failed in its last run.
        case failed
        /// A test that shows it has not run, or was skipped.
        case notRun = "not run"
        /// No test shows it.
        case notShown = "not shown"
        /// The unit tests of the phone's host have not run here.
        case unknown
        /// The phone does something else; see the reason.
        case open
        case notApplicable = "does not apply"
    }

    /// A case with the tests that show it.
    struct Entry: Sendable, Encodable {
        /// `SM/CEN/PROT/BV-01-C`, or a group: `GAP/PADV/*`.
        var name: String
        var text: String
        var state: State
        /// Why it is open or does not apply; nil if it must be shown.
        var reason: String?
        var tests: [RuleReport.Cover]
    }

    private(set) var entries: [Entry]
    /// Tests that show a case which is unknown, or does not apply, in the order of the cases' names. The trait `.shows`
    /// accepts none, so that these are from a build before a change of the table.
    let strangers: [(name: String, test: RuleReport.Cover)]
    /// Whether the results of the unit tests of the phone's host are known.
    let hasTests: Bool

    /// - Parameter record: The results of the unit tests; nil if they have not run.
    init(_ cases: [SIGCase] = SIGCase.all, tests record: UnitTestRecord?) {
        var covers: [String: [RuleReport.Cover]] = [:]
        for test in record?.tests ?? [] {
            let cover = RuleReport.Cover(name: test.name, title: test.title, verdict: test.outcome.rawValue)
            // A rule of the phone has no slash.
            for name in test.rules where name.contains("/") { covers[name, default: []].append(cover) }
        }
        let isKnown = !covers.isEmpty
        hasTests = isKnown
        entries = cases.map { each in
            let tests = each.absence == nil ? covers.removeValue(forKey: each.id) ?? [] : []
            let state: State =
                if let absence = each.absence { absence.isOpen ? .open : .notApplicable } else {
                    SIGReport.state(tests, isKnown: isKnown)
                }
            return Entry(name: each.id, text: each.text, state: state, reason: each.absence?.rawValue, tests: tests)
        }
        strangers = covers.sorted { $0.key < $1.key }.flatMap { name, tests in tests.map { (name, $0) } }
    }

    /// Keeps only the cases whose names begin so: `SM`, `GATT/CL`. Upper and lower case are equal.
    ///
    /// - Throws: ``UsageError`` for a beginning that no case has.
    mutating func select(_ beginnings: [String]) throws(UsageError) {
        if beginnings.isEmpty { return }
        let wanted = beginnings.map { $0.uppercased() }
        for (name, beginning) in zip(beginnings, wanted)
        where !entries.contains(where: { $0.name.hasPrefix(beginning) }) {
            throw UsageError(description: "no case of the SIG begins with “\(name)”; `hil rules --sig` lists them all")
        }
        entries = entries.filter { entry in wanted.contains { entry.name.hasPrefix($0) } }
    }

    /// The cases that apply, and that their tests do not show to hold.
    var findings: [Entry] { entries.filter { ![.passed, .open, .notApplicable].contains($0.state) } }

    /// A case may need all of its tests, so each must have passed.
    private static func state(_ tests: [RuleReport.Cover], isKnown: Bool) -> State {
        if !isKnown { return .unknown }
        if tests.isEmpty { return .notShown }
        if tests.contains(where: { ["failed", "unfinished"].contains($0.verdict) }) { return .failed }
        return tests.allSatisfy { $0.verdict == "passed" } ? .passed : .notRun
    }
}
