import HIL
import HILRecord
import Synchronization

/// The scenarios of a run in their order, round by round. Each rig takes the next one from it.
package final class Agenda: Sendable {
    private struct State {
        var waiting: ArraySlice<PlannedScenario>
        var generator: SplitMix64?
        /// How many rounds have been planned.
        var rounds: Int
        var isClosed = false
    }

    /// The scenarios known at the start: all rounds, or the first if the number of rounds is open.
    package let beginning: [PlannedScenario]
    private let scenarios: [PlannedScenario]
    private let options: RunOptions
    private let state: Mutex<State>

    /// - Parameters:
    ///   - scenarios: In the order of the list, which is the order of a round unless the options say otherwise.
    ///   - past: The durations of the scenarios in earlier runs.
    ///   - isFirst: Whether everything is to run, and nothing has run here before.
    package init(
        _ scenarios: [PlannedScenario], _ options: RunOptions, past: PastRuns = PastRuns(), isFirst: Bool = false
    ) {
        self.options = options
        // Of an audit, nothing is seen before its end.
        let listed =
            if options.lastStart != nil {
                Agenda.shortestFirst(scenarios, past)
            } else if isFirst && !scenarios.contains(where: { $0.control != nil }) {
                Agenda.smokeFirst(scenarios)
            } else { options.jobs > 1 ? Agenda.longestFirst(scenarios, past) : scenarios }
        self.scenarios = listed
        var generator = options.seed.map(SplitMix64.init)
        let known = options.untilFail ? 1 : options.rounds ?? 1
        beginning = (1...known).flatMap { Agenda.round($0, of: listed, &generator) }
        state = Mutex(State(waiting: beginning[...], generator: generator, rounds: known))
    }

    /// The next scenario; nil if none is left, or the agenda is closed.
    ///
    /// - Parameter announce: Called with the scenarios of a newly planned round, before its first is returned; called
    ///   under a lock.
    func next(announce: ([PlannedScenario]) -> Void) -> PlannedScenario? {
        state.withLock { state in
            if state.isClosed { return nil }
            if state.waiting.isEmpty, options.untilFail, !scenarios.isEmpty, state.rounds < options.rounds ?? .max {
                state.rounds += 1
                let round = Agenda.round(state.rounds, of: scenarios, &state.generator)
                announce(round)
                state.waiting = round[...]
            }
            return state.waiting.popFirst()
        }
    }

    /// Ends the agenda: ``next(announce:)`` returns nil from now on.
    func close() { state.withLock { $0.isClosed = true } }

    /// Sorts the scenarios of the tag `smoke` first: in a first run a person wants to see soon that everything works.
    private static func smokeFirst(_ scenarios: [PlannedScenario]) -> [PlannedScenario] {
        func isSmoke(_ planned: PlannedScenario) -> Bool { planned.scenario.traits.tags.contains(.smoke) }
        return scenarios.filter(isSmoke) + scenarios.filter { !isSmoke($0) }
    }

    /// Sorts the longest scenarios first, so that no long one runs last while the other rigs are idle. A new scenario
    /// counts as the longest; of a check of an audit it is known about how long it takes.
    private static func longestFirst(_ scenarios: [PlannedScenario], _ past: PastRuns) -> [PlannedScenario] {
        let seconds = scenarios.map { past.seconds(of: $0.caseIdentifier) ?? $0.control?.seconds ?? .infinity }
        // Scenarios of the same length keep their order.
        return scenarios.indices.sorted { (seconds[$1], $0) < (seconds[$0], $1) }.map { scenarios[$0] }
    }

    /// Sorts the shortest scenarios first, so that most of them begin before a budget is used up.
    private static func shortestFirst(_ scenarios: [PlannedScenario], _ past: PastRuns) -> [PlannedScenario] {
        let seconds = scenarios.map { past.seconds(of: $0.caseIdentifier) ?? $0.control?.seconds ?? .infinity }
        return scenarios.indices.sorted { (seconds[$0], $0) < (seconds[$1], $1) }.map { scenarios[$0] }
    }

    private static func round(
        _ number: Int, of scenarios: [PlannedScenario], _ generator: inout SplitMix64?
    ) -> [PlannedScenario] {
        let round = scenarios.map { $0.repeated(inRound: number) }
        return generator?.shuffle(round) ?? round
    }
}
