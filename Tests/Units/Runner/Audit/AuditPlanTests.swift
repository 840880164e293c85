import HIL
import HILAudit
import HILExecution
import Testing

@testable import HILCommand

@Suite("The plan of an audit")
struct AuditPlanTests {
    private static let lamp = NamedScenario(
        "lampIsSetUp", file: "Lamp.swift",
        Scenario("A lamp is set up", over: Axis("build", ["weak", "hard"])) { _, _ in })

    @Test("A check is a scenario of its own, for each case and each control that something checks here")
    func checks() throws {
        let plan = try Plan([Self.lamp])
        let weak = try #require(plan.all.first)
        let checks = Plan(auditing: [weak], AuditControl.all).all.map(\.identifier)
        #expect(checks.contains("lampIsSetUp~pairing.legacy[build=weak]"))
        #expect(checks.allSatisfy { $0.hasSuffix("[build=weak]") })
        #expect(!checks.contains { $0.contains("~paper.") || $0.contains("~air.signal") })
    }

    @Test("A worker finds a check by its name, and the command that makes it again names scenario and control")
    func names() throws {
        let plan = try Plan([Self.lamp])
        let name = "lampIsSetUp~pairing.legacy[build=hard]"
        let check = try #require(plan.planned(name))
        #expect(check.title == "It refuses legacy pairing: A lamp is set up [build=hard]")
        #expect(plan.planned("lampIsSetUp~pairing.none[build=hard]") == nil)
        #expect(plan.planned("lampIsSetUp~pairing[build=hard]") == nil)
        #expect(plan.planned("lampIsSetUp[build=weak]") != nil)
        #expect(Invocation().again(name) == "hil audit 'lampIsSetUp[build=hard]' --only pairing.legacy")
    }

    @Test("What nothing here checks is told with its reason, those of one reason together")
    func missing() {
        let lines = AuditText.lines(AuditControl.named("pairing.roleSwitch") + AuditControl.named("pairing.mutual"))
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("out of reach, because no virtual controller has the link manager") == true)
        #expect(lines.first?.hasSuffix("(pairing.roleSwitch, pairing.mutual)") == true)
    }

    @Test("The command takes scenarios and controls, and refuses a control that there is not")
    func commandLine() throws {
        guard
            case .audit(let choice, let settings, let only) = try Arguments.parse([
                "audit", "lampIsSetUp", "--only", "pairing,access.matrix", "--jobs", "2",
            ])
        else {
            Issue.record("not audit")
            return
        }
        #expect(choice.filter.patterns == ["lampIsSetUp"] && settings.jobs == 2)
        #expect(only == ["pairing", "access.matrix"])
        for (words, told) in [
            (["audit"], "needs a scenario"), (["audit", "lamp", "--only", "ground"], "no control “ground”"),
        ] {
            let error = #expect(throws: UsageError.self) { try Arguments.parse(words) }
            #expect(error?.description.contains(told) == true, "\(String(describing: error))")
        }
    }
}
