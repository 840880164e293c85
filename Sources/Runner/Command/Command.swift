import Foundation
import HIL
import HILBench
import HILExecution
import HILPOSIX
import HILRecord
import HILReports
import HILRules
import HILTiming
import RigModel
import Synchronization
import VirtualRig

/// The command `hil`, for the main function of a team's own program.
public enum Command {
    enum ExitCode {
        static let rig: Int32 = 2
        static let usage: Int32 = 64
    }

    /// Runs the command line, and ends the process with the exit code of `hil --help`.
    ///
    /// It keeps the main thread, for the main run loop of the apps under test: call it first.
    ///
    /// - Parameters:
    ///   - arguments: The command line without the program's name.
    ///   - scenarios: All scenarios, as the plugin `ScenarioList` lists them: `allScenarios`.
    ///   - accessories: All accessories that `hil audit` can attack by their names, as the plugin lists them:
    ///     `allAccessories`.
    ///   - own: The team's own rules, which scenarios may cover besides the rules of the phone.
    @MainActor
    public static func main(
        _ arguments: [String] = Array(CommandLine.arguments.dropFirst()), of scenarios: [NamedScenario],
        accessories: [NamedAccessory] = [], rules own: [Rule] = []
    ) -> Never {
        main(arguments, of: scenarios, accessories: accessories, rules: own, on: .virtual)
    }

    /// Runs the command line on rigs of another kind.
    @MainActor
    package static func main(
        _ arguments: [String], of scenarios: [NamedScenario], accessories: [NamedAccessory] = [],
        rules own: [Rule] = [], on rig: RigKind
    ) -> Never {
        MainThread.run { await perform(arguments, of: scenarios, accessories, rules: own, on: rig) }
    }

    @MainActor
    private static func perform(
        _ arguments: [String], of scenarios: [NamedScenario], _ accessories: [NamedAccessory], rules own: [Rule],
        on rig: RigKind
    ) async -> Never {
        let rules = RuleBook(adding: own)
        do {
            let request = try Arguments.parse(arguments)
            try await Rebuild.ensure(request, note: complain)
            switch request {
            case .help(let command): say(Help.text(of: command))
            case .version:
                let commit: String? = if let checkout = Checkout.find() { await Commit.describe(checkout) } else { nil }
                say("hil \(Help.version)" + (commit.map { " (\($0))" } ?? ""))
            case .completions(let shell): say(ShellCompletions.script(for: shell))
            case .manual: say(ManualPage.text)
            case .worker(let job):
                await Worker.run(
                    job, of: scenarios, accessories: accessories, rules: rules, connectors: rig.connectors)
            case .guardProcess(let arguments): ProcessGuard.run(arguments)
            case .list(let choice): say(try Selection(choice, of: Plan(scenarios, rules: rules), on: rig).text)
            case .rules(let request):
                end(try RulesCommand(request: request, rules: rules, say: say).run(Plan(scenarios, rules: rules)))
            case .check(let request): end(try CheckCommand(request: request, say: say).run())
            case .history(let request):
                let results = request.out ?? "\(Project.find())/results"
                end(try HistoryCommand(request: request, results: results, say: say, note: complain).run())
            case .compare(let request):
                let results = request.out ?? "\(Project.find())/results"
                end(try CompareCommand(request: request, results: results, say: say, note: complain).run())
            case .parity(let request):
                let results = request.out ?? "\(Project.find())/results"
                if PhoneCapture.areNamed(request.first, request.second, in: results) {
                    end(try await CaptureParityCommand(request: request, results: results, say: say).run())
                }
                try ParityCommand(request: request, results: results, say: say, note: complain).run()
            case .learn(let request):
                let results = "\(Project.find())/results"
                try await LearnCommand(request: request, results: results, say: say, note: complain).run()
            case .bench(let request):
                signal(SIGPIPE, SIG_IGN)
                try await BenchCommand(request: request, say: say, note: complain).run()
            case .report(let request):
                let root = Project.find()
                end(
                    try ReportCommand(
                        request: request, results: request.out ?? "\(root)/results", root: root, rules: rules.rules,
                        say: say,
                        note: complain
                    ).run())
            case .watch(let request):
                let interruption = Interruption()
                interruption.takeSignals()
                let root = Project.find()
                let command = WatchCommand(
                    request: request, results: request.out ?? "\(root)/results", root: root, rules: rules.rules,
                    say: say)
                try await command.run(until: interruption)
            case .play(let request):
                let interruption = Interruption()
                interruption.takeSignals()
                let command = PlayCommandLine(
                    request: request, plan: try Plan(scenarios, rules: rules), root: Project.find(), rig: rig, say: say,
                    note: complain)
                try await command.run(until: interruption)
            case .record(let request):
                let interruption = Interruption()
                interruption.takeSignals()
                let command = RecordCommand(
                    request: request, plan: try Plan(scenarios, rules: rules), root: Project.find(),
                    rig: request.rig.map { RigKind.requested($0) } ?? rig, say: write, note: complain)
                try await command.run(until: interruption)
            case .initialize(let request):
                let current = FileManager.default.currentDirectoryPath
                try InitCommand(request: request, checkout: Checkout.get(), current: current, say: say).run()
            case .setUp(_, let system, let isImageAlone): try await setUp(system, isImageAlone)
            case .kernel(let request): try await KernelCommand(say: say, note: complain).run(request)
            case .capture(let scenario, let arguments):
                let root = Project.find()
                let folder = try EvidenceFolder.find(scenario, in: "\(root)/results")
                try CaptureCommand(folder: folder, arguments: arguments, names: TeamNames.find(in: root)).show()
            case .prepare(let request):
                try await PrepareCommand(request: request, checkout: Checkout.get(), say: say).run()
            case .doctor(let bench?):
                end(try await BenchDoctor(rig: bench, say: say, note: complain).report() ? 0 : ExitCode.rig)
            case .doctor(nil):
                end(await Doctor(checkout: Checkout.find(), project: Project.find()).report(say) ? 0 : ExitCode.rig)
            case .tap(let filter):
                try await Tap(filter: filter, checkout: Project.find(), say: sayOrEnd, note: complain).run()
            case .open(let request): end(try await boards().open(request))
            case .shell(let request): end(try await boards().shell(request))
            case .explore(let choice, let settings):
                let kind = settings.rig.map { RigKind.requested($0) } ?? rig
                end(try await explore(choice, settings, Plan(scenarios, rules: rules), rules.rules, on: kind))
            case .audit(let choice, let settings, let only):
                let kind = settings.rig.map { RigKind.requested($0) } ?? rig
                let targets = AuditTargets(plan: try Plan(scenarios, rules: rules), accessories: accessories)
                end(try await audit(choice, settings, only, targets, rules.rules, on: kind))
            case .auditTargets(let choice):
                say(AuditTargets(plan: try Plan(scenarios, rules: rules), accessories: accessories).text(choice.format))
            case .run(let choice, let settings):
                let kind = settings.rig.map { RigKind.requested($0) } ?? rig
                end(try await run(choice, settings, Plan(scenarios, rules: rules), rules.rules, on: kind))
            }
            end(0)
        } catch let error as UsageError {
            complain("\(error)")
            end(ExitCode.usage)
        } catch let error as PlanError {
            complain("\(error)")
            end(ExitCode.usage)
        } catch let error as SystemMistake {
            complain("\(error)")
            end(ExitCode.usage)
        } catch {
            complain("\(error)")
            end(ExitCode.rig)
        }
    }

    /// How this process was called. The Makefile and the launcher of `make install` set `HIL_STARTED_BY`.
    static let invocation: Invocation = {
        let starter = ProcessInfo.processInfo.environment["HIL_STARTED_BY"]
        return Invocation(program: starter == "hil" ? "hil" : CommandLine.arguments[0], isByMake: starter == "make")
    }()

    /// How this process was called, with the options that a repetition needs.
    private static func invocation(with settings: Request.RunSettings) -> Invocation {
        var invocation = invocation
        if let rig = settings.rig { invocation.options = ["--rig", "\(rig)"] + settings.person.options }
        invocation.options += settings.attack.options
        if let device = settings.attack.device { invocation.options += ["--device", "\(device.address.address)"] }
        if let archive = settings.boards.archive { invocation.options += ["--accessory-rootfs", archive] }
        if settings.boards.accessory != .debian13 {
            invocation.options += ["--accessory", "\(settings.boards.accessory)"]
        }
        return invocation
    }

    private static func boards() -> Boards {
        signal(SIGPIPE, SIG_IGN)
        let interruption = Interruption()
        interruption.takeSignals()
        return Boards(interruption: interruption, say: say, note: complain)
    }

    private static func setUp(_ system: BoardSystem, _ isImageAlone: Bool) async throws {
        let interruption = Interruption()
        interruption.takeSignals()
        let began = ContinuousClock.now
        let hasWork = Atomic(false)
        if isImageAlone {
            return try await interruptible(interruption) { try await $0.prepareImage(system) { say($0) } }
        }
        _ = try await prepare(interruption, .auto, [system]) { line in
            hasWork.store(true, ordering: .relaxed)
            say(line)
        }
        if hasWork.load(ordering: .relaxed) {
            say("the virtual rig is ready after \((ContinuousClock.now - began).short)")
        }
    }

    static func run(
        _ choice: Request.Choice, _ settings: Request.RunSettings, _ plan: Plan, _ rules: [Rule], on rig: RigKind,
        audit: AuditInfo? = nil
    ) async throws -> Int32 {
        let selection = try Selection(choice, of: plan, on: rig, settings)
        let root = Project.find()
        do {
            for traits in selection.scenarios.map(\.scenario.traits) {
                for program in traits.programs { try program.check(in: root) }
                try traits.checkStartingPrograms()
                for stack in traits.hostStacks { try stack.check() }
            }
        } catch { throw UsageError(description: "\(error)") }
        // Which boards `auto` takes is not known here, so the limit of the smaller ones applies.
        _ = try selection.options(
            for: settings.boards.kind == .auto ? .native : rig.footprint(with: settings.boards.kind))
        if settings.isDry || selection.isIdle {
            say(selection.text)
            return 0
        }
        let interruption = Interruption()
        interruption.takeSignals()
        // Writing to a worker or a reader that is gone returns an error instead.
        signal(SIGPIPE, SIG_IGN)
        let results = selection.results
        // Checked first, because the set-up may take minutes.
        try ResultsFolder.check(results)
        if case .named(let name) = settings.baseline { _ = try Baseline.named(name, in: results) }
        let able = selection.scenarios.filter { $0.lack(on: rig.description(with: settings.boards.kind)) == nil }
        let needs = Set(able.map(\.accessoryNeeds))
        let rigs: any RigProvider
        do { rigs = try await rig.setUp(interruption, results, settings.boards, needs) { complain($0) } } catch let
            mistake
            as SystemMistake
        {
            throw UsageError(description: selection.explain(mistake))
        }
        let options = try selection.options(for: rigs.footprint)
        if let warning = Jobs.warning(options.jobs, rigs.footprint) { complain(warning) }
        defer { settings.retention.apply(to: results) }
        let reports = try RunReports(
            in: results, root: root, choice.format, settings.flavor, comparedWith: settings.baseline, rules)
        let pause = settings.pausesOnFailure ? PauseAtTerminal(interruption).hook(reports.writer) : nil
        let desk = try settings.person.desk(for: settings.rig, interruption, reports.writer)
        defer { desk?.close() }
        var person: Run.Person?
        if let desk { person = { turn, folder in await desk.take(turn, in: folder) } }
        let run = Run(
            selection.agenda, rigs: rigs, workers: WorkerProcesses(), folder: reports.folder,
            interruption: interruption,
            options: options, keepsKeys: settings.keepsKeys, package: root, uuidNames: TeamNames.find(in: root),
            folderLimit: settings.retention.bytes, machine: try machine(), pause: pause,
            attack: settings.attack, person: person
        ) { reports.take($0) }
        do {
            try await run.perform(
                version: Help.version, invocation: Command.invocation(with: settings),
                commit: await Commit.describe(root), audit: audit)
        } catch let error as SystemError { throw notKept(error) }
        let code = reports.finish()
        if let file = settings.auditFile { try writeAudit(of: reports.record, to: file) }
        if let keep = settings.keptAttacks { try keepAttacks(on: selection.scenarios, of: reports.folder, in: keep) }
        return code
    }

    /// What this process sees of its machine.
    static func machine() throws(RigFailure) -> MachineWitness {
        do { return try MachineWitness.own() } catch {
            throw .wrapping(error, while: "beginning to watch for lateness")
        }
    }

    /// Adds the run to the history. Its verdicts stand even if that fails.
    static func remember(_ record: RunRecord, in results: String) {
        let history = HistoryCommand(
            request: Request.HistoryRequest(task: .show(nil)), results: results, say: say, note: complain)
        do { try history.keep(record) } catch { complain("the run is not in the history: \(error)") }
    }

    /// The kind of boards, and the accessory board's system, that a command line requests.
    ///
    /// A team's own root file system runs on QEMU unless native boards are requested: they have another kernel.
    static func resolve(
        _ boards: BoardsRequest, progress: @Sendable (String) -> Void
    ) async throws -> (BoardChoice, BoardSystem) {
        guard let archive = boards.archive else { return (boards.kind, boards.accessory) }
        let setUp = RigSetUp(recipe: "\(try Checkout.get())/Fixtures/BoardImage")
        let system = try await setUp.system(ofArchive: URL(fileURLWithPath: archive).standardizedFileURL.path)
        switch boards.kind {
        case .auto: progress("\(archive) runs on QEMU, with its own kernel; --boards native runs it on another")
        case .native: progress("\(archive) runs on the native boards' kernel, and not on its own")
        case .qemu: break
        }
        return (boards.kind == .auto ? .qemu : boards.kind, system)
    }

    /// Prepares the parts of the virtual rig. If a signal comes first, the process ends.
    ///
    /// - Parameters:
    ///   - boards: Which kind of boards to take.
    ///   - systems: The systems of accessory boards.
    ///   - more: Disk space that is needed in addition to that of the set-up.
    static func prepare(
        _ interruption: Interruption, _ boards: BoardChoice, _ systems: Set<BoardSystem>, for more: DiskNeed? = nil,
        progress: @escaping @Sendable (String) -> Void
    ) async throws -> [BoardSystem: RigParts] {
        try await interruptible(interruption) { setUp in
            try setUp.cache.makeFolder()
            if let more { try DiskNeed.require(setUp.needs(systems) + [more], for: "checking the disk space") }
            return try await setUp.prepare(boards, systems, progress: progress)
        }
    }

    /// Prepares parts of a virtual rig until that is done, or until the interruption comes, which ends the command.
    private static func interruptible<Value: Sendable>(
        _ interruption: Interruption, _ body: @escaping @Sendable (RigSetUp) async throws -> Value
    ) async throws -> Value {
        let setUp = RigSetUp(recipe: "\(try Checkout.get())/Fixtures/BoardImage")
        let work = Task { try await body(setUp) }
        let watch = Task {
            try await interruption.wait()
            work.cancel()
        }
        defer { watch.cancel() }
        do { return try await work.value } catch {
            if let signal = interruption.signal {
                // The terminal has written ^C at the start of the line, where the shell's prompt comes next.
                if isatty(STDERR_FILENO) == 1 { try? standardError.write(Array("\n".utf8)) }
                end(128 + signal)
            }
            throw error
        }
    }

    static func notKept(_ error: SystemError) -> RigFailure {
        let remedy = error.code == ENOSPC || error.code == EDQUOT ? "free some space, then repeat" : nil
        return RigFailure("keeping the results", error.description, remedy: remedy)
    }

    @Sendable static func say(_ line: String) { write(PlainText.lines(line) + "\n") }

    /// Writes all lines at once, because thousands of writes would take longer than the rest of a list.
    static func say(_ lines: [String]) { write(lines.map { PlainText.line($0) + "\n" }.joined()) }

    /// Writes a line of an endless command, which ends when its reader is gone, as in `hil tap | head`.
    @Sendable private static func sayOrEnd(_ line: String) {
        if (try? standardOutput.write(Array("\(line)\n".utf8))) == nil { end(0) }
    }

    @Sendable static func write(_ text: String) {
        try? standardOutput.write(Array(text.utf8))
    }

    @Sendable static func complain(_ line: String) {
        try? standardError.write(Array("hil: \(PlainText.lines(invocation.worded(line)))\n".utf8))
    }

    private static let standardOutput = Descriptor(adopting: STDOUT_FILENO)
    static let standardError = Descriptor(adopting: STDERR_FILENO)

    private static func end(_ code: Int32) -> Never {
        fflush(nil)
        _exit(code)
    }
}
