import HIL
import Phone

/// The internet is gone: a notification that has no other way is tried as often as the rules say and given up, and the next one
/// arrives once the relay is back.
let relayIsLost = Scenario(
    "With the relay gone a notification is given up, and the next one arrives after its return",
    .tags(.notifications, .wifi, .faults), .covers("T1"), .budget(.seconds(90))
) { lab in
    let (die, app, accessory) = try await lab.dieBehindRelay(named: "Die 7")
    lab.expect(try await lab.notify(die, "Before") == .internet, "it went over the internet")

    let (place, lost) = (lab.phone.notifications.events.count, die.events.count)
    try await lab.rig.withFault(.killed(.internet, on: .accessory)) {
        _ = try await die.events.first(from: lost, within: .seconds(10), waitingFor: "the die to lose its relay") {
            $0 == .reachedRelay(false)
        }
        lab.phone.notifications.post(.message("lost"))
        let why = try await lab.failure(since: place)
        lab.expect(
            why.contains("\(lab.phone.policy.notificationTries) tried"), "it was tried as often as it may be: \(why)")
    }
    _ = try await die.events.first(from: lost, within: .seconds(20), waitingFor: "the die to reach its relay") {
        $0 == .reachedRelay(true)
    }
    lab.expect(try await lab.notify(die, "After") == .internet, "the next one arrives")
    let shown = try await die.screen.first(within: .seconds(5), waitingFor: "both") { $0.count == 2 }
    lab.expect(shown.map(\.body), equals: ["Before", "After"], "what was given up is not shown later")
    withExtendedLifetime((app, accessory)) {}
}
