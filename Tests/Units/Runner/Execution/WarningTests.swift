import HIL
import HILRecord
import Testing

@testable import HILExecution

struct WarningTests {
    @Test("A check of an audit has looked at something, also if its breach is accepted: it gets no warning")
    func audited() {
        let scenario = Scenario("It is audited") { _ in }
        let planned = PlannedScenario(NamedScenario("audited", file: "a.swift", scenario), scenario.cases[0])
        func warning(_ events: [ScenarioEvent]) -> Warning? {
            let story = events.map { RunLine(scenario: "audited", worker: StampedEvent(time: 1, event: $0)) }
            return Warning.expectsNothing(planned, Judgement([]), in: story)
        }
        #expect(warning([.audit(.found(outcome: .accepted, reason: "it stays on; accepted", instead: nil))]) == nil)
        #expect(warning([.audit(.stranger(address: "02:00:00:00:02:B4", interface: "wifi"))]) != nil)
        #expect(warning([.expectation(text: "it is on", held: true, at: planned.scenario.location)]) == nil)
    }
}
