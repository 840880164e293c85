import Foundation
import HIL
import HILAudit
import HILExecution
import Testing

@testable import HILCommand

extension AccessoryProgram {
    fileprivate static let latch = AccessoryProgram(named: "latch", command: ["./latch"], within: .seconds(5))
    fileprivate static let count = 3
    fileprivate static var broken: AccessoryProgram { fatalError("it is read though nobody attacks it") }
}

extension Peripheral {
    fileprivate static let lamp = peripheral(named: "Lamp")
    fileprivate static let lock = peripheral(named: "Lock")
}

extension HostStack {
    fileprivate static let kettle = HostStack.hostStack(command: ["kettle", "{socket}"], speaking: .unixSocket())
    @MainActor fileprivate static var lock: HostStack { kettle }
}

extension AuditExpectations {
    fileprivate static let latch = AuditExpectations(shows: .number)
}

@MainActor
@Suite("Accessories that audits attack by their names")
struct AuditTargetsTests {
    private static let plan = try? Plan([
        NamedScenario("lampIsSetUp", file: "Lamp.swift", Scenario("A lamp is set up") { _ in }),
        NamedScenario("latch", file: "Lamp.swift", Scenario("A latch is set up") { _ in }),
    ])

    /// As the plugin generates it.
    private static let accessories: [NamedAccessory] = {
        var list = AccessoryList(in: "/p/Scenarios")
        list.add(AccessoryProgram.latch, "latch", of: "AccessoryProgram", file: "Latch.swift", line: 3)
        list.add(AccessoryProgram.count, "count", of: "AccessoryProgram", file: "Latch.swift", line: 4)
        list.add(AccessoryProgram.broken, "broken", of: "AccessoryProgram", file: "Latch.swift", line: 5)
        list.add(Peripheral.lamp, "lamp", of: "Peripheral", file: "A/Lamp.swift", line: 6)
        list.add(Peripheral.lock, "lock", of: "Peripheral", file: "A/Lamp.swift", line: 7)
        list.add(HostStack.kettle, "kettle", of: "HostStack", file: "Kettle.swift", line: 8)
        list.add(HostStack.lock, "lock", of: "HostStack", file: "Kettle.swift", line: 9)
        list.add(AuditExpectations.latch, "latch", of: "AuditExpectations", file: "Latch.swift", line: 10)
        return list.accessories
    }()

    private static func targets(_ accessories: [NamedAccessory] = accessories) throws -> AuditTargets {
        AuditTargets(plan: try #require(plan), accessories: accessories)
    }

    private static func names(_ words: [String]) throws -> [String] {
        try targets().chosen(Filter(patterns: words)).map(\.identifier)
    }

    private static func mistake(_ word: String, _ accessories: [NamedAccessory] = accessories) throws -> String {
        let targets = try targets(accessories)
        return
            "\(String(describing: #expect(throws: UsageError.self) { try targets.chosen(Filter(patterns: [word])) }))"
    }

    @Test(
        "Constants of the three types are accessories, others of these types are not, and the file says where each is")
    func list() throws {
        #expect(
            try Self.targets().text(.text) == [
                ".latch           program, Scenarios/Latch.swift:3, with AuditExpectations.latch",
                ".broken          program, Scenarios/Latch.swift:5",
                ".lamp            accessory as data, Scenarios/A/Lamp.swift:6",
                "Peripheral.lock  accessory as data, Scenarios/A/Lamp.swift:7",
                ".kettle          host stack, Scenarios/Kettle.swift:8",
                "HostStack.lock   host stack, Scenarios/Kettle.swift:9",
            ])
        let json = try #require(try Self.targets().text(.json).first)
        #expect(
            json
                == #"{"file":"Scenarios/Latch.swift","hasExpectations":true,"line":3,"name":".latch","sort":"program"}"#
        )
        #expect(try Self.targets([]).text(.text).first?.contains("accessories: allAccessories") == true)
    }

    @Test(
        "What chooses among cases of scenarios is refused beside an accessory by its name",
        arguments: [
            (Filter(patterns: [".lamp"], conditions: ["a=b"]), "--where"),
            (Filter(patterns: [".lamp"], tags: ["smoke"]), "--tag"),
            (Filter(patterns: [".lamp"], shard: Shard("1/2")), "--shard"),
        ])
    func filters(filter: Filter, option: String) throws {
        let targets = try Self.targets()
        let error = #expect(throws: UsageError.self) { try targets.chosen(filter) }
        #expect(error?.description.hasPrefix("\(option) chooses among the cases of scenarios, and .lamp is") == true)
    }

    @Test("A name with its dot, with its type, or with stars chooses accessories; others choose scenarios")
    func chosen() throws {
        #expect(try Self.names([".latch"]) == [".latch"])
        #expect(try Self.names(["AccessoryProgram.latch", ".latch"]) == [".latch"])
        #expect(try Self.names(["Peripheral.lock"]) == ["Peripheral.lock"])
        #expect(try Self.names(["latch"]) == ["latch"])
        #expect(try Self.names(["lampIsSetUp", ".kettle"]) == [".kettle", "lampIsSetUp"])
        #expect(try Self.names([".la*"]) == [".latch", ".lamp"])
    }

    @Test(
        "An unknown name lists the names that there are, the nearest first; one that is not clear, those that it may be"
    )
    func mistakes() throws {
        #expect(
            try Self.mistake(".ketle").contains(
                "no accessory “.ketle”; there are .kettle, .latch, .broken, .lamp, Peripheral.lock, HostStack.lock"))
        #expect(try Self.mistake(".lock").contains("“.lock” may be Peripheral.lock or HostStack.lock"))
        #expect(try Self.mistake(".x*").contains("there are .latch"))
        #expect(try Self.mistake("kettle").contains("the accessory is called .kettle, with the dot"))
        #expect(try Self.mistake(".latch", []).contains("accessories: allAccessories"))
        let targets = try Self.targets()
        #expect(throws: PlanError.self) { try targets.chosen(Filter(patterns: ["doorbell"])) }
    }

    @Test(
        "A worker finds a check by the accessory's name, which has a folder that is shown, and a command that repeats it"
    )
    func checks() throws {
        let name = ".latch~pairing.legacy"
        let check = try #require(Plan.planned(name, of: Self.accessories))
        #expect(check.identifier == name && check.control?.name == "pairing.legacy")
        #expect(check.slug == "accessory.latch-pairing.legacy")
        #expect(Invocation().again(name) == "hil audit .latch --only pairing.legacy")
        #expect(check.named.file == "Latch.swift")
        #expect(
            Plan.planned("Peripheral.lock~access.matrix", of: Self.accessories)?.named.name.hasPrefix("Peripheral.lock")
                == true)
        #expect(Plan.planned(".none~pairing.legacy", of: Self.accessories) == nil)
        #expect(Plan.planned(".latch~pairing.none", of: Self.accessories) == nil)
        #expect(Plan.planned("latch~pairing.legacy", of: Self.accessories) == nil)
    }

    @Test("The scenario of an accessory needs what the accessory needs")
    func needs() throws {
        func traits(_ name: String) throws -> ScenarioTraits {
            try #require(Self.accessories.first { $0.name == name }).scenario.scenario.traits
        }
        let latch = try traits(".latch")
        #expect(latch.startingPrograms == [.latch] && latch.usesAccessoryBoard && latch.budget == .seconds(95))
        let kettle = try traits(".kettle")
        #expect(kettle.hostStacks.map(\.stack) == [.kettle] && !kettle.usesAccessoryBoard)
        let lamp = try traits(".lamp")
        #expect(lamp.programs.isEmpty && lamp.hostStacks.isEmpty && lamp.usesAccessoryBoard)
    }

    @Test("Packets that are kept name the accessory in Swift, with its expectations")
    func kept() throws {
        let packet = try #require(AttackPacket("0100040002"))
        func source(_ name: String) throws -> String {
            let check = try #require(Plan.planned("\(name)~robustness.attributes", of: Self.accessories))
            return try #require(KeptAttack(check, [packet])).source.text
        }
        let latch = try source(".latch")
        #expect(latch.contains("let latchRobustnessAttributes = Scenario("))
        #expect(latch.contains("`hil audit .latch --only robustness.attributes`"))
        #expect(
            latch.contains(
                "attacking: .settingUp(AccessoryProgram.latch, named: \".latch\", expecting: .latch), control: \"robustness.attributes\""
            ))
        #expect(
            try source("Peripheral.lock").contains(
                "attacking: .settingUp(Peripheral.lock, named: \"Peripheral.lock\"), control"))
    }

    @Test("The command takes names of accessories, and lists them")
    func commandLine() throws {
        guard
            case .audit(let choice, _, only: ["pairing"]) = try Arguments.parse([
                "audit", ".latch", "--only", "pairing",
            ])
        else {
            Issue.record("not audit")
            return
        }
        #expect(choice.filter.patterns == [".latch"])
        guard case .auditTargets(let listed) = try Arguments.parse(["audit", "--targets", "--format", "json"]) else {
            Issue.record("not the list")
            return
        }
        #expect(listed.format == .json)
    }
}
