import HILExecution
import HILHistory
import Testing
import VirtualRig

@testable import HILCommand

struct ArgumentsTests {
    @Test("Patterns and options, in any order and in both spellings")
    func run() throws {
        let request = try Arguments.parse([
            "run", "pairing", "--tag", "smoke", "--tag=wifi", "--out", "x", "a*b", "--format=json",
        ])
        let filter = Filter(patterns: ["pairing", "a*b"], tags: ["smoke", "wifi"])
        #expect(request == .run(Request.Choice(filter: filter, out: "x", format: .json), Request.RunSettings()))
        let dashes = Request.Choice(filter: Filter(patterns: ["--tag"]))
        #expect(try Arguments.parse(["list", "--", "--tag"]) == .list(dashes))
        #expect(try Arguments.parse([]) == .help(nil))
        #expect(try Arguments.parse(["run", "--help"]) == .help("run"))
        #expect(try Arguments.parse(["help", "tap"]) == .help("tap"))
    }

    @Test("Every filter works for list and for run")
    func filters() throws {
        let filters = ["--where", "security=wpa3", "--last-failed", "--shard=2/3", "--out", "x"]
        let filter = Filter(conditions: ["security=wpa3"], shard: Shard("2/3"))
        let choice = Request.Choice(filter: filter, lastFailed: true, out: "x")
        #expect(try Arguments.parse(["list"] + filters) == .list(choice))
        #expect(try Arguments.parse(["run", "--dry-run"] + filters) == .run(choice, Request.RunSettings(isDry: true)))
    }

    @Test("The seed of a shuffle may be missing, and then a pattern may follow")
    func shuffle() throws {
        func settings(_ seed: UInt64?) -> Request.RunSettings {
            var settings = Request.RunSettings(isShuffled: true)
            settings.options.seed = seed
            return settings
        }
        #expect(try Arguments.parse(["run", "--shuffle"]) == .run(Request.Choice(), settings(nil)))
        #expect(try Arguments.parse(["run", "--shuffle", "42"]) == .run(Request.Choice(), settings(42)))
        let wifi = Request.Choice(filter: Filter(patterns: ["wifi"]))
        #expect(try Arguments.parse(["run", "--shuffle", "wifi"]) == .run(wifi, settings(nil)))
        #expect(try Arguments.parse(["run", "--shuffle=42", "wifi"]) == .run(wifi, settings(42)))
        #expect(throws: UsageError.self) { try Arguments.parse(["run", "--shuffle=wifi"]) }
        #expect(throws: UsageError.self) { try Arguments.parse(["run", "--jobs", "0"]) }
        #expect(throws: UsageError.self) { try Arguments.parse(["run", "--jobs", "2", "--pause-on-failure"]) }
    }

    @Test("The boards of a run are chosen by name", arguments: BoardChoice.allCases)
    func boards(choice: BoardChoice) throws {
        var settings = Request.RunSettings()
        settings.boards.kind = choice
        #expect(try Arguments.parse(["run", "--boards", choice.rawValue]) == .run(Request.Choice(), settings))
        #expect(throws: UsageError(description: "the boards are auto, native or qemu, not “kvm”")) {
            try Arguments.parse(["run", "--boards=kvm"])
        }
    }

    @Test("The accessory board's system is chosen by name")
    func systems() throws {
        var settings = Request.RunSettings()
        settings.boards = BoardsRequest(.qemu, accessory: .debian12)
        let words = ["--boards", "qemu", "--accessory", "debian12"]
        #expect(try Arguments.parse(["run"] + words) == .run(Request.Choice(), settings))
        #expect(
            try Arguments.parse(["setup", "--no-build", "--accessory=debian12"])
                == .setUp(mayBuild: false, system: .debian12))
        #expect(
            try Arguments.parse(["shell", "accessory", "--accessory", "debian12"])
                == .shell(Request.Shelling(role: .accessory, system: .debian12)))
        let refused = "the systems of an accessory board are debian12 and debian13, not “debian11”"
        for command in [["run"], ["setup"], ["shell", "host"]] {
            #expect(throws: UsageError(description: refused)) {
                try Arguments.parse(command + ["--accessory", "debian11"])
            }
        }
    }

    @Test("The kernel of native boards is built, named or carried")
    func kernel() throws {
        #expect(try Arguments.parse(["kernel", "build"]) == .kernel(.build))
        #expect(try Arguments.parse(["kernel", "key"]) == .kernel(.key))
        #expect(try Arguments.parse(["kernel", "export", "k.tar"]) == .kernel(.export("k.tar")))
        #expect(try Arguments.parse(["kernel", "import", "k.tar"]) == .kernel(.import("k.tar")))
        for wrong in [["kernel"], ["kernel", "export"], ["kernel", "delete"], ["kernel", "build", "x"]] {
            #expect(throws: UsageError.self) { try Arguments.parse(wrong) }
        }
    }

    @Test("The history is asked for all scenarios or one, and takes runs")
    func history() throws {
        typealias Order = Request.HistoryRequest
        #expect(try Arguments.parse(["history"]) == .history(Order(task: .show(nil))))
        #expect(
            try Arguments.parse(["history", "join", "--last", "7", "--format=json", "--out", "x"])
                == .history(Order(task: .show("join"), last: 7, format: .json, out: "x")))
        #expect(
            try Arguments.parse(["history", "import", "a", "--out", "x", "b"])
                == .history(Order(task: .add(["a", "b"]), out: "x")))
        for wrong in [["import"], ["a", "b"], ["--last", "0"], ["--last", "x"], ["--jobs", "1"]] {
            #expect(throws: UsageError.self) { try Arguments.parse(["history"] + wrong) }
        }
    }

    @Test("Two runs are compared, with a least change of their times")
    func compare() throws {
        typealias Order = Request.Comparing
        #expect(try Arguments.parse(["compare", "a", "latest"]) == .compare(Order(first: "a", second: "latest")))
        let request = Order(
            first: "a", second: "b", failsOnRegression: true, leastChange: .init(share: 0.05, seconds: 0.02),
            format: .json, out: "x")
        let words = ["--fail-on-regression", "b", "--least-change", "5%,20ms", "--format", "json", "--out=x"]
        #expect(try Arguments.parse(["compare", "a"] + words) == .compare(request))
        for wrong in [["a"], ["a", "b", "c"], ["a", "b", "--least-change", "5"], ["a", "b", "--strict"]] {
            #expect(throws: UsageError.self) { try Arguments.parse(["compare"] + wrong) }
        }
    }

    @Test("The flavor of JUnit is chosen by name")
    func flavor() throws {
        var settings = Request.RunSettings()
        settings.flavor = .github
        #expect(try Arguments.parse(["run", "--junit-flavor=github"]) == .run(Request.Choice(), settings))
        #expect(throws: UsageError(description: "the flavors of JUnit are plain and github, not “gitlab”")) {
            try Arguments.parse(["run", "--junit-flavor", "gitlab"])
        }
    }

    @Test("Only run accepts retries and strictness")
    func retries() throws {
        var settings = Request.RunSettings()
        settings.options.retries = 2
        settings.options.isStrict = true
        #expect(try Arguments.parse(["run", "--retries", "2", "--strict"]) == .run(Request.Choice(), settings))
        let refused = UsageError(description: "--retries is a number from 0 to 100, not “-1”")
        #expect(throws: refused) { try Arguments.parse(["run", "--retries=-1"]) }
        #expect(throws: UsageError.self) { try Arguments.parse(["list", "--retries", "2"]) }
    }

    @Test(
        "A mistake is told with what may have been meant",
        arguments: [
            (["rnu"], "there is no command “rnu”; did you mean run?"),
            (["run", "--tga", "x"], "`hil run` has no option “--tga”; did you mean --tag?"),
            (["run", "--tag"], "the option --tag needs a value"),
            (["list", "--dry-run"], "`hil list` has no option “--dry-run”; `hil list --help` shows all"),
            (
                ["run", "-k", "x"],
                "`hil run` has no option “-k”; a pattern needs no option: `hil run PATTERN`; options are whole words, as `hil run --help` shows"
            ),
            (["run", "--dry-run=yes"], "the option --dry-run takes no value"),
            (["run", "--shard", "3/2"], "a shard is a number of a count, as in 2/3, not “3/2”"),
            (["run", "--format", "xml"], "the format is text or json, not “xml”"),
            (["doctor", "please"], "`hil doctor` takes no “please”"),
        ])
    func mistakes(arguments: [String], message: String) {
        #expect(throws: UsageError(description: message)) { try Arguments.parse(arguments) }
    }

    @Test("The doctor finds packages that are not installed according to dpkg")
    func packages() {
        let list = """
            # package  why
            tshark                 reads the captures
            cpio                   packs the boards' initramfs
            kmod                   finds modules
            """
        let status = """
            Package: cpio
            Status: deinstall ok config-files

            Package: kmod
            Status: install ok installed
            """
        let missing = Doctor.packages(list: list, dpkg: status)
        #expect(missing.map(\.name) == ["tshark", "cpio"])
        #expect(missing.first?.why == "reads the captures")
    }

    @Test("A failed scenario is opened by its name, with a shell if one is asked for")
    func open() throws {
        #expect(try Arguments.parse(["open", "latest/pairs"]) == .open(Request.Opening(name: "latest/pairs")))
        let opening = Request.Opening(name: "r/pairs", shell: .accessory, out: "x")
        #expect(try Arguments.parse(["open", "--shell", "accessory", "r/pairs", "--out=x"]) == .open(opening))
        for wrong in [["open"], ["open", "a", "b"], ["open", "a", "--shell", "phone"]] {
            #expect(throws: UsageError.self) { try Arguments.parse(wrong) }
        }
    }

    @Test("Everything after -- is the command for the board")
    func shell() throws {
        #expect(try Arguments.parse(["shell", "host"]) == .shell(Request.Shelling(role: .host)))
        #expect(
            try Arguments.parse(["shell", "host", "--boards", "native"])
                == .shell(Request.Shelling(role: .host, boards: .native)))
        let shelling = Request.Shelling(role: .accessory, rig: "17-a", command: ["ls", "--help", "--"])
        #expect(
            try Arguments.parse(["shell", "--rig", "17-a", "accessory", "--", "ls", "--help", "--"]) == .shell(shelling)
        )
        #expect(try Arguments.parse(["shell", "--help"]) == .help("shell"))
        for wrong in [["shell"], ["shell", "host", "ls"], ["shell", "host", "--"], ["shell", "--", "ls"]] {
            #expect(throws: UsageError.self) { try Arguments.parse(wrong) }
        }
    }

    @Test("A tap accepts at most a display filter, and a run may pause on failure")
    func watching() throws {
        #expect(try Arguments.parse(["tap"]) == .tap(filter: nil))
        #expect(try Arguments.parse(["tap", "btatt || eapol"]) == .tap(filter: "btatt || eapol"))
        #expect(throws: UsageError.self) { try Arguments.parse(["tap", "btatt", "eapol"]) }
        var settings = Request.RunSettings()
        (settings.pausesOnFailure, settings.jobs) = (true, 1)
        #expect(try Arguments.parse(["run", "--pause-on-failure"]) == .run(Request.Choice(), settings))
    }

    @Test("A run's budget is a time, and nothing else")
    func budget() throws {
        for (text, seconds) in [("90s", 90.0), ("30min", 1800), ("2 h", 7200)] {
            guard case .run(_, let settings) = try Arguments.parse(["run", "--budget", text]) else { return }
            #expect(settings.options.budget == seconds)
        }
        for text in ["", "0s", "90", "-1s", "1.5h", "99999999999999999999s", "2 days"] {
            #expect(throws: UsageError.self) { try Arguments.parse(["run", "--budget", text]) }
        }
    }

    @Test("The limit for older runs can be set, and an invalid limit is refused")
    func keeping() throws {
        guard case .run(_, let settings) = try Arguments.parse(["run", "--keep", "3"]) else {
            Issue.record("not a run")
            return
        }
        #expect(settings.retention == Retention(runs: 3, bytes: nil))
        #expect(throws: UsageError.self) { try Arguments.parse(["run", "--keep", "few"]) }
    }
}
