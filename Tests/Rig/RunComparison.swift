import HILExecution
import HILRecord

/// The differences between two runs of the same scenarios, for example on two kinds of boards.
struct RunComparison {
    /// A case that has not the same result in both runs, or a rule that only one of them covers; a line each.
    let differences: [String]
    /// How many cases both runs have.
    let count: Int

    /// - Parameter names: What to call the two runs.
    init(_ first: RunRecord, _ second: RunRecord, names: (String, String)) {
        let (cases, others) = (RunComparison.cases(first), RunComparison.cases(second))
        count = cases.keys.count { others[$0] != nil }
        let verdicts = Set(cases.keys).union(others.keys).sorted().compactMap { identifier -> String? in
            let (one, other) = (cases[identifier] ?? Outcome(), others[identifier] ?? Outcome())
            return one.name == other.name ? nil : "\(identifier): \(one) on \(names.0), \(other) on \(names.1)"
        }
        let (rules, otherRules) = (RunComparison.rules(first), RunComparison.rules(second))
        func only(_ rules: Set<String>, _ name: String) -> [String] {
            rules.sorted().map { "rule \($0) is covered on \(name) only" }
        }
        differences =
            verdicts + only(rules.subtracting(otherRules), names.0) + only(otherRules.subtracting(rules), names.1)
    }

    /// What came of one case.
    private struct Outcome: CustomStringConvertible {
        var name = "not run"
        var cause: String?

        var description: String { name + (cause.map { " (\($0))" } ?? "") }
    }

    /// The outcome of each case. One that passed on a retry has passed.
    private static func cases(_ record: RunRecord) -> [String: Outcome] {
        let pairs = record.entries.map { entry in
            guard let judgement = entry.result?.judgement else { return (entry.info.identifier, Outcome()) }
            let name = judgement.verdict == .flaky ? Verdict.passed.rawValue : judgement.verdict.rawValue
            let cause = judgement.verdict.isBad ? judgement.cause?.message : judgement.reason
            return (entry.info.identifier, Outcome(name: name, cause: cause))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The rules that the passed cases cover.
    private static func rules(_ record: RunRecord) -> Set<String> {
        Set(
            record.entries.filter { [.passed, .flaky].contains($0.result?.judgement.verdict) }.flatMap {
                $0.info.rules
            })
    }
}
