import HIL
import HILExecution
import HILExploration
import HILRecord
import Testing

@testable import HILCommand

struct ExploreCommandTests {
    @Test("Every option is read")
    func options() throws {
        let words = [
            "explore", "lamp", "--fault", "linkLost,powerCut", "--fault", "doorOpened", "--at", "write(FF03)#2",
            "--budget", "2min", "--pairs", "--resume", "--keep", "Scenarios/Found", "--jobs", "4", "--seed", "7",
            "--fail-on", "stuck,silent", "--boards", "qemu", "--format", "json",
        ]
        guard case .explore(let choice, let settings) = try Arguments.parse(words) else {
            Issue.record("not explore")
            return
        }
        #expect(choice.filter.patterns == ["lamp"] && choice.format == .json)
        #expect(settings.options.faults == ["linkLost", "powerCut", "doorOpened"])
        #expect(settings.options.moments == ["write(FF03)#2"] && settings.options.budget == 120)
        #expect(settings.options.pairs && settings.options.resumes && settings.options.seed == 7)
        #expect(settings.options.failOn == [.stuck, .silent] && settings.jobs == 4)
        #expect(settings.keep == "Scenarios/Found" && settings.boardOptions == ["--boards", "qemu"])
    }

    @Test(
        "A mistake is refused with what would be right",
        arguments: [
            (["explore"], "needs a scenario"), (["explore", "lamp", "--fail-on", "unharmed"], "findings are stuck,"),
            (["explore", "lamp", "--seed", "x"], "a seed is a whole number"),
            (["explore", "lamp", "--budget", "soon"], "a budget is a time"),
            (["explore", "lamp", "--rig", "pi-a,pi-b", "--boards", "qemu"], "--rig names existing boards"),
        ])
    func mistakes(words: [String], told: String) {
        let error = #expect(throws: UsageError.self) { try Arguments.parse(words) }
        #expect(error?.description.contains(told) == true, "\(String(describing: error))")
    }

    @Test("A fault that no scenario has is refused before anything starts; one of the team is known")
    func faults() throws {
        let door = TeamFault("doorOpened", begin: { _ in })
        let scenarios = try Plan([
            NamedScenario("latch", file: "Latch.swift", Scenario("A latch", .explores(faults: [door])) { _ in })
        ]).all
        try Command.check(["linkLost", "doorOpened"], of: scenarios)
        let error = #expect(throws: UsageError.self) { try Command.check(["dorOpened"], of: scenarios) }
        #expect(error?.description.hasPrefix("there is no fault dorOpened; there are doorOpened, ") == true)
    }

    @Test("A finding is kept as a scenario whose source names the base, the fault and what is usual")
    func kept() throws {
        let scenario = NamedScenario("lampIsSetUp", file: "Lamp.swift", Scenario("A \"lamp\" is set up") { _ in })
        var note = TrialNote()
        note.attempts = [.init(.passed, seconds: 1)]
        (note.state, note.leftovers) = ([.phoneBonds: 1, .accessories: 1], [.accessoryBonds: 1])
        let result = TrialResult(
            .init("linkLost", at: Moment("write(FF03)#2")), .silent, detail: "the app\nwaits", seconds: 9)
        let planned = try #require(try Plan([scenario]).all.first)
        let explored = ExploredScenario(planned: planned, journey: Journey([note]), findings: [])
        let kept = KeptFinding(explored, ExplorationFinding(shortest: result, trials: [result])).source
        #expect(kept.name == "lampIsSetUpLinkLostAtWriteFF032")
        #expect(
            kept.text == #"""
                import HIL

                // Found by `hil explore lampIsSetUp`. It fails until this is mended:
                // When the link is lost at write(FF03)#2, the app#xAwaits.
                let lampIsSetUpLinkLostAtWriteFF032 = Scenario(
                    "A \"lamp\" is set up: linkLost at write(FF03)#2",
                    exploring: lampIsSetUp, faults: [.init("linkLost", at: "write(FF03)#2")],
                    usual: "phoneBonds=1 accessories=1",
                    left: "accessoryBonds=1")

                """#)
    }
}
