import HIL
import Testing

@testable import Execution

struct PlanTests {
    private static let joins = Scenario("A network is joined", .tags(.wifi, .smoke)) {
        Axis(\.security, [.wpa2, .wpa3])
    } run: { _, _ in
    }
    private static let pairs = Scenario("A die is paired and its rolls arrive", .tags(.pairing)) { _ in }
    private static let named = [
        NamedScenario("networkIsJoined", file: "NetworkIsJoined.swift", joins),
        NamedScenario("dieIsPaired", file: "Pairing/DieIsPaired.swift", pairs),
    ]

    private func chosen(_ patterns: [String] = [], tags: [String] = []) throws -> [String] {
        try Plan(PlanTests.named).selection(patterns: patterns, tags: tags).map(\.identifier)
    }

    @Test("Patterns are parts of names or titles, or wholes of them with * and ?; case does not matter")
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

    @Test("Tags choose, and patterns choose among those")
    func tags() throws {
        #expect(try chosen(tags: ["pairing"]) == ["dieIsPaired"])
        #expect(try chosen(tags: ["pairing", "wifi"]).count == 3)
        #expect(try chosen(["wpa3"], tags: ["smoke"]) == ["networkIsJoined[security=wpa3]"])
        #expect(throws: PlanError.nothingChosen) { try chosen(["paired"], tags: ["wifi"]) }
        #expect(throws: PlanError.unknownTag("wif", nearest: ["wifi"])) { try chosen(tags: ["wif"]) }
    }

    @Test("An unknown pattern names what may have been meant")
    func nearest() {
        #expect(throws: PlanError.unknownPattern("pared", nearest: ["dieIsPaired"])) { try chosen(["pared"]) }
        #expect(throws: PlanError.unknownPattern("netwrok", nearest: ["networkIsJoined"])) { try chosen(["netwrok"]) }
        #expect(throws: PlanError.unknownPattern("xyzzy", nearest: [])) { try chosen(["xyzzy"]) }
    }

    @Test("Two scenarios of one title are refused, with both files")
    func duplicates() {
        let twice = PlanTests.named + [NamedScenario("other", file: "Other.swift", PlanTests.pairs)]
        let title = PlanTests.pairs.title
        #expect(throws: PlanError.duplicateTitle(title, files: ["Pairing/DieIsPaired.swift", "Other.swift"])) {
            try Plan(twice)
        }
    }

    @Test("A folder's name has nothing that report readers or shells suffer from")
    func slug() throws {
        let planned = try Plan(PlanTests.named).all
        #expect(
            planned.map(\.slug) == ["networkIsJoined-security=wpa2", "networkIsJoined-security=wpa3", "dieIsPaired"])
    }
}
