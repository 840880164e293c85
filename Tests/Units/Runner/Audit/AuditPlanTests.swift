import HIL
import HILAudit
import HILExecution
import HILRecord
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

    @Test("The command that makes a check again has the seed and the number of its packets")
    func packets() {
        var order = AttackOrder()
        #expect(order.options == [])
        (order.seed, order.count) = (3, 500)
        var invocation = Invocation()
        invocation.options = order.options
        #expect(
            invocation.again("lampIsSetUp~robustness.lengths")
                == "hil audit lampIsSetUp --only robustness.lengths --seed 3 --packets 500")
    }

    @Test("A run knows all controls, those that were asked for, and why nothing checks the others")
    func info() throws {
        let plan = try Plan([Self.lamp])
        let chosen = AuditControl.named("pairing") + AuditControl.named("air.signal")
        let checks = Plan(auditing: plan.all, chosen)
        let info = AuditInfo(of: plan.all, chosen: chosen, checks: checks) { ["program": "of \($0.identifier)"] }
        #expect(info.controls.map(\.name) == AuditControl.all.map(\.name))
        func control(_ name: String) throws -> AuditInfo.Control {
            try #require(info.controls.first { $0.name == name })
        }
        let legacy = try control("pairing.legacy")
        #expect(legacy.isChosen && legacy.missing == nil && legacy.family == "pairing")
        #expect(legacy.clauses.map(\.text) == ["BSAM PA-04", "EN 18031 CRY-1", "EN 18031 SCM-3", "EN 303 645 5.5-1"])
        let signal = try control("air.signal")
        #expect(signal.isChosen && signal.missing?.outcome == .outOfReach && signal.missing?.instead != nil)
        #expect(try control("access.matrix").missing == .init(.notChecked, "the command line asks for others"))
        #expect(try !control("access.matrix").isChosen)
        let clauses = try #require(info.catalogues.first { $0.name == "EN 303 645" }?.clauses.map(\.number))
        #expect(clauses.suffix(2) == ["5.11-1", "5.13-1"], "in the order of their numbers")
        #expect(info.targets.map(\.scenario) == ["lampIsSetUp[build=weak]", "lampIsSetUp[build=hard]"])
        #expect(info.targets[0].digests == ["program": "of lampIsSetUp[build=weak]"])
        let first = try #require(checks.all.first)
        let entry = RunInfo.Entry(first)
        #expect(entry.check?.control == entry.control && entry.check?.target == "lampIsSetUp[build=weak]")
    }

    @Test("What nothing here checks is told with its reason, those of one reason together")
    func missing() {
        let lines = AuditText.lines(AuditControl.named("pairing.roleSwitch") + AuditControl.named("pairing.mutual"))
        #expect(lines.count == 1)
        #expect(
            lines.first?.hasPrefix("out of reach, because an attacker's controller does not show the link manager")
                == true)
        #expect(lines.first?.hasSuffix("(pairing.roleSwitch, pairing.mutual)") == true)
    }

    @Test("The command takes scenarios and controls, and refuses a control that there is not")
    func commandLine() throws {
        guard
            case .audit(let choice, let settings, let only) = try Arguments.parse([
                "audit", "lampIsSetUp", "--only", "pairing,access.matrix", "--jobs", "2", "--json", "audit.json",
                "--budget", "2min",
            ])
        else {
            Issue.record("not audit")
            return
        }
        #expect(choice.filter.patterns == ["lampIsSetUp"] && settings.jobs == 2)
        #expect(settings.auditFile == "audit.json")
        #expect(settings.options.lastStart == 120 && settings.options.budget == nil)
        #expect(only == ["pairing", "access.matrix"])
        for (words, told) in [
            (["audit"], "needs a scenario"), (["audit", "lamp", "--only", "ground"], "no control “ground”"),
        ] {
            let error = #expect(throws: UsageError.self) { try Arguments.parse(words) }
            #expect(error?.description.contains(told) == true, "\(String(describing: error))")
        }
    }
}
