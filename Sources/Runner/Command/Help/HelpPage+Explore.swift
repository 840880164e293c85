extension HelpPage {
    static let explore = HelpPage(
        name: "explore", summary: "try every fault at every moment of a scenario's journey",
        usage: ["PATTERN… [FILTER…] [OPTION…]"],
        about: """
            Runs a scenario three times without a fault, to find the moments of its journey: packets, screens, steps, and what the app is told. Then it makes a trial for each moment and each fault that makes sense there, each on fresh boards: the scenario with that fault, and after a failure what a person does next, which is the scenario once more after the accessory was removed in Settings, or what `.explores(recovery:)` declares.
            A finding is told once, after three trials: stuck (the next attempt does not pass), silent (no error and no end), crashed, split (phone, app and accessory disagree), leaked (something is left, or a secret was in the clear), brokenPromise (of `.explores(holds:)`). Each is a case of the run, so that page, JUnit, history and compare have it.
            """,
        lists: [
            .filters,
            List(
                title: "options",
                items: [
                    ("--moments", "only find the moments, and say what would be tried and why the rest makes no sense"),
                    ("--fault NAME", "only this fault: linkLost; several with commas, or by several options"),
                    ("--at MOMENT", "only at this moment: --at \"write(FF03)#2\"; may be repeated"),
                    (
                        "--budget TIME",
                        "stop after this time: 2min; or after so many trials, which are the same in a slow hour: 60. The most different trials come first, and the last quarter goes to the edges of what was found"
                    ),
                    ("--pairs", "then also try pairs of faults that did no harm alone"),
                    ("--keep DIR", "write each finding as a scenario that fails until it is mended: Scenarios/Found"),
                    (
                        "--resume",
                        "take over what earlier explorations found, as long as program and accessory are the same"
                    ),
                    ("--fail-on KINDS", "only these findings fail: stuck,silent; none is no finding; by default all"),
                    (
                        "--jobs N",
                        "make N trials at the same time; by default twice as many as hil run uses rigs, or more, because trials mostly wait, and up to as many again while processors and memory are free"
                    ),
                    ("--seed N", "determines the order of the trials; by default 1"),
                ] + List.boards + [
                    ("--rig RIG", "instead of virtual boards: as for hil run"),
                    ("--junit-flavor NAME", "plain or github"),
                ] + List.json + List.out + List.build),
            List(
                title: "exit codes",
                items: [
                    ("0", "no finding"), ("1", "a finding, or the scenario does not pass without a fault"),
                    ("2", "the rig failed"), ("64", "the command line is wrong"),
                ]),
        ])
}
