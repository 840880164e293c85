import DiceApp
import HIL

/// Whichever message of a key exchange the link is lost with, both ends have the same keys in the end.
let keyExchangeOutlivesLinkLoss = Scenario(
    "A link that is lost in the key exchange leaves phone and die with the same keys",
    .tags(.notifications, .faults, .robustness), .covers("S2", "S5", "N6"), .budget(.seconds(90))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", cipherSuites: conditions.suites))
    let suite = conditions.suite.ofDie
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")

    let losses: [(String, Traffic)] = [
        ("public key", .publicKey(suite)),
        // X-Wing's has several segments.
        ("encapsulated key", suite == .xWing ? .security.second : .encapsulatedKey(suite)),
        // One segment with a message of two bytes: kind 4, and that the keys are ready.
        ("result", .notified.and(.containing([0x13, 0, 2, 0, 0, 0, 4, 0]))),
    ]
    for (name, traffic) in losses {
        let (place, screen) = (lab.phone.notifications.events.count, die.events.count)
        try await lab.air.withFault(.linkLoss(.bluetooth, at: traffic)) {
            lab.phone.person.will(.allowForwarding(.all))
            try await lab.step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
            try await lab.step("exchange, \(name) lost", within: .seconds(20)) {
                try await lab.forwarding(from: place, within: .seconds(20), waitingFor: "keys") {
                    $0 == .keysExchanged(suite == .xWing ? .xWing : .p256)
                }
            }
        }
        lab.expect(try await lab.notify(die, "After the \(name)") == .bluetooth, "the notification arrives")
        lab.expect(die.screens(since: screen), equals: 1, "\(name) lost, it is shown once")
        lab.expect(!die.refused("does not open", since: screen), "it opens at the first try")

        lab.phone.person.will(.forwardInSettings("Bluetooth Die", .none))
        try await lab.step("revoke", within: .seconds(5)) { try await die.shows([], from: screen) }
    }
}
