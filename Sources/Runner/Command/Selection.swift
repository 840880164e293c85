import Execution
import Foundation
import HIL
import Reports

/// The scenarios that a command line chooses, and how they are told.
struct Selection {
    let scenarios: [PlannedScenario]
    /// The folder of the runs' folders, if it is known.
    let results: String?
    /// Nothing failed last, and only that was asked for.
    let isIdle: Bool
    private let format: ReportWriter.Format

    init(_ choice: Request.Choice, of plan: Plan) throws {
        format = choice.format
        results = choice.out ?? Root.find().map { "\($0)/results" }
        var filter = choice.filter
        if choice.lastFailed {
            let known = Set(plan.all.map(\.identifier))
            filter.identifiers = PastRuns.read(in: results ?? "results").failed.intersection(known)
        }
        isIdle = filter.identifiers?.isEmpty == true
        scenarios = isIdle ? [] : try plan.selection(filter)
    }

    /// A line for each: name, title and tags, or a JSON object.
    var text: [String] {
        if format == .json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return scenarios.compactMap { planned in
                let entry = RunInfo.Entry(planned, program: CommandLine.arguments[0])
                return (try? encoder.encode(entry)).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        if isIdle { return ["nothing to repeat: nothing failed when it ran last"] }
        let width = scenarios.map(\.identifier.count).max() ?? 0
        return scenarios.map { planned in
            let space = String(repeating: " ", count: width - planned.identifier.count)
            let tags = planned.scenario.traits.tags.map { " #\($0)" }.joined()
            return "\(planned.identifier)\(space)  \(planned.scenario.title)\(tags)\(Selection.remark(planned))"
        }
    }

    /// Why it may not run, or not count.
    private static func remark(_ planned: PlannedScenario) -> String {
        let traits = planned.scenario.traits
        let lacks = traits.needs.filter { !VirtualRigs.capabilities.contains($0) }
        if !lacks.isEmpty { return " (skipped: \(Judgement(rig: VirtualRigs.kind, lacks: lacks).reason ?? ""))" }
        return Judgement([]).quarantined(traits.quarantine, today: UTCDay.today).reason.map { " (\($0))" } ?? ""
    }
}
