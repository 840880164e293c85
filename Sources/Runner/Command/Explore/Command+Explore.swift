import CryptoKit
import Foundation
import HIL
import HILExecution
import HILExploration
import HILPOSIX
import HILRecord
import HILReports
import HILRules
import RadioModel
import RigModel

// The command `hil explore`.
extension Command {
    /// Explores the chosen scenarios, and reports it as a run.
    ///
    /// - Returns: The exit code: 1 after a finding that fails.
    static func explore(
        _ choice: Request.Choice, _ settings: Request.ExploreSettings, _ plan: Plan, _ rules: [Rule], on rig: RigKind
    ) async throws -> Int32 {
        let scenarios = try plan.selection(choice.filter)
        let root = Project.find()
        let results = choice.out ?? "\(root)/results"
        for traits in scenarios.map(\.scenario.traits) {
            do {
                for program in traits.programs { try program.check(in: root) }
            } catch { throw UsageError(description: "\(error)") }
        }
        try check(settings.options.faults, of: scenarios)
        let interruption = Interruption()
        interruption.takeSignals()
        signal(SIGPIPE, SIG_IGN)
        try ResultsFolder.check(results)
        let rigs = try await rig.setUp(interruption, results, settings.boards, Set(scenarios.map(\.accessoryNeeds))) {
            complain($0)
        }
        var options = settings.options
        if let jobs = settings.jobs ?? (rigs.footprint == .remote ? 1 : nil) {
            options.jobs = jobs
        } else {
            options.jobs = Jobs.fittingTrials(rigs.footprint)
            options.spareJobs = options.jobs
        }
        if let problem = settings.jobs.flatMap({ Jobs.problem($0, rigs.footprint) }) {
            throw UsageError(description: problem)
        }
        let reports = try RunReports(
            in: results, root: root, choice.format, settings.flavor, comparedWith: .lastGood, rules)
        let content = ContentKey(package: root, rig: "\(rigs.label)")
        let run = ExplorationRun(
            scenarios, rigs: rigs, workers: WorkerProcesses(), folder: reports.folder, interruption: interruption,
            options: options, package: root, uuidNames: TeamNames.find(in: root), machine: try machine(),
            stores: { planned in
                try ExplorationStore(
                    "\(results)/explored-\(planned.slug).jsonl", key: content.key(of: planned))
            }
        ) { reports.take($0) }
        var invocation = invocation
        invocation.options = settings.boardOptions
        let explored: [ExploredScenario]
        do {
            explored = try await run.perform(
                version: Help.version, invocation: invocation, commit: await Commit.describe(root))
        } catch let error as SystemError { throw notKept(error) }
        if options.onlyMoments, choice.format == .text { say(MomentsText.lines(reports.record)) }
        if let keep = settings.keep {
            for scenario in explored { try keepScenarios(of: scenario, in: keep, root) }
        }
        let code = reports.finish()
        // Whether a journey has a moment is known only when it was made.
        if let misfit = explored.first?.misfit, explored.allSatisfy({ $0.misfit != nil }) {
            throw UsageError(description: misfit)
        }
        return code
    }

    /// Checks that each fault that was asked for is one of the harness or of a scenario.
    static func check(_ faults: [String], of scenarios: [PlannedScenario]) throws(UsageError) {
        let ofTeam = scenarios.flatMap(\.scenario.traits.teamFaults)
        let known = FaultKind.allCases.map(\.rawValue) + ofTeam
        guard let unknown = faults.first(where: { !known.contains($0) }) else { return }
        let nearest = Similarity.nearest(to: unknown, in: known)
        let others = known.filter { !nearest.contains($0) }
        throw UsageError(
            description: "there is no fault \(unknown); there are \((nearest + others).joined(separator: ", "))")
    }

    /// Writes each finding as a scenario that fails until it is mended.
    private static func keepScenarios(of explored: ExploredScenario, in folder: String, _ root: String) throws {
        for finding in explored.findings {
            try keep(KeptFinding(explored, finding).source, in: folder)
        }
    }
}

/// What the results of an exploration depend on: the program with all scenarios and apps, and the accessory's files.
struct ContentKey: Sendable {
    private let program: String
    private let package: String
    private let rig: String

    init(package: String, rig: String) {
        self.package = package
        self.rig = rig
        program = ContentKey.digest("/proc/self/exe") ?? "\(UInt64.random(in: 0 ... .max))"
    }

    private static func digest(_ path: String) -> String? {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else { return nil }
        return Hex.text(Array(SHA256.hash(data: data)))
    }

    /// The SHA-256 sums of what a case attacks: of the program with scenarios, apps and accessories as data, and of the
    /// accessory's files.
    func digests(of planned: PlannedScenario) -> [String: String] {
        var sums = ["the program of the scenarios": program]
        sums["the accessory's files"] = planned.accessoryNeeds(in: package).payload.map { "\($0.id)" }
        return sums
    }

    /// The key of a case's results.
    func key(of planned: PlannedScenario) -> String {
        let payload = planned.accessoryNeeds(in: package).payload.map { "\($0.id)" } ?? "-"
        return [planned.caseIdentifier, program, payload, rig].joined(separator: " ")
    }
}
