import DiceApp
import HIL

/// A die that was off goes on with the keys that it kept; one that lost them gets new ones. Either way what is posted then
/// arrives, once.
let dieRestarts = Scenario(
    "A die that restarts, with its keys or without, shows the next notification once",
    .tags(.notifications, .faults, .robustness), .covers("S2", "S5"), .budget(.seconds(60))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let (first, app) = try await lab.forwardedDie(suites: conditions.suites)
    try await lab.post(.message("1"))
    try await first.shows(["1"])

    var place = lab.phone.notifications.events.count
    try await first.powerOff()
    try await lab.forwarding(from: place, within: .seconds(10), waitingFor: "the phone to lose the die") {
        $0 == .linkChanged(isUp: false)
    }
    let second = try await lab.accessory.powerOn(.die(named: "Die 7", cipherSuites: conditions.suites))
    try await lab.step("with its keys", within: .seconds(10)) {
        try await lab.post(.message("2"))
        try await second.shows(["1", "2"])
    }
    lab.expect(lab.exchanges(since: place), equals: 0, "the keys are those from before")
    lab.expect(second.screens(since: 0), equals: 1, "with its keys, it is shown once")

    place = lab.phone.notifications.events.count
    try await lab.rig.withFault(.agentKilled(on: .accessory)) {}
    let third = try await lab.accessory.powerOn(.die(named: "Die 7", cipherSuites: conditions.suites))
    try await lab.step("without its keys", within: .seconds(15)) {
        try await lab.post(.message("3"))
        try await third.shows(["3"])
    }
    lab.expect(lab.exchanges(since: place) > 0, "keys were exchanged anew")
    lab.expect(third.screens(since: 0), equals: 1, "without its keys, it is shown once")
    lab.expect(!third.isBonded, "the bond was kept")
    withExtendedLifetime(app) {}
}
