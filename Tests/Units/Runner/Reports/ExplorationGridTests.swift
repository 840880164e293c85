import Foundation
import HILRecord
import Testing

@testable import HILReports

struct ExplorationGridTests {
    private static let write = Moment(.attribute, "write(FF03)")
    private static let step = Moment(.step, "step(pair)")

    /// Two moments and three faults, one of which makes sense nowhere.
    private static let exploration: ExplorationRecord = {
        let info = ExplorationInfo(
            moments: [JourneyMoment(step, seconds: 0), JourneyMoment(write, seconds: 0.2, screen: "picker")],
            faults: ["linkLost", "powerCut", "networkGone"], planned: 3,
            leftOut: [
                .init(reason: "no link is up", cells: [.init("linkLost", at: step)]),
                .init(
                    reason: "the scenario opens no home's network",
                    cells: [.init("networkGone", at: step), .init("networkGone", at: write)]),
            ], seed: 1, seconds: 1)
        var exploration = ExplorationRecord(info)
        exploration.results = [
            TrialResult(
                .init("linkLost", at: write), .silent, detail: "the app waits for ever", step: "pair", seconds: 9),
            TrialResult(.init("powerCut", at: step), .unharmed, seconds: 1),
        ]
        return exploration
    }()

    @Test(
        "A line for each fault that makes sense, a mark for each trial, a stroke for one to go, and a space for nonsense"
    )
    func grid() {
        let grid = ExplorationGrid(Self.exploration)
        #expect(grid.lines(width: 80) == ["linkLost      ?", "powerCut     ·_"])
        #expect(grid.counts == "1 unharmed, 1 silent" && grid.legend == "· unharmed   ? silent")
        #expect(grid.head == "2 moments × 3 faults: 3 trials make sense")
        let one = ExplorationInfo(moments: [], faults: ["linkLost"], planned: 1, leftOut: [], seed: 1, seconds: 1)
        #expect(ExplorationGrid(ExplorationRecord(one)).head == "0 moments × 1 fault: 1 trial makes sense")
        #expect(grid.lines(width: 14) == ["powerCut     ·"], "what does not fit is left out at the end")
    }

    @Test("The page has the trials by their places, and each finding leads to its case")
    func page() throws {
        let page = PageExploration(Self.exploration, of: "lampIsSetUp")
        #expect(page.moments.map(\.name) == ["step(pair)", "write(FF03)"] && page.planned == 3)
        #expect(page.cells.map(\.moment) == [1, 0] && page.cells.map(\.fault) == [0, 1])
        #expect(page.cells.map(\.finding) == ["lampIsSetUp~silent-link-pair", nil])
        #expect(page.leftOut.map(\.cells) == [[[0, 0]], [[0, 2], [1, 2]]])
    }

    @Test("A hostile name stays one line in summary.md")
    func summary() {
        let entry = RunInfo.Entry(identifier: "lamp", title: "A lamp\n# is set up", folder: "lamp")
        let info = RunInfo(version: "1", rig: "native", machine: "m", folder: "/f", scenarios: [entry])
        var record = RunRecord()
        record.take(RunLine(time: 1, runner: .runBegan(info)))
        record.take(RunLine(time: 2, scenario: "lamp", runner: .explorationBegan(Self.exploration.info)))
        for result in Self.exploration.results {
            record.take(RunLine(time: 3, scenario: "lamp", runner: .trialEnded(result)))
        }
        let text = Markdown(record, root: nil).document()
        #expect(text.contains("2 moments × 3 faults: 3 trials make sense; 2 trials: 1 unharmed, 1 silent"))
        #expect(!text.contains("\n# is"))
    }
}
