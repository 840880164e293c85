import Foundation
import HIL
import HILBluetoothHost
import HILExecution
import HILRules

/// `hil rules`: lists the rules of the phone and the team, with what covers them and the last results. With `--sig` it
/// lists the SIG's test cases for the phone's Bluetooth host instead.
struct RulesCommand {
    let request: Request.Ruling
    let rules: RuleBook
    /// Called with the lines to print.
    let say: ([String]) -> Void

    /// - Returns: The exit code: 1 if rules are checked and one is not covered, or its tests or scenarios failed, or if a
    ///   case of the SIG that applies is not shown.
    func run(_ plan: Plan) throws -> Int32 {
        let root = Project.find()
        let results = request.out ?? "\(root)/results"
        let tests = UnitTestRecord.read(in: root)
        if request.isSIG { return try runSIG(tests) }
        if request.isPhone { return try runPhone() }
        var report = RuleReport(rules, tests: tests, scenarios: plan.all, past: PastRuns.read(in: results))
        try report.select(request.rules)
        if request.isCheck {
            let code = check(report, hasTests: tests != nil)
            // A selection of rules has no cases of the SIG; a team's package has no tests of the phone's host.
            guard request.rules.isEmpty, tests != nil else { return code }
            return max(code, check(SIGReport(tests: tests)))
        }
        if request.format == .json {
            say(try json(report.entries))
            return 0
        }
        let width = LocalTerminal.isAvailable ? Int(LocalTerminal.size.columns) : 100
        let text = RuleText(width: width, isLong: !request.rules.isEmpty)
        let phone = request.rules.isEmpty ? [PhoneHabitText(habits: PhoneHabit.iPhone).summary] : []
        say(text.lines(report) + phone + (tests == nil ? [RulesCommand.noTests] : []))
        return 0
    }

    /// `hil rules --phone`.
    private func runPhone() throws -> Int32 {
        say(
            request.format == .json
                ? try json(PhoneHabit.iPhone + PhoneModel.all.flatMap(\.habits))
                : PhoneHabitText(habits: PhoneHabit.iPhone).lines + PhoneHabitText.models)
        return 0
    }

    /// `hil rules --sig`.
    private func runSIG(_ tests: UnitTestRecord?) throws -> Int32 {
        var report = SIGReport(tests: tests)
        try report.select(request.rules)
        if request.isCheck { return check(report) }
        if request.format == .json {
            say(try json(report.entries))
        } else {
            let text = SIGText(isLong: !request.rules.isEmpty)
            say(text.lines(report) + (report.hasTests ? [] : [RulesCommand.noTests]))
        }
        return 0
    }

    private func json(_ entries: [some Encodable]) throws -> [String] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try entries.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    }

    private func check(_ report: SIGReport) -> Int32 {
        let findings = SIGText().findings(report)
        say(findings + SIGText().summary(report))
        return findings.isEmpty ? 0 : 1
    }

    private func check(_ report: RuleReport, hasTests: Bool) -> Int32 {
        let required = report.entries.count { $0.isHeld }
        let findings = RuleText().findings(report)
        if findings.isEmpty {
            say(["all \(required) required rules are covered"])
            return 0
        }
        say(findings + (hasTests ? [] : [RulesCommand.noTests]))
        say(["\(findings.count) of the \(required) required rules are not covered, or their tests or scenarios failed"])
        return 1
    }

    private static let noTests = "the results of the unit tests are unknown: `make test` runs them"
}
