import DiceApp
import HIL

/// To a die without a network a notification has one way: lost before it, in its middle, or with its receipt, the link comes
/// back, and the notification arrives over it, once, under the same keys.
let notificationOutlivesLinkLoss = Scenario(
    "A notification whose only link is lost arrives once that is back, and once",
    .tags(.notifications, .faults, .robustness), .covers("T1", "S7"), .budget(.seconds(60))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let (die, app) = try await lab.forwardedDie(suites: conditions.suites)
    let losses: [(String, Traffic)] = [
        ("before it", .delivery), ("in the middle", .delivery.second), ("with the receipt", .notified),
    ]
    let start = lab.phone.notifications.events.count
    for (name, traffic) in losses {
        let body = "Lost \(name): " + String(repeating: "die ", count: 400)
        let place = die.events.count
        try await lab.air.withFault(.linkLoss(.bluetooth, at: traffic)) {
            lab.expect(try await lab.notify(die, body) == .bluetooth, "lost \(name), it arrives")
        }
        lab.expect(die.screens(since: place), equals: 1, "lost \(name), it is shown once")
    }
    lab.expect(die.screen.shown.count, equals: losses.count, "all are on the screen")
    lab.expect(lab.exchanges(since: start), equals: 0, "a lost link costs no keys")
    withExtendedLifetime(app) {}
}
