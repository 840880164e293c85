import VirtualRig

/// What several commands take.
extension HelpPage.List {
    static let filters = HelpPage.List(
        title: "filters",
        items: [
            ("--tag TAGS", "by tags, with and, or, not and parentheses: --tag \"smoke and not wifi\""),
            ("--where NAME=VALUE", "only these cases of a matrix: --where security=wpa3"),
            ("--last-failed", "only scenarios that failed in their last run, or had a rig error"),
            ("--shard I/N", "every N-th of the remaining scenarios, beginning with number I"),
        ])

    static let boards: [(name: String, text: String)] = [
        (
            "--boards KIND",
            "native: Linux as processes of this machine, three times as fast as emulated boards; qemu: QEMU, with KVM if that runs here; by default auto, the fastest that runs here"
        ),
        (
            "--accessory SYSTEM",
            "the accessory board's system: debian12 (BlueZ 5.66) or debian13 (BlueZ 5.82), the default; the first use builds its image, in one to three minutes"
        ),
    ]

    static let build: [(name: String, text: String)] = [
        (
            "--no-build",
            "run the program as it is, even if its sources are newer; otherwise it is built first, and hil exits with 2 if the build fails"
        )
    ]

    static let out: [(name: String, text: String)] = [
        ("--out DIR", "the folder of the runs' folders; by default results/ beside Package.swift")
    ]

    static let json: [(name: String, text: String)] = [("--format json", "JSON instead of text")]
}

private let patterns = """
    A pattern is a part of a scenario's name or title, or a whole name or title with * and ?. Letter case is ignored. A full name chooses only the scenario of that name. Several patterns choose the scenarios that match any of them; a scenario must also pass every filter.
    """

extension HelpPage {
    static let run = HelpPage(
        name: "run", summary: "run scenarios: all of them, or those that match a pattern",
        usage: ["[PATTERN…] [FILTER…] [OPTION…]"],
        about: """
            Runs scenarios; all of them if no pattern is given. \(patterns)
            Scenarios run in the order of the list, in a first run those with the tag smoke before the others. On several rigs new scenarios begin first, then those that took longest in earlier runs.
            """,
        lists: [
            .filters,
            List(
                title: "options",
                items: [
                    (
                        "--jobs N",
                        "use N rigs at the same time; by default one for each core, or three for two cores with native boards, if there is enough memory"
                    )
                ] + List.boards + [
                    (
                        "--accessory-rootfs FILE.tar",
                        "your own root file system for the accessory board, with its kernel and modules; missing parts are reported before a board boots"
                    ),
                    (
                        "--rig RIG",
                        "instead of virtual boards: HOST,ACCESSORY, two boards by their SSH names (local is this machine, none an accessory without a login), perhaps with the home's network: ,home=HOST/INTERFACE, ,home=BOARD or ,home=network:NAME; or hand,ACCESSORY, a phone in your hand; or labgrid:PLACE"
                    ),
                    (
                        "--person PROGRAM",
                        "with --rig hand,ACCESSORY: the program that answers in the person's place, a line of JSON on its standard input for each question; with --rig hand,virtual it is the phone as well"
                    ), ("--answers FILE", "with --rig hand,ACCESSORY: the person's answers, one on each line"),
                    (
                        "--shuffle [N]",
                        "run in a random order; the seed N gives the same order again, and is printed"
                    ), ("--repeat N", "run everything N times, round by round"),
                    (
                        "--until-fail",
                        "repeat everything until something does not pass; at most --repeat times"
                    ), ("--dry-run", "show what would run, in order, and start nothing"),
                    (
                        "--retries N",
                        "run a scenario that did not pass again, at most N times; every attempt is kept"
                    ),
                    (
                        "--budget TIME",
                        "how long the run may take, such as 30min; by default the sum of its scenarios' budgets, and 90 s more for each"
                    ), ("--strict", "exit with 3 if a scenario passed only on a retry"),
                    (
                        "--keep LIMIT",
                        "keep at most this many runs, or this many bytes of runs (one run may use all of them): 20, 2GiB, or all; by default both: 20,2GiB"
                    ),
                ] + List.build + [
                    (
                        "--firmware LABEL",
                        "the accessory's firmware, recorded in every result, in the reports and in the history; by default, the answer of the accessory's version hook"
                    ),
                    (
                        "--baseline RUN",
                        "the earlier run to compare with at the end: a run's name or folder, its events.jsonl, or last-good, the default: the newest run in which nothing failed and no rig failed, and that has most of the same cases"
                    ),
                    (
                        "--junit-flavor github",
                        "write file and line of each case into junit.xml, which GitHub's readers annotate; otherwise plain"
                    ), ("--no-keys", "keep no Wi-Fi keys beside the captures"),
                ] + List.out + [
                    ("--pause-on-failure", "keep the rig of a failed scenario as it is until Enter is pressed"),
                    (
                        "--no-snapshots",
                        "keep no boards; otherwise QEMU's boards of the first 5 failures of a run are kept, for hil open"
                    ), ("--format json", "print one event per line, as in events.jsonl"),
                ]),
            List(
                title: "exit codes",
                items: [
                    ("0", "every scenario passed, was skipped because the rig lacks something, or is in quarantine"),
                    ("1", "a scenario failed because of the accessory or the app"),
                    (
                        "2",
                        "the rig failed, something is missing, or a scenario did not run: nothing is known about the product"
                    ),
                    ("3", "a scenario is flaky, and --strict was given"), ("64", "the command line is wrong"),
                    ("130", "interrupted (143 by SIGTERM, 129 by SIGHUP); the finished scenarios are reported"),
                ]),
            List(
                title: "environment",
                items: [
                    (
                        "HIL_CACHE",
                        "the folder of image, snapshot and RootCanal; by default ~/.cache/hil; with /var/tmp and the results, a first set-up and a run need \(DiskNeed.whole) MB of disk in all"
                    ), ("HIL_ROOT", "the folder of Package.swift, when hil is not run inside it"),
                    ("HIL_NO_BUILD", "1 is the same as --no-build, but prints no message"),
                    (
                        "HIL_PROBE_SECONDS",
                        "how long a kernel may take to show that it runs on this machine; by default 6"
                    ), ("HIL_SSH_CONFIG", "another file than ~/.ssh/config"),
                    (
                        "LG_COORDINATOR",
                        "the address of labgrid's coordinator; LG_USERNAME and LG_HOSTNAME name the holder of a place"
                    ),
                    (
                        "GITHUB_STEP_SUMMARY",
                        "a file to which the run's summary.md is appended, as GitHub's workflows set it"
                    ),
                ]),
        ])

    static let list = HelpPage(
        name: "list", summary: "show the scenarios: name, tags, title", usage: ["[PATTERN…] [FILTER…] [OPTION…]"],
        about: "Shows the scenarios: name, tags, title. \(patterns)",
        lists: [.filters, List(title: "options", items: List.out + List.build + List.json)])

    static let play = HelpPage(
        name: "play", summary: "be the person of a scenario, with the phone in the browser",
        usage: ["[SCENARIO] [OPTION…]"],
        about: """
            Runs one scenario with you as its person: the phone is in the browser, on a port of this machine alone, under an address with a secret in it; beside it are the lanes and packets as they happen. You tap, type, open Settings, move the boards and post notifications. The default is the scenario with the tag play, or the only one. No result is kept.
            """,
        lists: [
            List(
                title: "options",
                items: [
                    ("--record NAME", "write what you did as a scenario of that name"),
                    ("--port N", "serve the page on this port"),
                ] + List.boards + List.build)
        ])

    static let record = HelpPage(
        name: "record", summary: "write an accessory that is on the air as a declaration in Swift",
        usage: ["[SCENARIO] [OPTION…]"],
        about: """
            Writes the accessory that a scenario switches on, or one that is on the air already, as a declaration in Swift: advertisement, services, values, and what needs a paired phone. It is mainly for a device on a bench: --rig HOST,none.
            """,
        lists: [
            List(
                title: "options",
                items: [
                    ("--device NAME|ADDRESS", "the accessory on the air"), ("--as NAME", "the name of the constant"),
                    ("--passkey NUMBER", "the number that the accessory shows when the phone pairs with it"),
                    ("--rig HOST,ACCESSORY", "the boards of a bench; none is an accessory without a login"),
                ] + List.boards + List.build)
        ])

    static let rules = HelpPage(
        name: "rules", summary: "list the phone's rules, and what covers each",
        usage: ["[RULE…] [--check] [OPTION…]", "--sig [CASE…] [--check] [OPTION…]", "--phone [OPTION…]"],
        about: """
            Lists the phone's rules, what covers each, and the last results; for rules (K3) or families of rules (K) it shows every test and scenario. With --sig it lists the Bluetooth SIG's test cases for the phone's Bluetooth host: passed by which tests, or why a case does not apply; for beginnings of their names (GATT/CL) it also shows the tests' titles. With --phone it lists what the phone's Bluetooth does by itself: documented by Apple, seen by developers, learned from a capture, or assumed.
            """,
        lists: [
            List(
                title: "options",
                items: [
                    (
                        "--check",
                        "exit with 1 if a rule that must be covered is not covered, or if a test of it fails; the same for the SIG's cases"
                    ), ("--sig", "the Bluetooth SIG's test cases in place of the rules"),
                    ("--phone", "the behaviours of the phone's Bluetooth, each with its source"),
                ] + List.out + List.build + List.json)
        ])
}
