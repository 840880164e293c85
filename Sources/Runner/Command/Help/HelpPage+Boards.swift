extension HelpPage {
    static let initialize = HelpPage(
        name: "init", summary: "write a package for your app, accessory and scenarios",
        usage: ["NAME [OPTION…]", "--here [NAME] [OPTION…]"],
        about: """
            Writes a package for your app, your accessory and your scenarios into the new folder NAME. The package depends on this checkout, or on the repository at URL, which CI needs.
            """,
        lists: [
            List(
                title: "options",
                items: [
                    ("--here", "add what is missing to the current folder"),
                    ("--url URL", "the repository of hil"), ("--branch NAME", "its branch; main by default"),
                ])
        ])

    static let check = HelpPage(
        name: "check", summary: "check an app's Info.plist, entitlements and pictures",
        usage: ["--app DIR [--format text|json]"],
        about: """
            Checks an app's Info.plist, entitlements and product pictures; needs no rig; exits with 1 if something is wrong.
            """)

    static let shell = HelpPage(
        name: "shell", summary: "open a root shell on a board", usage: ["host|accessory [OPTION…] [-- COMMAND…]"],
        about: """
            Opens a root shell on a board of a running rig of this checkout, or of fresh boards; or runs one command there. Ctrl-] leaves it.
            """,
        lists: [
            List(
                title: "options",
                items: [("--rig NAME", "the rig, if several run: its name, or a part of its scenario's name")]
                    + List.boards)
        ])

    static let tap = HelpPage(
        name: "tap", summary: "show the packets on the air as they pass", usage: ["[DISPLAY-FILTER]"],
        about: """
            Shows the packets on the air of a running rig of this checkout, or of its next rigs, as they pass: when, who, what. The filter is one of tshark.
            """)

    static let bench = HelpPage(
        name: "bench", summary: "prepare real boards, and see who holds which",
        usage: [
            "prepare BOARD… [--adapter ADDRESS] [--interface NAME]", "restore BOARD…",
            "list [--coordinator HOST:PORT] [--format text|json]",
            "release [PLACE [--force]] [--coordinator HOST:PORT] [--format text|json]",
        ],
        about: """
            Prepares real boards for runs: installs what is missing there, and hil's program for boards; restore removes it again. BOARD is a name of your SSH configuration, or local.
            list shows the places of a labgrid coordinator: who holds them, since when, and their boards. release gives back the places of your killed jobs, or a named place of one of your jobs, or with --force a named place of any holder. The coordinator is LG_COORDINATOR, or this machine's own.
            """)

    static let setUp = HelpPage(
        name: "setup", summary: "prepare the virtual rig", usage: ["[--accessory SYSTEM] [--image]"],
        about: """
            Prepares what the virtual rig still lacks: board image, RootCanal, snapshot. With --image it prepares only the parts that need no program of hil for boards.
            """)

    static let kernel = HelpPage(
        name: "kernel", summary: "build the kernel of native boards, or copy it",
        usage: ["build", "key", "export FILE", "import FILE"],
        about: """
            Builds the kernel of native boards, which takes 5 to 13 minutes, once; or prints its name in the cache, or copies it from one machine to another of the same system.
            """)

    static let doctor = HelpPage(
        name: "doctor", summary: "show what is missing, and how to get it",
        usage: ["[--rig HOST,ACCESSORY|labgrid:PLACE]"],
        about: """
            Shows what is installed, what is missing, and how to get it; with --rig, what the boards of a bench have and what prevents a run.
            """)
}
