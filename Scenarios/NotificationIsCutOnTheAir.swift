import DiceApp
import HIL

/// A message whose segments come in the wrong order, or not all of them, is not joined to another one: it is sent again. A
/// public key is asked for again.
let notificationIsCutOnTheAir = Scenario(
    "A notification whose segments are overtaken, and then lost, arrives whole and once",
    .tags(.notifications, .faults, .robustness), .covers("S2", "T1", "T4"), .budget(.seconds(60))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let (die, app) = try await lab.air.withFault(.dropped(.publicKey(conditions.suite.ofDie))) {
        try await lab.forwardedDie(suites: conditions.suites)
    }
    lab.expect(lab.exchanges(since: 0), equals: 1, "keys are exchanged although the public key was cut")
    let body = String(repeating: "die ", count: 400)
    let (place, told) = (lab.phone.notifications.events.count, die.events.count)
    try await lab.air.withFault(.reordered(.delivery.second)) {
        try await lab.air.withFault(.dropped(.delivery.second)) {
            lab.expect(try await lab.notify(die, body, within: .seconds(20)) == .bluetooth, "it arrives")
        }
    }
    lab.expect(die.refused("after a gap", since: told), "the die says what was wrong")
    lab.expect(die.screens(since: told), equals: 1, "it is shown once")
    lab.expect(lab.exchanges(since: place), equals: 0, "a message that is cut costs no keys")
    lab.expect(try await lab.notify(die, "And the next") == .bluetooth, "the link is usable")
    withExtendedLifetime(app) {}
}
