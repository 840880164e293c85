extension HelpPage {
    static let parity = HelpPage(
        name: "parity", summary: "show where runs on different rigs, or a real phone and a run, differ",
        usage: [
            "RUN RUN [OPTION…]", "FILE RUN/SCENARIO [OPTION…]", "FILE FILE [OPTION…]",
            "RUN/SCENARIO RUN/SCENARIO [OPTION…]",
        ],
        about: """
            Shows where two runs of the same scenarios on different rigs differ: in their verdicts, in the events and their order, apart from numbers and addresses, and in times.
            With a capture of a real phone (PacketLogger, btsnoop, a sniffer's pcap, our own pcapng) it shows where that phone and the phone of a scenario differ, procedure by procedure, over Bluetooth and over Wi-Fi, with both frames and what each difference can mean for firmware. Wi-Fi keys are read from a file 80211_keys beside the capture.
            """,
        lists: [
            List(
                title: "options",
                items: [("--least-change 50%,500ms", "how much a time must differ, for runs")] + List.out + List.json),
            List(
                title: "options with a capture",
                items: [
                    (
                        "--fail-on SORT,…",
                        "exit with 4 after a difference of a sort: value, order, missing, more, later"
                    ),
                    ("--accessory ADDRESS", "the accessory in the first capture, if it has several"),
                    ("--second-accessory ADDRESS", "the same in the second"),
                    ("--phone ADDRESS", "the phone in the first capture, if it has several"),
                    ("--second-phone ADDRESS", "the same in the second"),
                    (
                        "--network NETWORK",
                        "the Wi-Fi network in the first capture: its name, or the address of its access point or of the phone"
                    ),
                    ("--second-network NETWORK", "the same in the second"),
                ]),
        ])

    static let learn = HelpPage(
        name: "learn", summary: "write the habits of a phone in captures as a personality",
        usage: ["FILE… [OPTION…]"],
        about: """
            Reads captures of one phone with an accessory: PacketLogger's .pklg, btsnoop, a sniffer's pcap or our own pcapng. It prints a personality in Swift for lab.phone.personality, with the frame that shows each value; then what contradicts, what was seen and cannot be played, and what the captures do not show.
            """,
        lists: [
            List(
                title: "options",
                items: [
                    ("--name NAME", "the name of the constant; learned by default"),
                    ("--out FILE.swift", "write it there, for example into your Scenarios folder"),
                    ("--accessory ADDRESS", "the accessory, if the captures have several"),
                    ("--phone ADDRESS", "the phone, if the captures have several"),
                    (
                        "--network NETWORK",
                        "the Wi-Fi network, if the captures have several: its name, or the address of its access point or of the phone"
                    ),
                ] + List.json)
        ])
}
