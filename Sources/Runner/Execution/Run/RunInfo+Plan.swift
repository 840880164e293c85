import HIL
import HILRecord
import HILTiming

extension RunInfo.Entry {
    /// - Parameter invocation: How `hil` was called.
    package init(_ planned: PlannedScenario, _ invocation: Invocation = Invocation()) {
        let traits = planned.scenario.traits
        let needs = traits.needs + (planned.oneCase.system == nil ? [] : [.boardSystem])
        let programs = traits.programs.map(\.name)
        self.init(
            identifier: planned.identifier, title: planned.title,
            file: planned.named.sourceFile.replacing(".swift", with: ""), line: planned.scenario.location.line,
            tags: traits.tags.map(\.description), rules: traits.rules, needs: needs.map(\.rawValue),
            programs: programs.isEmpty ? nil : programs, quarantine: traits.quarantine, folder: planned.slug,
            replay: invocation.again(planned.caseIdentifier))
        control = planned.control?.name
    }
}

extension RunOptions {
    /// The longest time that these scenarios may take, in seconds: for each attempt its budget and ``slack`` for
    /// boards and evidence. nil if they repeat without end.
    package func longest(_ scenarios: [PlannedScenario]) -> Double? {
        if untilFail, rounds == nil { return nil }
        let each = scenarios.map { ($0.scenario.traits.budget.seconds + RunOptions.slack) * Double(retries + 1) }
        // In any order, the last one begins at the latest when the rigs have done all others.
        return each.reduce(0, +) * Double(rounds ?? 1) / Double(jobs) + (each.max() ?? 0)
    }

    /// The time around a scenario's body, in seconds: one and a half times what a board may take to get ready.
    static let slack = 90.0
}
