import BoardProtocol
import HILAudit
import HILExecution
import HILPOSIX
import HILReports
import HILTiming
import RigModel
import VirtualRig

/// The command line is not valid.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
}

/// Reads a command line.
struct Arguments {
    var rest: ArraySlice<String>
    let command: String

    /// - Parameter arguments: Without the program's name.
    static func parse(_ arguments: [String]) throws(UsageError) -> Request {
        guard let command = arguments.first else { return .help(nil) }
        var parser = Arguments(rest: arguments.dropFirst(), command: command)
        switch command {
        case "-h", "--help", "help": return .help(parser.rest.first)
        case "--version", "version": return .version
        // For `make install`.
        case "completions":
            guard let shell = parser.rest.first.flatMap(ShellCompletions.Shell.init), parser.rest.count == 1 else {
                let names = ShellCompletions.Shell.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(description: "`hil completions` needs a shell: \(names)")
            }
            return .completions(shell)
        case "manual": return .manual
        case WorkerProcesses.subcommand: return .worker(Array(arguments.dropFirst()))
        case ProcessGuard.subcommand: return .guardProcess(Array(arguments.dropFirst()))
        case "capture" where parser.rest.first?.hasPrefix("-") != true:
            guard let scenario = parser.rest.popFirst() else {
                throw UsageError(description: "`hil capture` needs RUN/SCENARIO, as in latest/newDieIsOnboarded")
            }
            return .capture(scenario, arguments: Array(parser.rest))
        // A command may follow the board, with its own --help.
        case "shell" where parser.rest.first != "--help" && parser.rest.first != "-h": return try parser.shell()
        case _ where Help.commands.contains(command) && (parser.rest.contains("--help") || parser.rest.contains("-h")):
            return .help(command)
        case "run": return try parser.run()
        case "explore": return try parser.explore()
        case "audit": return try parser.audit()
        case "list": return try parser.list()
        case "rules": return try parser.rules()
        case "check": return try parser.check()
        case "history": return try parser.history()
        case "compare": return try parser.compare()
        case "parity": return try parser.parity()
        case "learn": return try parser.learn()
        case "report": return try parser.report()
        case "watch": return try parser.watch()
        case "play": return try parser.play()
        case "record": return try parser.record()
        case "init": return try parser.initialize()
        case "tap": return try parser.tap()
        case "open": return try parser.open()
        case "setup": return try parser.setUp()
        case "doctor": return try parser.doctor()
        case "bench": return try parser.bench()
        case "kernel": return try parser.kernel()
        default:
            throw UsageError(description: "there is no command “\(command)”" + hint(command, Help.commands))
        }
    }

    private mutating func run() throws(UsageError) -> Request {
        let (choice, settings, _) = try runSettings()
        return .run(choice, settings)
    }

    private mutating func audit() throws(UsageError) -> Request {
        var (choice, settings, more) = try runSettings(
            moreFlags: ["--targets", "--yes"], more: ["--only", "--json", "--seed", "--packets", "--keep", "--device"])
        if more["--targets"] != nil { return .auditTargets(choice) }
        if case .hand? = settings.rig {
            throw UsageError(
                description: "`hil audit` attacks by radios of its own, so a phone in a hand is for `hil run`")
        }
        try take(device: more["--device"]?.last, isConfirmed: more["--yes"] != nil, choice, &settings)
        var names: [String] = []
        for name in more["--only", default: []].flatMap({ $0.split(separator: ",").map(String.init) }) {
            guard !AuditControl.named(name).isEmpty else {
                let families = AuditControl.Family.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(
                    description: "an audit has no control “\(name)”: a family is \(families), and `hil audit --help` "
                        + "says how controls are named")
            }
            names.append(name)
        }
        // A check that has begun is not broken off by it, so that nothing is left half judged.
        (settings.options.lastStart, settings.options.budget) = (settings.options.budget, nil)
        settings.auditFile = more["--json"]?.last
        if let value = more["--seed"]?.last {
            guard let seed = UInt64(value) else {
                throw UsageError(description: "a seed is a whole number, not “\(value)”")
            }
            settings.attack.seed = seed
        }
        if let value = more["--packets"]?.last {
            settings.attack.count = try Arguments.number(value, of: "--packets", in: 1...10_000_000)
        }
        settings.keptAttacks = more["--keep"]?.last
        return .audit(choice, settings, only: names)
    }

    /// What an audit attacks: the accessories of scenarios, or a device on the desk.
    private func take(
        device: String?, isConfirmed: Bool, _ choice: Request.Choice, _ settings: inout Request.RunSettings
    ) throws(UsageError) {
        let hasScenarios = !choice.filter.patterns.isEmpty || !choice.filter.tags.isEmpty
        guard let device else {
            guard hasScenarios else {
                throw UsageError(
                    description:
                        "`hil audit` needs a scenario that switches the accessory on, an accessory by its name "
                        + "(`hil list` and `hil audit --targets` list them), or --device NAME for a device on the desk")
            }
            if isConfirmed { throw UsageError(description: "--yes is for --device: nobody asks otherwise") }
            return
        }
        if hasScenarios {
            throw UsageError(
                description: "--device attacks a device as it is, and a scenario switches one on: name one of both")
        }
        try DeviceRequest.check(settings.rig)
        settings.device = DeviceRequest(device)
        settings.device?.isConfirmed = isConfirmed
    }

    /// - Parameters:
    ///   - moreFlags: Options without a value beside those of a run.
    ///   - more: Options with a value beside those of a run.
    /// - Returns: What runs, how, and the values of the further options by their names.
    private mutating func runSettings(
        moreFlags: [String] = [], more: [String] = []
    ) throws(UsageError) -> (Request.Choice, Request.RunSettings, more: [String: [String]]) {
        var settings = Request.RunSettings()
        var values: [String: [String]] = [:]
        let choice = try choice(
            flags: [
                "--dry-run", "--strict", "--until-fail", "--shuffle", "--pause-on-failure", "--no-snapshots",
                "--no-keys",
            ] + moreFlags,
            values: [
                "--retries", "--repeat", "--jobs", "--keep", "--budget", "--boards", "--accessory",
                "--accessory-rootfs", "--junit-flavor", "--firmware", "--baseline", "--rig", "--person", "--answers",
            ] + more
        ) {
            (name, value) throws(UsageError) in
            switch name {
            case _ where more.contains(name) || moreFlags.contains(name): values[name, default: []].append(value)
            case "--dry-run": settings.isDry = true
            case "--no-keys": settings.keepsKeys = false
            case "--no-snapshots": settings.options.keptBoards = 0
            case "--pause-on-failure": settings.pausesOnFailure = true
            case "--strict": settings.options.isStrict = true
            case "--budget":
                guard let budget = Duration(text: value) else {
                    throw UsageError(description: "a budget is a time such as 90s, 30min or 2h, not “\(value)”")
                }
                settings.options.budget = budget.seconds
            case "--boards": settings.boards.kind = try Arguments.boards(value)
            case "--accessory": settings.boards.accessory = try Arguments.system(value)
            case "--rig": settings.rig = value == "virtual" ? nil : try Arguments.rig(value)
            case "--person": settings.person = .program(value)
            case "--answers": settings.person = .file(value)
            case "--accessory-rootfs": settings.boards.archive = value
            case "--firmware": settings.options.firmware = try Arguments.firmware(value)
            case "--baseline": settings.baseline = Baseline(value)
            case "--junit-flavor": settings.flavor = try Arguments.flavor(value)
            case "--keep": settings.retention = try Arguments.retention(value)
            case "--shuffle":
                settings.isShuffled = true
                settings.options.seed = value.isEmpty ? nil : UInt64(value)
                if !value.isEmpty, settings.options.seed == nil {
                    throw UsageError(description: "a seed is a whole number, not “\(value)”")
                }
            case "--until-fail": settings.options.untilFail = true
            case "--repeat": settings.options.rounds = try Arguments.number(value, of: name, in: 1...10_000)
            case "--jobs": settings.jobs = try Arguments.number(value, of: name, in: 1...64)
            case "--retries": settings.options.retries = try Arguments.number(value, of: name, in: 0...100)
            default: break
            }
        }
        if settings.rig?.hasOnlyRealBoards == true, settings.boards != BoardsRequest() {
            throw UsageError(
                description: "--rig names existing boards: --boards and --accessory are for virtual ones")
        }
        try Arguments.checkHand(settings)
        if case .boards? = settings.rig, settings.jobs ?? 1 > 1 {
            throw UsageError(
                description: "a bench runs one scenario at a time: --jobs is for several of labgrid's places")
        }
        if settings.boards.archive != nil, settings.boards.accessory != BoardsRequest().accessory {
            throw UsageError(description: "--accessory and --accessory-rootfs exclude each other")
        }
        if settings.pausesOnFailure {
            // Two rigs would ask at the same terminal.
            guard settings.jobs ?? 1 == 1 else {
                throw UsageError(description: "--pause-on-failure works with one rig only")
            }
            settings.jobs = 1
        }
        return (choice, settings, values)
    }

    private mutating func tap() throws(UsageError) -> Request {
        let filter = rest.popFirst()
        return try nothingMore(.tap(filter: filter))
    }

    private mutating func open() throws(UsageError) -> Request {
        var names: [String] = []
        var opening = Request.Opening(name: "")
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                names.append(argument)
                continue
            }
            let (name, value) = try option(argument, flags: [], values: ["--shell", "--out"])
            if name == "--out" { opening.out = value } else { opening.shell = try Arguments.board(value) }
        }
        guard names.count == 1 else {
            throw UsageError(description: "`hil open` takes one failed scenario: RUN/SCENARIO, or latest/SCENARIO")
        }
        opening.name = names[0]
        return .open(opening)
    }

    private mutating func shell() throws(UsageError) -> Request {
        var shelling: Request.Shelling?
        var rig: String?
        var system = BoardSystem.debian13
        var boards = BoardChoice.auto
        while let argument = rest.popFirst() {
            if argument == "--" {
                shelling?.command = Array(rest)
                guard !rest.isEmpty else { throw UsageError(description: "a command must follow the --") }
                break
            } else if argument.hasPrefix("-") {
                let (name, value) = try option(argument, flags: [], values: ["--rig", "--accessory", "--boards"])
                switch name {
                case "--rig": rig = value
                case "--boards": boards = try Arguments.boards(value)
                default: system = try Arguments.system(value)
                }
            } else if shelling == nil {
                shelling = Request.Shelling(role: try Arguments.board(argument))
            } else {
                throw UsageError(description: "write the command for the board after --, as in -- \(argument)")
            }
        }
        guard var shelling else { throw UsageError(description: "`hil shell` needs a board: host or accessory") }
        (shelling.rig, shelling.system, shelling.boards) = (rig, system, boards)
        return .shell(shelling)
    }

    private static func board(_ text: String) throws(UsageError) -> BoardRole {
        guard let role = BoardRole(rawValue: text) else {
            throw UsageError(description: "the boards are host and accessory; there is no “\(text)”")
        }
        return role
    }

    private mutating func kernel() throws(UsageError) -> Request {
        let usage = "`hil kernel` takes build, key, export FILE or import FILE"
        guard let word = rest.popFirst() else { throw UsageError(description: usage) }
        switch word {
        case "build": return try nothingMore(.kernel(.build))
        case "key": return try nothingMore(.kernel(.key))
        case "export", "import":
            guard let file = rest.popFirst() else { throw UsageError(description: usage) }
            return try nothingMore(.kernel(word == "export" ? .export(file) : .import(file)))
        default: throw UsageError(description: "\(usage), not “\(word)”")
        }
    }

    private mutating func setUp() throws(UsageError) -> Request {
        var (mayBuild, system, isImageAlone) = (true, BoardSystem.debian13, false)
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                throw UsageError(description: "`hil \(command)` takes no “\(argument)”")
            }
            let (name, value) = try option(argument, flags: ["--image", "--no-build"], values: ["--accessory"])
            switch name {
            case "--image": isImageAlone = true
            case "--no-build": mayBuild = false
            default: system = try Arguments.system(value)
            }
        }
        return .setUp(mayBuild: mayBuild, system: system, isImageAlone: isImageAlone)
    }

    private mutating func list() throws(UsageError) -> Request { .list(try choice(flags: [], values: []) { _, _ in }) }

    private mutating func rules() throws(UsageError) -> Request {
        var ruling = Request.Ruling()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                ruling.rules.append(argument)
                continue
            }
            let (name, value) = try option(
                argument, flags: ["--check", "--sig", "--phone", "--no-build"], values: ["--format", "--out"])
            switch name {
            case "--check": ruling.isCheck = true
            case "--sig": ruling.isSIG = true
            case "--phone": ruling.isPhone = true
            case "--no-build": ruling.mayBuild = false
            case "--format": ruling.format = try format(value)
            default: ruling.out = value
            }
        }
        return .rules(ruling)
    }

    private mutating func check() throws(UsageError) -> Request {
        var folder: String?
        var format = ReportWriter.Format.text
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                throw UsageError(description: "`hil check` takes the app's folder as --app \(argument)")
            }
            let (name, value) = try option(argument, flags: [], values: ["--app", "--format"])
            if name == "--app" { folder = value } else { format = try self.format(value) }
        }
        guard let folder else {
            throw UsageError(description: "`hil check` needs --app DIR, the folder of an app's Info.plist and pictures")
        }
        return .check(Request.Checking(folder: folder, format: format))
    }

    private mutating func initialize() throws(UsageError) -> Request {
        var request = Request.Initializing()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("-") else {
                guard request.name == nil else {
                    throw UsageError(description: "`hil init` takes one name; “\(argument)” is too many")
                }
                request.name = argument
                continue
            }
            let (name, value) = try option(argument, flags: ["--here"], values: ["--url", "--branch"])
            switch name {
            case "--here": request.isHere = true
            case "--url": request.url = value
            default: request.branch = value
            }
        }
        guard request.name != nil || request.isHere else {
            throw UsageError(description: "`hil init` needs the name of the new package, or --here")
        }
        guard request.branch == nil || request.url != nil else {
            throw UsageError(description: "--branch goes with --url")
        }
        return .initialize(request)
    }

    private mutating func nothingMore(_ request: Request) throws(UsageError) -> Request {
        guard let extra = rest.first else { return request }
        throw UsageError(description: "`hil \(command)` takes no “\(extra)”")
    }
}
