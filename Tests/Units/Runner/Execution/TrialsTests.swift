import HILExploration
import HILRecord
import Testing

@testable import HILExecution

/// Which trial is next while time passes.
struct TrialsTests {
    private static let moments = (1...9).map { Moment(.attribute, "write(\($0))") }
    private static let cells = moments.map { TrialOrder.Cell("linkLost", at: $0) }

    /// Trials whose fifth was made and has this outcome; the others wait in their order.
    private func trials(_ outcome: TrialOutcome) -> (trials: Trials, info: ExplorationInfo) {
        var run = TrialNote()
        run.moments = Self.moments.map { JourneyMoment($0, seconds: 0.1, hasLink: true) }
        run.attempts = [.init(.passed, seconds: 1)]
        let journey = Journey([run])
        let trials = Trials(journey: journey, seconds: nil)
        let info = ExplorationPlan(journey, faults: ["linkLost"]).info(journey, seed: 1)
        trials.add(TrialResult(Self.cells[4], outcome, seconds: 1), nil)
        trials.plan(Self.cells.enumerated().filter { $0.offset != 4 }.map { TrialOrder($0.element) })
        return (trials, info)
    }

    @Test("The trials at the edges of a finding go first from their time on, one at each, and then those in order")
    func edges() {
        let (trials, info) = trials(.silent)
        trials.preferEdges(of: info, from: .now + .seconds(300))
        #expect(trials.next()?.cell == Self.cells[0])
        trials.preferEdges(of: info, from: .now)
        #expect([trials.next()?.cell, trials.next()?.cell] == [Self.cells[1], Self.cells[7]])
        // Of these two nothing is known yet, so that others go on.
        #expect(trials.next()?.cell == Self.cells[2])
        trials.add(TrialResult(Self.cells[1], .unharmed, seconds: 1), nil)
        trials.add(TrialResult(Self.cells[7], .silent, seconds: 1), nil)
        #expect([trials.next()?.cell, trials.next()?.cell] == [Self.cells[8], Self.cells[3]])
    }

    @Test("When the time of the edges comes, what proved nothing is tried again before anything else")
    func held() {
        let (trials, info) = trials(.error)
        trials.preferEdges(of: info, from: .now)
        #expect(trials.next() == nil && trials.next() == nil)
        let left = trials.takeWaiting()
        #expect(left.count == 8)
        trials.planUnproven()
        #expect(trials.next()?.cell == Self.cells[4])
        #expect(trials.next() == nil)
        trials.plan(left)
        #expect(trials.next()?.cell == Self.cells[0])
    }
}
