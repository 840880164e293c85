extension HelpPage {
    static let audit = HelpPage(
        name: "audit", summary: "attack an accessory, and say what holds",
        usage: [
            "PATTERN… [FILTER…] [OPTION…]", ".ACCESSORY… [OPTION…]", "--rig HOST,none --device NAME [OPTION…]",
            "--targets",
        ],
        about: """
            Checks what an attacker in radio range can do to the accessory of a scenario, each check on fresh boards: a stranger with a Bluetooth host of its own comes near while the accessory is new, or is set up and its owner away. Afterwards the owner's journey, which is the scenario's body, must pass. `.audits(AuditExpectations(…))` says what the accessory means to allow, and `AuditExpectations(of: .phone, …)` that the phone is attacked, whose app is a peripheral.
            `hil audit .latch` attacks an accessory that the scenarios' folder declares by a name, as `static let latch` in an extension of AccessoryProgram, Peripheral or HostStack. Its owner's journey is that of an app of the harness: it finds the accessory in a picker, pairs if something asks for it, and reads all values. `AuditExpectations.latch` says what is meant.
            Each check is a case of the run: passed (it holds, or a breach is accepted), failed (breached), skipped (it does not apply). The page and audit.json say more. Evidence by clause, never a certificate.
            """,
        lists: [
            .filters,
            List(
                title: "options",
                items: [
                    ("--targets", "list the accessories with a name, and attack nothing"),
                    ("--only NAMES", "only these controls or families: pairing,access or pairing.legacy"),
                    ("--packets N", "how many packets each attack of the robustness family sends; 10000 by default"),
                    (
                        "--budget TIME",
                        "begin no further check after this time, such as 90s, 30min or 2h; those that are left are named"
                    ),
                    ("--seed N", "decides these packets; 1 by default"),
                    (
                        "--keep FOLDER",
                        "write the shortest packets of each breach as a scenario that fails until it is mended"
                    ),
                ] + List.boards + [
                    ("--rig RIG", "instead of virtual boards: as for hil run, but for a phone in a hand"),
                    (
                        "--device NAME",
                        "attack a device on the desk, by the name or the address that it advertises, without a scenario; asks first"
                    ),
                    ("--yes", "do not ask whether to attack the device"),
                    ("--jobs N", "make N checks at the same time"),
                    ("--junit-flavor NAME", "plain or github"),
                    ("--json FILE", "write the run's audit.json to this file as well"),
                ] + List.json + List.out + List.build),
            List(
                title: "exit codes",
                items: [
                    ("0", "no breach"), ("1", "a breach, or the owner's journey does not pass"),
                    ("2", "the rig failed"), ("64", "the command line is wrong"),
                ]),
        ])
}
