import Execution
import Rules

/// Every rule with what covers it and how that went last: what `hil rules` tells.
///
/// As JSON it is one object a rule, a line each: see ``Entry``.
struct RuleReport: Sendable {
    /// The families of the phone of which every rule is to be covered; the others are listed only. A team's own are to be.
    static let heldFamilies: Set = ["P", "D", "K", "O", "A", "E", "M", "F", "C", "W"]

    /// A test or a scenario under a rule.
    struct Cover: Sendable, Encodable, Hashable {
        /// `PhoneTests.PickerMachineTests/timeout()`, or a scenario's name: `personCancels`.
        var name: String
        /// What it shows, as a sentence.
        var title: String
        /// Of a test `passed`, `failed`, `skipped`, `unfinished`; of a scenario its verdict, of several cases the worst; nil
        /// where it never ran.
        var verdict: String?
    }

    enum State: String, Sendable, Encodable {
        /// Nothing covers it.
        case uncovered
        /// No scenario covers it, and the unit tests have not run here, which may.
        case untold = "unknown"
        /// A test or a scenario that covers it failed when it ran last.
        case failed
        /// What covers it has not run, or was skipped.
        case notRun = "not run"
        case passed
    }

    /// A rule, with what covers it.
    struct Entry: Sendable, Encodable {
        /// Letters for the family and a number: `K3`.
        var rule: String
        var text: String
        /// How the rule is known: `seed`, `header`, `seen`, `inferred`, `open`, or what a team says of its own.
        var sources: [String]
        var state: State
        var tests: [Cover]
        var scenarios: [Cover]
        /// Whether `hil rules --check` holds it to being covered.
        var isHeld: Bool

        /// Whether a name in upper case is its own or its family's.
        func isCalled(_ name: String) -> Bool {
            let own = rule.uppercased()
            return own == name || own.prefix { !$0.isNumber } == name
        }
    }

    private(set) var entries: [Entry]
    /// What the sources are, each once, in the order of the rules.
    let sources: [Rule.Source]

    /// - Parameters:
    ///   - tests: What the unit tests did; nil when they have not run.
    ///   - past: What the scenarios did.
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
                isHeld: book.isOwn(rule) || RuleReport.heldFamilies.contains(rule.family))
        }
    }

    /// Leaves only these rules; letters alone stand for their family. Upper and lower case are one.
    ///
    /// - Throws: ``UsageError`` for a name that is neither.
    mutating func select(_ names: [String]) throws(UsageError) {
        if names.isEmpty { return }
        let wanted = names.map { $0.uppercased() }
        for name in wanted where !entries.contains(where: { $0.isCalled(name) }) {
            throw UsageError(description: "there is no rule “\(name)”; `hil rules` lists them all")
        }
        entries = entries.filter { entry in wanted.contains { entry.isCalled($0) } }
    }

    /// The rules that are to be covered, and are not or not well.
    var findings: [Entry] { entries.filter { $0.isHeld && [.uncovered, .untold, .failed].contains($0.state) } }

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

    /// - Parameter isWhole: Whether it is known what the unit tests cover.
    private static func state(_ covers: [Cover], isWhole: Bool) -> State {
        if covers.isEmpty { return isWhole ? .uncovered : .untold }
        if covers.contains(where: { ["failed", "unfinished"].contains($0.verdict) }) { return .failed }
        return covers.contains { ["passed", "flaky"].contains($0.verdict) } ? .passed : .notRun
    }
}
