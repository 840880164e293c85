import BoardProtocol
import HIL
import HILAudit
import HILBench
import HILConversation
import HILExecution
import HILHistory
import HILRecord
import HILReports
import HILTiming
import RigModel
import VirtualRig

/// The request of a command line.
enum Request: Equatable {
    /// Which scenarios, and the format of the output.
    struct Choice: Equatable {
        var filter = Filter()
        /// Whether to select only scenarios that failed in their last run.
        var lastFailed = false
        /// The folder of the runs' folders; nil is `results` in the package's folder.
        var out: String?
        var format = ReportWriter.Format.text
        /// Whether a program that is older than its sources is built first.
        var mayBuild = true
    }

    /// How they run.
    struct RunSettings: Equatable {
        /// Whether to only show what would run.
        var isDry = false
        /// Whether the rig of a failed scenario is kept until Enter is pressed.
        var pausesOnFailure = false
        var options = RunOptions()
        /// Whether Wi-Fi keys are saved beside the captures.
        var keepsKeys = true
        /// How many older runs are kept.
        var retention = Retention.standard
        /// The number of rigs; nil is as many as the machine can run.
        var jobs: Int?
        /// The dialect of `junit.xml`.
        var flavor = JUnit.Flavor.plain
        /// The earlier run with which the run is compared.
        var baseline = Baseline.lastGood
        /// Which virtual boards to take.
        var boards = BoardsRequest()
        /// The benches to run on; nil for the virtual rig.
        var rig: RigRequest?
        /// Who has the phone in their hand.
        var person = HandPerson.atTerminal
        /// Whether to shuffle, with a random seed unless one is given.
        var isShuffled = false
        /// A further file for the `audit.json` of an audit; nil for none.
        var auditFile: String?
        /// The device on the desk that an audit attacks; nil for the accessories of scenarios.
        var device: DeviceRequest?
        /// What the attacks of an audit send.
        var attack = AttackOrder()
        /// The folder for shortest lists of packets as scenarios; nil keeps none.
        var keptAttacks: String?
    }

    /// How scenarios are explored.
    struct ExploreSettings: Equatable {
        var options = ExplorationOptions()
        /// The number of rigs; nil is as many as the machine can run.
        var jobs: Int?
        /// The folder for findings as scenarios; nil keeps none.
        var keep: String?
        /// The dialect of `junit.xml`.
        var flavor = JUnit.Flavor.plain
        /// Which virtual boards to take.
        var boards = BoardsRequest()
        /// The benches to explore on; nil for the virtual rig.
        var rig: RigRequest?

        /// The options that name the boards, for a command that does it again.
        var boardOptions: [String] {
            if let rig { return ["--rig", "\(rig)"] }
            let kind = boards.kind == .auto ? [] : ["--boards", boards.kind.rawValue]
            return boards.accessory == BoardsRequest().accessory ? kind : kind + ["--accessory", "\(boards.accessory)"]
        }
    }

    /// A request to restore the boards of a failed scenario.
    struct Opening: Equatable {
        /// `RUN/SCENARIO`, or another form that ``SavedScenario/find(_:results:root:)`` accepts.
        var name: String
        /// The board on which to open a shell at once.
        var shell: BoardRole?
        /// The folder of the runs' folders.
        var out: String?
    }

    /// A request for a shell on a board.
    struct Shelling: Equatable {
        var role: BoardRole
        /// The name of the rig; nil if there is only one.
        var rig: String?
        /// The command to run; empty for an interactive shell.
        var command: [String] = []
        /// The accessory board's system, if fresh boards are started.
        var system = BoardSystem.debian13
        /// The kind of boards, if fresh ones are started.
        var boards = BoardChoice.auto
    }

    /// A request for the list of rules.
    struct Ruling: Equatable {
        /// Names of rules, or letters of families; beginnings of the SIG's cases. Empty for all.
        var rules: [String] = []
        /// Whether the SIG's test cases are listed in place of the rules.
        var isSIG = false
        /// Whether the behaviours of the phone's Bluetooth are listed in place of the rules.
        var isPhone = false
        /// Whether a rule is an error if it is not covered, or its tests or scenarios failed.
        var isCheck = false
        var format = ReportWriter.Format.text
        /// The folder of the runs' folders.
        var out: String?
        /// Whether a program that is older than its sources is built first.
        var mayBuild = true
    }

    /// A request to check an app's files.
    struct Checking: Equatable {
        /// The folder of the app's Info.plist and pictures.
        var folder: String
        var format = ReportWriter.Format.text
    }

    /// A request about the history of runs.
    struct HistoryRequest: Equatable {
        enum Task: Equatable {
            /// Show all scenarios, or those of this name.
            case show(String?)
            /// Add these runs.
            case add([String])
        }

        var task: Task
        /// How many results of each scenario are looked at.
        var last = 50
        var format = ReportWriter.Format.text
        /// The folder of the runs' folders.
        var out: String?
    }

    /// A request to compare two runs.
    struct Comparing: Equatable {
        /// The folders of the runs, or their names: `latest`.
        var first, second: String
        /// Whether the exit code says that something is worse.
        var failsOnRegression = false
        /// The least change of a step's time that counts.
        var leastChange = StepTimes.LeastChange.standard
        var format = ReportWriter.Format.text
        /// The folder of the runs' folders.
        var out: String?
    }

    /// A request to prepare boards for runs, or to undo that.
    struct Preparing: Equatable {
        var isRestoring = false
        var boards: [BoardAddress] = []
        /// The address of the Bluetooth adapter that runs use; nil for the only one.
        var adapter: String?
        /// The name of the Wi-Fi interface that runs use; nil for the only one.
        var interface: String?
    }

    /// A request to write the habits of a phone as a personality.
    struct Learning: Equatable {
        /// The files, or `RUN/SCENARIO`.
        var captures: [String] = []
        /// The name of the constant.
        var name = "learned"
        /// The Swift file; nil to print it.
        var out: String?
        /// The accessory's address; nil for the only one.
        var accessory: String?
        /// An address of the phone; nil for the only one.
        var phone: String?
        /// The Wi-Fi network: its name, or the address of its access point or of the phone; nil for all.
        var network: String?
        var format = ReportWriter.Format.text
    }

    /// A request to compare two runs on different rigs, or a capture with one scenario of a run.
    struct ParityRequest: Equatable {
        /// The folders of the runs, or their names: `latest`. For a capture its file, and `RUN/SCENARIO` or another file.
        var first, second: String
        /// The accessory's address in the first and in the second capture; nil for the only one.
        var accessory, secondAccessory: String?
        /// An address of the phone in the first and in the second capture; nil for the only one.
        var phone, secondPhone: String?
        /// The Wi-Fi network in the first and in the second: its name, or the address of its access point or of the phone.
        var network, secondNetwork: String?
        /// The differences that the exit code tells.
        var failOn: Set<ConversationParity.Sort> = []
        /// The least change of a time that is reported.
        var leastChange = Parity.LeastChange.standard
        var format = ReportWriter.Format.text
        /// The folder of the runs' folders.
        var out: String?
    }

    /// A request for the page of runs.
    struct Reporting: Equatable {
        /// The folders of the runs, or their names; empty for the latest.
        var runs: [String] = []
        /// The run with which they are compared.
        var baseline = Baseline.lastGood
        /// The folder for the page of several runs; nil for `report` in the folder of the runs' folders.
        var folder: String?
        /// The file for one JUnit document of all runs; nil for none, unless there are several.
        var junit: String?
        /// The dialect of that file.
        var flavor = JUnit.Flavor.plain
        /// The file for the page in one file; nil for a page that loads the files beside it.
        var singleFile: String?
        /// The folder of the runs' folders.
        var out: String?
    }

    /// A request about benches.
    struct BenchRequest: Equatable {
        enum Task: Equatable {
            /// Show all places of the coordinator.
            case list
            /// Release this place, or nil for what killed jobs left; by force whoever holds it.
            case release(String?, byForce: Bool)
        }

        var task: Task
        /// The address of the coordinator, `HOST:PORT`; nil takes that of the environment.
        var coordinator: String?
        var format = ReportWriter.Format.text
    }

    /// A request to follow a run in progress.
    struct Watching: Equatable {
        /// The folder of the run, or its name; nil for the latest.
        var run: String?
        /// The port; 0 for any that is free.
        var port: UInt16 = 0
        /// The folder of the runs' folders.
        var out: String?
    }

    /// A request to play a scenario by hand.
    struct Playing: Equatable {
        /// The scenario's name, or a part of it; nil for the one that is tagged for it.
        var scenario: String?
        /// The name of the scenario that is recorded; nil to record nothing.
        var record: String?
        /// The port; 0 for any that is free.
        var port: UInt16 = 0
        /// Which virtual boards to take.
        var boards = BoardsRequest()
        /// Whether a program that is older than its sources is built first.
        var mayBuild = true
    }

    /// A request to record an accessory as a declaration.
    struct Recording: Equatable {
        /// The scenario that switches it on, or a part of its name; nil if it is already on the air.
        var scenario: String?
        /// What to record; nil for what the scenario switches on first.
        var device: RecordedAccessory.Target?
        /// The name of the constant; nil for one made of the accessory's name.
        var name: String?
        /// The number that the accessory shows during pairing; nil to ask for it.
        var passkey: UInt32?
        /// The bench; nil for virtual boards.
        var rig: RigRequest?
        /// Which virtual boards to take.
        var boards = BoardsRequest()
        /// Whether a program that is older than its sources is built first.
        var mayBuild = true
    }

    /// A request for a new package.
    struct Initializing: Equatable {
        /// Its name; nil to take the current folder's.
        var name: String?
        /// Whether to add what is missing to the package in the current folder.
        var isHere = false
        /// The URL by which it depends on hil; nil to depend on this checkout by its path.
        var url: String?
        /// The branch of that repository.
        var branch: String?
    }

    case initialize(Initializing)
    /// A request about the kernel of native boards.
    enum KernelRequest: Equatable {
        /// Build it if it is not built.
        case build
        /// Print the name of the kernel that this machine builds.
        case key
        /// Write it into a file, for another machine.
        case export(String)
        /// Take it from such a file.
        case `import`(String)
    }

    case kernel(KernelRequest)
    case open(Opening)
    case shell(Shelling)
    case run(Choice, RunSettings)
    case explore(Choice, ExploreSettings)
    /// - Parameter only: The names of controls or families; none is all.
    case audit(Choice, RunSettings, only: [String])
    /// The accessories that an audit can attack by their names.
    case auditTargets(Choice)
    case list(Choice)
    case rules(Ruling)
    case check(Checking)
    case history(HistoryRequest)
    case compare(Comparing)
    case parity(ParityRequest)
    case learn(Learning)
    case bench(BenchRequest)
    case report(Reporting)
    case watch(Watching)
    case play(Playing)
    case record(Recording)
    /// `system` is the accessory board's.
    case setUp(mayBuild: Bool, system: BoardSystem = .debian13, isImageAlone: Bool = false)
    /// `filter` is a display filter of Wireshark.
    case tap(filter: String?)
    /// The machine, or the boards of a bench.
    case doctor(RigRequest?)
    case prepare(Preparing)
    /// A scenario whose packets are shown, and further arguments for tshark.
    case capture(String, arguments: [String])
    /// The overview, or the page of a command.
    case help(String?)
    case version
    /// What a shell completes.
    case completions(ShellCompletions.Shell)
    /// The manual page.
    case manual
    /// Hidden: a worker of the runner.
    case worker([String])
    /// Hidden: the guard of a program that a worker started.
    case guardProcess([String])
}
