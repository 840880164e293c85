import HIL
import Phone

/// The relay ends while notifications go through it, and is back at once with nothing of what it knew: each arrives, in order and
/// once, whichever part of its way was lost.
let relayIsLostOnTheWay = Scenario(
    "Notifications on their way through a relay that is lost arrive once it is back, in order and each once",
    .tags(.notifications, .wifi, .faults, .robustness), .covers("T1", "S7"), .budget(.seconds(120))
) { lab in
    // The die comes back to its relay a second after that is there.
    lab.phone.policy.notificationTries = 6
    let (die, app, accessory) = try await lab.dieBehindRelay(named: "Die 7")
    let (place, text) = (lab.phone.notifications.events.count, String(repeating: "die ", count: 20_000))
    let names = (1...8).map { "\($0)" }
    for name in names { lab.phone.notifications.post(.message(name, "\(name): \(text)")) }
    lab.expect(try await lab.deliveries(1, since: place) == [.internet], "the first went over the internet")

    try await lab.rig.withFault(.killed(.internet, on: .accessory, comesBack: .atOnce), firing: 2) {
        try await lab.step("go on", within: .seconds(40)) { try await die.shows(names) }
    }
    lab.expect(
        try await lab.deliveries(8, since: place) == Array(repeating: .internet, count: 8),
        "all of them went over the internet")
    lab.expectShown(on: die, inOrder: names)
    withExtendedLifetime((app, accessory)) {}
}
