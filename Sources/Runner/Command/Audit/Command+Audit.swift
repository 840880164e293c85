import Foundation
import HILAudit
import HILExecution
import HILPOSIX
import HILRecord
import HILReports
import HILRules

// The command `hil audit`.
extension Command {
    /// Checks controls on the chosen accessories, and on those of the chosen scenarios, and reports it as a run: a case for
    /// each check.
    ///
    /// - Parameter only: The names of controls or families; none is all.
    /// - Returns: The exit code: 1 after a breach.
    @MainActor
    static func audit(
        _ choice: Request.Choice, _ settings: Request.RunSettings, _ only: [String], _ targets: AuditTargets,
        _ rules: [Rule], on rig: RigKind
    ) async throws -> Int32 {
        if let device = settings.device {
            return try await audit(device, choice, settings, only, rules, on: rig)
        }
        return try await audit(targets.chosen(choice.filter), choice, settings, only, rules, on: rig)
    }

    /// Checks controls on the accessories of these scenarios.
    static func audit(
        _ scenarios: [PlannedScenario], _ choice: Request.Choice, _ settings: Request.RunSettings, _ only: [String],
        _ rules: [Rule], on rig: RigKind
    ) async throws -> Int32 {
        let controls =
            only.isEmpty
            ? AuditControl.all
            : AuditControl.all.filter { control in
                only.contains { $0 == control.name || $0 == control.family.rawValue }
            }
        let checks = Plan(auditing: scenarios, controls)
        let missing = controls.filter { control in
            !checks.all.contains { $0.named.name.hasSuffix("~\(control.name)") }
        }
        for line in AuditText.lines(missing) { complain(line) }
        guard !checks.all.isEmpty else { return ExitCode.usage }
        var choice = choice
        choice.filter = Filter()
        let content = ContentKey(package: Project.find(), rig: "")
        let info = AuditInfo(of: scenarios, chosen: controls, checks: checks) { content.digests(of: $0) }
        return try await run(choice, settings, checks, rules, on: rig, audit: info)
    }
}

extension Command {
    /// Writes a run's `audit.json` to a further file, whole or not at all.
    static func writeAudit(of record: RunRecord, to file: String) throws {
        guard let document = AuditJSON(record)?.document else { return }
        do throws(SystemError) {
            try replaceFile(URL(fileURLWithPath: file).standardizedFileURL.path, with: document)
        } catch { throw notKept(error) }
    }
}

/// What an audit says beside the results of its checks.
enum AuditText {
    /// Which controls nothing here checks, why, and what to do instead: those of one reason in one line.
    static func lines(_ missing: [AuditControl]) -> [String] {
        var reasons: [(text: String, names: [String])] = []
        for control in missing {
            let left = AuditInfo.Missing(control, isChosen: true)
            let why = left.outcome == .outOfReach ? ", because \(left.reason)" : ": \(left.reason)"
            let text = left.outcome.words + why + (left.instead.map { ": \($0)" } ?? "")
            if let place = reasons.firstIndex(where: { $0.text == text }) {
                reasons[place].names.append(control.name)
            } else {
                reasons.append((text, [control.name]))
            }
        }
        return reasons.map { "\($0.text) (\($0.names.joined(separator: ", ")))" }
    }
}
