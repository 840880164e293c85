import HIL
import HILRecord
import Testing

@testable import HILExecution

struct PlanTests {
    private static let joins = Scenario(
        "A network is joined", .tags(.wifi, .smoke), over: Axis("security", ["wpa2", "wpa3"])
    ) { _, _ in }
    private static let pairs = Scenario("A die is paired and its rolls arrive", .tags(.pairing)) { _ in }
    private static let named = [
        NamedScenario("networkIsJoined", file: "NetworkIsJoined.swift", joins),
        NamedScenario("dieIsPaired", file: "Pairing/DieIsPaired.swift", pairs),
    ]

    private func chosen(
        _ patterns: [String] = [], tags: [String] = [], conditions: [String] = []
    ) throws -> [String] {
        try Plan(PlanTests.named).selection(Filter(patterns: patterns, tags: tags, conditions: conditions))
            .map(\.identifier)
    }

    @Test("Long titles whose cases differ in a label have folders of their own")
    func longNames() throws {
        let name = String(repeating: "n", count: 200)
        let scenario = Scenario(name, over: Axis("lamp", ["1", "2"]) { $0 }) { _, _ in }
        let plan = try Plan([NamedScenario(name, file: "A.swift", scenario)])
        #expect(Set(plan.all.map(\.slug)).count == 2)
        #expect(plan.all.allSatisfy { $0.slug.utf8.count == 120 && $0.slug.hasPrefix("nnnn") })
    }

    @Test("Patterns are parts of names or titles, or whole ones with * and ?; case does not matter")
    func patterns() throws {
        #expect(try chosen() == ["networkIsJoined[security=wpa2]", "networkIsJoined[security=wpa3]", "dieIsPaired"])
        #expect(try chosen(["PAIRED"]) == ["dieIsPaired"])
        #expect(try chosen(["rolls arr"]) == ["dieIsPaired"])
        #expect(try chosen(["[security=wpa3]"]) == ["networkIsJoined[security=wpa3]"])
        #expect(try chosen(["die*"]) == ["dieIsPaired"])
        #expect(try chosen(["*security=wpa?]"]).count == 2)
        #expect(try chosen(["a network*", "dieIsPaired"]).count == 3)
        #expect(throws: PlanError.self) { try chosen(["die?"]) }
    }

    @Test("Two values of an axis with the same label are an error that says what to do")
    func sameLabels() throws {
        let sizes = Scenario("X", over: Axis("size", [1.0, 1.5]) { "\(Int($0))" }) { _, _ in }
        let error = #expect(throws: PlanError.duplicateCase("x[size=1]")) {
            try Plan([NamedScenario("x", file: "X.swift", sizes)])
        }
        #expect(error?.description.contains("different labels") == true)
    }

    @Test("A scenario that covers an unknown rule is an error that names its file")
    func unknownRule() {
        let wrong = NamedScenario("x", file: "X.swift", Scenario("X", .covers("K1", "Z1")) { _ in })
        #expect(throws: PlanError.unknownRule("Z1", file: "X.swift")) { try Plan(PlanTests.named + [wrong]) }
    }

    @Test("A scenario that declares both that it uses the accessory board and that it does not is an error")
    func boardAndNone() {
        let board: [ScenarioTrait] = [.accessory(AccessoryProgram(command: ["true"])), .needs(.accessoryBoard)]
        for trait in board {
            let wrong = NamedScenario("x", file: "X.swift", Scenario("X", trait, .withoutAccessoryBoard) { _ in })
            #expect(throws: PlanError.boardAndNone("X", file: "X.swift")) { try Plan(PlanTests.named + [wrong]) }
        }
    }

    @Test("What a scenario asks of the accessory board tells whether it uses it")
    func withoutBoard() throws {
        let scenarios = [Scenario("X") { _ in }, Scenario("Y", .withoutAccessoryBoard) { _ in }]
        let plan = try Plan(scenarios.map { NamedScenario($0.title.lowercased(), file: "X.swift", $0) })
        #expect(plan.all.map(\.accessoryNeeds.hasBoard) == [true, false])
    }

    @Test("The host board of a scenario is on from the start if the scenario declares what needs it")
    func hostBoard() throws {
        let traits: [ScenarioTrait] = [
            .tags(.pairing), .needs(.air, .capture), .tags(.wifi), .needs(.wifi), .needs(.homeNetwork), .needs(.power),
        ]
        let scenarios = traits.enumerated().map { Scenario("S\($0)", $1) { _ in } }
        let plan = try Plan(scenarios.map { NamedScenario($0.title.lowercased(), file: "X.swift", $0) })
        #expect(plan.all.map(\.accessoryNeeds.startsHost) == [false, false, true, true, true, true])
    }

    @Test("Errors and reports name a scenario's file with its folder, for any name of the folder")
    func sourceFiles() throws {
        let path = "/home/kim/lamps/Journeys/Pairing/Shines.swift"
        let shines = Scenario("It shines", .covers("Z1"), filePath: path) { _ in }
        let named = NamedScenario("shines", file: "Pairing/Shines.swift", shines)
        #expect(RunInfo.Entry(PlannedScenario(named, shines.cases[0])).file == "Journeys/Pairing/Shines")
        let error = #expect(throws: PlanError.self) { try Plan([named]) }
        #expect("\(try #require(error))".hasPrefix("Journeys/Pairing/Shines.swift covers the rule Z1"))
    }

    @Test("Tags and patterns together select the scenarios that match both")
    func tags() throws {
        #expect(try chosen(tags: ["pairing"]) == ["dieIsPaired"])
        #expect(try chosen(tags: ["pairing", "wifi"]).count == 3)
        #expect(try chosen(["wpa3"], tags: ["smoke"]) == ["networkIsJoined[security=wpa3]"])
        #expect(throws: PlanError.nothingChosen) { try chosen(["paired"], tags: ["wifi"]) }
        #expect(throws: PlanError.unknownTag("wif", nearest: ["wifi"])) { try chosen(tags: ["wif"]) }
    }

    @Test(
        "Tags are joined by not, and, or, in this order of strength, and by parentheses",
        arguments: [
            ("a and not b", [["a"], ["a", "c"]]), ("not a and not b", [["c"], []]),
            ("a or b and c", [["a"], ["a", "b"], ["b", "c"], ["a", "c"]]),
            ("(a or b) and c", [["b", "c"], ["a", "c"]]),
            ("not(a or b)", [["c"], []]), ("not not a", [["a"], ["a", "b"], ["a", "c"]]),
        ])
    func tagExpressions(text: String, matching: [[String]]) throws {
        let expression = try TagExpression(text)
        for tags in [["a"], ["b"], ["c"], ["a", "b"], ["b", "c"], ["a", "c"], []] {
            let isMatch = expression.matches(tags.map { Tag(stringLiteral: $0) })
            #expect(isMatch == matching.contains(tags), "\(tags)")
        }
    }

    @Test(
        "A choice by tags that makes no sense is refused with the reason",
        arguments: [
            ("", "a tag is missing at its end"), ("a and", "a tag is missing at its end"),
            ("and a", "a tag is missing before “and”"), ("a b", "“b” is one word too many"),
            ("(a or b", "a “)” is missing"), ("a)", "“)” is one word too many"),
            (String(repeating: "(", count: 100_000), "it is nested too deeply"),
        ])
    func unreadableTags(text: String, why: String) {
        #expect(throws: PlanError.unreadableTags(text, why: why)) { try TagExpression(text) }
    }

    @Test("Conditions select cases: one of the values for each name must match")
    func conditions() throws {
        #expect(try chosen(conditions: ["security=wpa3"]) == ["networkIsJoined[security=wpa3]"])
        #expect(try chosen(conditions: ["security=wpa3", "security=wpa2"]).count == 2)
        #expect(throws: PlanError.unreadableCondition("wpa3")) { try chosen(conditions: ["wpa3"]) }
        #expect(throws: PlanError.unknownCondition("security=wpa4", nearest: ["security=wpa2", "security=wpa3"])) {
            try chosen(conditions: ["security=wpa4"])
        }
    }

    @Test("A full name selects only the scenario with that name, so that a replay keeps its meaning")
    func fullName() throws {
        let longer = NamedScenario("dieIsPairedAndRolls", file: "X.swift", Scenario("dieIsPaired, longer") { _ in })
        let plan = try Plan(PlanTests.named + [longer])
        #expect(try plan.selection(Filter(patterns: ["dieIsPaired"])).map(\.identifier) == ["dieIsPaired"])
        #expect(try plan.selection(Filter(patterns: ["dieIsPair"])).count == 2)
        for planned in plan.all {
            #expect(
                try plan.selection(Filter(patterns: [planned.identifier])).map(\.identifier) == [planned.identifier])
        }
        #expect(Invocation().again(plan.all[0].caseIdentifier) == "hil run 'networkIsJoined[security=wpa2]'")
        #expect(
            Invocation(program: "/it's/hil").again(plan.all[2].caseIdentifier) == #"'/it'\''s/hil' run dieIsPaired"#)
    }

    @Test("A run by make is replayed through make, if the name needs no quotes")
    func invocation() {
        let make = Invocation(program: ".build/debug/hil", isByMake: true)
        #expect(make.again("dieIsPaired") == "make hil SCENARIOS=dieIsPaired")
        #expect(make.again("a[b=c]") == "make hil SCENARIOS='a[b=c]'")
        #expect(make.again("a[b=c d]") == ".build/debug/hil run 'a[b=c d]'")
        var older = make
        older.options = ["--accessory", "debian12"]
        #expect(older.again("dieIsPaired") == "make hil SCENARIOS=dieIsPaired OPTIONS=\"--accessory debian12\"")
        #expect(older.again("a[b=c d]") == ".build/debug/hil run 'a[b=c d]' --accessory debian12")
        #expect(make.worded("see `hil list`") == "see `.build/debug/hil list`")
    }

    @Test("Shards contain all scenarios, each in one shard")
    func shards() throws {
        let plan = try Plan(PlanTests.named)
        for count in 1...5 {
            let parts = try (1...count).flatMap { try plan.selection(Filter(shard: Shard("\($0)/\(count)"))) }
            #expect(parts.map(\.identifier).sorted() == plan.all.map(\.identifier).sorted())
        }
        for text in ["0/2", "3/2", "1", "1/", "a/b", "1/2/3", "-1/2"] { #expect(Shard(text) == nil, "\(text)") }
    }

    @Test("An unknown pattern gives suggestions")
    func nearest() {
        #expect(throws: PlanError.unknownPattern("pared", nearest: ["dieIsPaired"])) { try chosen(["pared"]) }
        #expect(throws: PlanError.unknownPattern("netwrok", nearest: ["networkIsJoined"])) { try chosen(["netwrok"]) }
        #expect(throws: PlanError.unknownPattern("xyzzy", nearest: [])) { try chosen(["xyzzy"]) }
    }

    @Test("Two scenarios with the same title are refused, with both files")
    func duplicates() {
        let twice = PlanTests.named + [NamedScenario("other", file: "Other.swift", PlanTests.pairs)]
        let title = PlanTests.pairs.title
        #expect(throws: PlanError.duplicateTitle(title, files: ["Pairing/DieIsPaired.swift", "Other.swift"])) {
            try Plan(twice)
        }
    }

    @Test("A folder's name has no characters that are difficult for report readers or shells")
    func slug() throws {
        let planned = try Plan(PlanTests.named).all
        #expect(
            planned.map(\.slug) == ["networkIsJoined-security=wpa2", "networkIsJoined-security=wpa3", "dieIsPaired"])
    }
}
