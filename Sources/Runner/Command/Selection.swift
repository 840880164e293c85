import Foundation
import HIL
import HILExecution
import HILRecord
import HILReports
import HILTiming
import RigModel

/// The scenarios that a command line selects, and their text.
struct Selection {
    /// The scenarios in the order of the list.
    let scenarios: [PlannedScenario]
    /// The scenarios in the order in which they would run.
    let agenda: Agenda
    /// The options of the run.
    let options: RunOptions
    /// The folder of the runs' folders, if it is known.
    let results: String
    /// Whether only failed scenarios were requested, and none failed.
    let isIdle: Bool
    private let format: ReportWriter.Format
    private let settings: Request.RunSettings?
    private let rig: RigDescription
    private let past: PastRuns
    /// How many cases run, each as often as it is repeated.
    private let runs: Int

    /// - Parameters:
    ///   - rig: The kind of rig to run on.
    ///   - settings: How to run them; nil to list them.
    init(_ choice: Request.Choice, of plan: Plan, on rig: RigKind = .virtual, _ settings: Request.RunSettings? = nil)
        throws
    {
        self.rig = rig.description(with: settings?.boards.kind ?? .auto)
        format = choice.format
        results = choice.out ?? "\(Project.find())/results"
        var filter = choice.filter
        if choice.lastFailed {
            let known = Set(plan.all.map(\.identifier))
            filter.identifiers = PastRuns.read(in: results).failed.intersection(known)
        }
        isIdle = filter.identifiers?.isEmpty == true
        scenarios = isIdle ? [] : try plan.selection(filter)
        self.settings = settings
        var options = settings?.options ?? RunOptions()
        if settings?.isShuffled == true, options.seed == nil { options.seed = .random(in: 1...999_999) }
        let runs = scenarios.count * (options.untilFail ? 1 : options.rounds ?? 1)
        if let settings { options.jobs = Selection.jobs(settings, runs, rig.footprint(with: settings.boards.kind)) }
        self.runs = runs
        // No limit while a person may look at a paused rig.
        if options.budget == nil, settings?.pausesOnFailure == false, !rig.isOfPerson {
            options.budget = options.longest(scenarios)
        }
        self.options = options
        // Durations matter only for several rigs, and for the text of a dry run.
        let isPastWanted = options.jobs > 1 || settings?.isDry == true
        past = isPastWanted ? PastRuns.read(in: results) : PastRuns()
        // Chosen scenarios keep their order.
        let isFirst = settings != nil && choice.filter == Filter() && !PastRuns.hasRuns(in: results)
        agenda = Agenda(scenarios, options, past: past, isFirst: isFirst)
    }

    /// The options with as many of the chosen rigs as this machine can run.
    ///
    /// - Throws: ``UsageError`` if more were requested.
    func options(for footprint: RigFootprint) throws(UsageError) -> RunOptions {
        var options = options
        guard let settings else { return options }
        options.jobs = Selection.jobs(settings, runs, footprint)
        if settings.jobs != nil, let problem = Jobs.problem(options.jobs, footprint) {
            throw UsageError(description: problem)
        }
        return options
    }

    private static func jobs(_ settings: Request.RunSettings, _ runs: Int, _ footprint: RigFootprint) -> Int {
        // How many benches there are is not known here.
        max(1, min(settings.jobs ?? (footprint == .remote ? 1 : Jobs.fitting(footprint)), runs))
    }

    /// A mistake in the accessory board's system, with the names of the programs that ask for it.
    func explain(_ mistake: SystemMistake) -> String {
        let programs = scenarios.flatMap(\.scenario.traits.programs).filter { program in
            program.packages.contains(where: mistake.packages.contains)
        }
        let names = Set(programs.map { "“\($0.name)”" }).sorted().joined(separator: ", ")
        return names.isEmpty ? "\(mistake)" : "the packages of the program \(names): \(mistake)"
    }

    /// One line per scenario: name, title and tags, or a JSON object.
    var text: [String] {
        if format == .json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return agenda.beginning.compactMap { planned in
                let entry = RunInfo.Entry(planned, Command.invocation)
                return (try? encoder.encode(entry)).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        if isIdle { return ["nothing to repeat: no scenario failed in its last run"] }
        let width = agenda.beginning.map(\.identifier.count).max() ?? 0
        let lines = agenda.beginning.map { planned in
            let space = String(repeating: " ", count: width - planned.identifier.count)
            let tags = planned.named.scenario.traits.tags.map { " #\($0)" }.joined()
            return "\(planned.identifier)\(space)  \(planned.named.scenario.title)\(tags)\(note(planned))"
        }
        return lines + (settings == nil ? [] : [summary])
    }

    /// The last line of a dry run.
    private var summary: String {
        let running = agenda.beginning.filter { $0.lack(on: rig) == nil }
        let known = running.compactMap { past.seconds(of: $0.caseIdentifier) }
        let count = running.count
        let time = Duration.seconds(known.reduce(0, +) / Double(options.jobs)).short
        let forecast = known.count == count && count > 0 ? "; about \(time)" : ""
        return
            "\(count) scenario\(count == 1 ? "" : "s") would run on the \(rig.kind) rig\(options.text)\(forecast)"
    }

    /// Why the scenario would be skipped or not count; else empty.
    private func note(_ planned: PlannedScenario) -> String {
        if let lack = planned.lack(on: rig) { return " (skipped: \(lack))" }
        guard let quarantine = planned.named.scenario.traits.quarantine else { return "" }
        return Judgement([]).quarantined(quarantine, today: UTCDay.today).reason.map { " (\($0))" } ?? ""
    }
}
