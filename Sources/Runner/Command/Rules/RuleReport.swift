import HILExecution
import HILRecord
import HILRules

/// All rules with the tests and scenarios that cover them and their last results, for `hil rules`.
///
/// As JSON it has one line with an object for each rule: see ``Entry``.
struct RuleReport: Sendable {
    /// The families of the phone's rules that must be covered; others are only listed. A team's own rules must be
    /// covered.
    static let requiredFamilies: Set = ["P", "D", "K", "O", "A", "E", "M", "F", "C", "W"]

    /// A test or a scenario that covers a rule.
    struct Cover: Sendable, Encodable, Hashable {
        /// `PhoneTests.PickerMachineTests/timeout()`, or a scenario's name: `personCancels`.
        var name: String
        /// Its title, as a sentence.
        var title: String
        /// For a test `passed`, `failed`, `skipped` or `unfinished`; for a scenario its verdict, the worst of several
        /// cases; nil if it never ran.
        var verdict: String?
    }

    enum State: String, Sendable, Encodable {
        /// Nothing covers it.
        case uncovered
        /// No scenario covers it, and the unit tests, which might, have not run here.
        case unknown
        /// A test or a scenario that covers it failed in its last run.
        case failed
        /// The tests and scenarios that cover it have not run, or were skipped.
        case notRun = "not run"
        case passed
    }

    /// A rule with the tests and scenarios that cover it.
    struct Entry: Sendable, Encodable {
        /// Letters for the family and a number: `K3`.
        var rule: String
        var text: String
        /// The sources of the rule: `seed`, `header`, `seen`, `inferred`, `open`, or a team's own.
        var sources: [String]
        var state: State
        var tests: [Cover]
        var scenarios: [Cover]
        /// Whether `hil rules --check` requires that it is covered.
        var isHeld: Bool

        /// Whether a name in upper case is that of the rule or of its family.
        func isCalled(_ name: String) -> Bool {
            let own = rule.uppercased()
            return own == name || own.prefix { !$0.isNumber } == name
        }
    }

    private(set) var entries: [Entry]
    /// All sources, each once, in the order of the rules.
    let sources: [Rule.Source]

    /// - Parameters:
    ///   - tests: The results of the unit tests; nil if they have not run.
    ///   - past: The results of the scenarios.
    init(
        _ book: RuleBook = RuleBook(), tests record: UnitTestRecord?, scenarios: [PlannedScenario], past: PastRuns
    ) {
        var seen: Set<Rule.Source> = []
        let known: [Rule.Source] = [.seed, .header, .seen, .inferred, .open]
        sources = (known + book.rules.flatMap(\.sources)).filter { seen.insert($0).inserted }
        entries = book.rules.map { rule in
            let tests = (record?.tests ?? []).filter { $0.rules.contains(rule.id) }.map {
                Cover(name: $0.name, title: $0.title, verdict: $0.outcome.rawValue)
            }
            let scenarios = RuleReport.covers(of: rule.id, in: scenarios, past)
            return Entry(
                rule: rule.id, text: rule.text, sources: rule.sources.map(\.name),
                state: RuleReport.state(tests + scenarios, isWhole: record != nil), tests: tests, scenarios: scenarios,
                isHeld: book.isOwn(rule) || RuleReport.requiredFamilies.contains(rule.family))
        }
    }

    /// Keeps only these rules. Letters without a number select a family. Upper and lower case are equal.
    ///
    /// - Throws: ``UsageError`` for an unknown name.
    mutating func select(_ names: [String]) throws(UsageError) {
        if names.isEmpty { return }
        let wanted = names.map { $0.uppercased() }
        for name in wanted where !entries.contains(where: { $0.isCalled(name) }) {
            throw UsageError(description: "there is no rule “\(name)”; `hil rules` lists them all")
        }
        entries = entries.filter { entry in wanted.contains { entry.isCalled($0) } }
    }

    /// The rules that must be covered but are not, or whose tests or scenarios failed.
    var findings: [Entry] { entries.filter { $0.isHeld && [.uncovered, .unknown, .failed].contains($0.state) } }

    private static func covers(of rule: String, in scenarios: [PlannedScenario], _ past: PastRuns) -> [Cover] {
        var covers: [Cover] = []
        for planned in scenarios where planned.scenario.traits.rules.contains(rule) {
            let verdict = past.last(of: planned.caseIdentifier)
            if covers.last?.name == planned.named.name {
                let worse = [covers.last?.verdict.flatMap(Verdict.init(rawValue:)), verdict].compactMap { $0 }
                covers[covers.count - 1].verdict = worse.max { badness($0) < badness($1) }?.rawValue
            } else {
                covers.append(
                    Cover(name: planned.named.name, title: planned.scenario.title, verdict: verdict?.rawValue))
            }
        }
        return covers
    }

    private static func badness(_ verdict: Verdict) -> Int {
        switch verdict {
        case .skipped: 0
        case .passed: 1
        case .flaky: 2
        case .quarantined: 3
        case .error: 4
        case .failed: 5
        }
    }

    /// - Parameter isWhole: Whether the unit tests' results are known.
    private static func state(_ covers: [Cover], isWhole: Bool) -> State {
        if covers.isEmpty { return isWhole ? .uncovered : .unknown }
        if covers.contains(where: { ["failed", "unfinished"].contains($0.verdict) }) { return .failed }
        return covers.contains { ["passed", "flaky"].contains($0.verdict) } ? .passed : .notRun
    }
}
