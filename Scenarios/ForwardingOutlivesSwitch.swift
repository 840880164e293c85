import DiceApp
import HIL

/// Bluetooth that the person switches off in the middle of a message and on again: what was on its way arrives once, opened
/// with the keys that both ends still have.
let forwardingOutlivesSwitch = Scenario(
    "A notification on its way when Bluetooth is switched off arrives once, when it is on again",
    .tags(.notifications, .robustness), .covers("N3", "T1", "T5", "C6"), .budget(.seconds(60))
) { lab in
    let (die, app) = try await lab.forwardedDie()
    for (number, size) in [20, 20_000].enumerated() {
        let (screen, keys) = (die.events.count, lab.phone.notifications.events.count)
        lab.phone.notifications.post(.message("m\(number)", String(repeating: "die ", count: size / 4)))
        try await lab.switchBluetooth(false)
        try await lab.switchBluetooth(true)
        let shown = (0...number).map { "m\($0)" }
        try await lab.step("arrive, \(size) bytes", within: .seconds(20)) { try await die.shows(shown, from: screen) }
        lab.expect(die.screens(since: screen), equals: 1, "\(size) bytes are shown once")
        lab.expect(lab.exchanges(since: keys), equals: 0, "the keys are still good")
    }
    withExtendedLifetime(app) {}
}
