import HIL

extension AccessoryProgram {
    /// A line of shell.
    fileprivate static func shell(
        _ script: String, user: String? = nil, owns: Set<OwnedDaemon> = [], ready: ProgramReadiness = .started
    ) -> AccessoryProgram {
        AccessoryProgram(named: "shell", command: ["sh", "-c", script], user: user, owns: owns, ready: ready)
    }
}

let programsAreRun = Scenario("Programs start, are ready by what they do, and take all their processes with them") {
    lab in
    // A daemon that has left its parent, its group and its session.
    let first = try await lab.accessory.run(
        .shell(
            "(setsid sleep 1000 &) ; setsid sh -c 'sleep 1000 & sleep 1000' & echo ready; cat",
            ready: .line(containing: "ready")))
    let mark = first.events.mark
    try await first.send("one")
    lab.expect(try await first.prints("one", since: mark), equals: "one", "what is typed comes back")
    lab.expect(try await first.stop(), equals: .signal(15), "it ends when it is asked to")

    let second = try await lab.accessory.run(
        .shell("pidof sleep || echo none; id -un; sleep 1000", user: "nobody"))
    try await second.prints("nobody")
    lab.expect(second.lines.map(\.text), equals: ["none", "nobody"], "no process of the first program is left")
    try await second.restart(grace: .zero)
    try await second.prints("nobody")
    lab.expect(second.events.count(.printed("nobody")), equals: 2, "it runs again")
    try await second.stop()

    let network = """
        printf 'interface=wlan0\\ndriver=nl80211\\nssid=Thermostat\\nhw_mode=g\\nchannel=1\\n' >/tmp/hostapd.conf
        exec hostapd /tmp/hostapd.conf
        """
    let access = try await lab.accessory.run(
        .shell(network, owns: [.hostapd], ready: .network(ssid: "Thermostat")))
    try await access.stop()
    let refused = try await lab.expect(throwing: RadioError.self, "a program that is not there is refused") {
        try await lab.accessory.run(AccessoryProgram(command: ["no-such-program"]))
    }
    lab.expect("\(refused.map { "\($0)" } ?? "")".contains("no-such-program"), "the refusal names the program")
}

let programCrashes = Scenario("A program that ends by itself fails the scenario, with its last lines and its end") {
    lab in
    let program = try await lab.accessory.run(.shell("echo one; echo two >&2; kill -SEGV $$"))
    try await program.prints("three")
}
