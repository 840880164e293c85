import HIL

package let savedTooEarly = Scenario(
    "A lamp that says that it has joined the home's network is in it",
    .accessory(.lamp("SavedTooEarly", ["python3", "lamp.py"], .mended, owns: [.wpaSupplicant])), .needs(.homeNetwork),
    .explores(
        recovery: { lab in try await lab.bringLampHome() },
        holds: [.custom("the lamp is in the home's network") { lab in try await lab.isLampAtHome() }]),
    over: Build.ofFirmware
) { lab, build in
    try await lab.homeNetwork.open(ssid: "Home")
    let lamp = AccessoryProgram.lamp("SavedTooEarly", ["python3", "lamp.py"], build, owns: [.wpaSupplicant])
    let running = try await lab.accessory.run(lamp)
    HomeLamp.running = running
    try await lab.bringLampHome()
    lab.expect(running.lines.contains { $0.text == "the network is up" }, "the lamp has joined the home's network")
}

/// The lamp of this journey.
@MainActor
private enum HomeLamp {
    static var running: RunningProgram?
}

extension Lab {
    fileprivate func bringLampHome() async throws {
        let app = try await phone.launch(LampApp.self)
        phone.person.will(.pick("Lamp"))
        try await step("bring home", within: .seconds(8)) {
            try await app.setUpOrContinue {
                let answer = try await app.tell("\(self.homeNetwork.ssid)\t\(self.homeNetwork.passphrase)\n")
                guard answer == "joined" else { throw LampError.refused(answer) }
            }
        }
        app.link.disconnect()
    }

    /// Whether the lamp is in the network now, or comes back to it soon: a network that was gone takes a while.
    fileprivate func isLampAtHome() async throws -> Bool {
        guard let lamp = HomeLamp.running else { return false }
        for _ in 1...20 {
            if (try? await lamp.fetch("link")) == Data("up".utf8) { return true }
            try await Task.sleep(for: .milliseconds(500))
        }
        return false
    }
}
