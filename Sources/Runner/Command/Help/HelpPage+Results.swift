extension HelpPage {
    static let report = HelpPage(
        name: "report", summary: "write the page of a run, or of several as one", usage: ["[RUN…] [OPTION…]"],
        about: """
            Writes the page of a run, index.html in its folder; of the latest if none is named. For several runs, such as the shards of one night, it writes one page and one junit.xml into results/report.
            """,
        lists: [
            List(
                title: "options",
                items: [
                    ("--to DIR", "where to write the page of several runs"),
                    ("--junit FILE", "the name of junit.xml"), ("--junit-flavor github", "its dialect"),
                    (
                        "--single-file FILE",
                        "a page of at most 10 MB that needs no other file, with failures in full, to be sent by mail"
                    ),
                    ("--baseline RUN", "the run to compare with: a run, last-good, or a file of events"),
                ] + List.out)
        ])

    static let watch = HelpPage(
        name: "watch", summary: "serve the page of a run in progress", usage: ["[RUN] [--port N] [--out DIR]"],
        about: """
            Serves the page of a run in progress, the latest if none is named: on a port of this machine alone, under an address with a secret in it, and only as long as the command runs.
            """, lists: [List(title: "options", items: [("--port N", "serve on this port")] + List.out)])

    static let history = HelpPage(
        name: "history", summary: "show how scenarios went in earlier runs",
        usage: ["[SCENARIO] [--last N] [OPTION…]", "import RUN… [--out DIR]"],
        about: """
            Shows the results of each scenario in earlier runs, how often it was flaky and how long it takes; for one scenario each result, its steps, and from 50 runs on where their times changed for good. Every run is kept in history.sqlite beside the runs' folders; import adds older runs, or those of other machines.
            """,
        lists: [
            List(
                title: "options",
                items: [("--last N", "the N newest results; 50 by default")] + List.out + List.json)
        ])

    static let compare = HelpPage(
        name: "compare", summary: "show what is different between two runs", usage: ["RUN|last-good RUN [OPTION…]"],
        about: """
            Shows what is different in the second of two runs: scenarios that newly failed, are fixed or newly flaky, new and removed scenarios, and steps that are slower by the Mann-Whitney test, over the history's runs on the same machine and boards. last-good is the newest run before the second that ended well on the same kind of rig.
            """,
        lists: [
            List(
                title: "options",
                items: [
                    ("--fail-on-regression", "exit with 4 if something newly failed or is slower"),
                    ("--least-change 20%,100ms", "how much slower a step must be"),
                ] + List.out + List.json)
        ])

    static let capture = HelpPage(
        name: "capture", summary: "show a scenario's packets in tshark", usage: ["RUN/SCENARIO [OPTION OF TSHARK…]"],
        about: """
            Shows a scenario's packets in tshark, with Wi-Fi decrypted: hil capture latest/NAME -Y btatt. RUN may be latest.
            """)

    static let open = HelpPage(
        name: "open", summary: "restore the boards of a failed scenario",
        usage: ["RUN/SCENARIO [--shell host|accessory] [--out DIR]"],
        about: "Restores both boards of a failed scenario as they were when it failed; RUN may be latest.",
        lists: [
            List(
                title: "options", items: [("--shell BOARD", "open a shell on host or accessory at once")] + List.out)
        ])
}
