import DiceApp
import HIL

/// An encapsulated key that is altered on the air gives the die other secrets, or is none: either is noticed, and exchanged
/// anew.
let airAltersEncapsulatedKey = Scenario(
    "An encapsulated key that the air alters is noticed, and keys are exchanged anew",
    .tags(.notifications, .faults, .robustness), .covers("S2", "S5"), .budget(.seconds(60))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", cipherSuites: conditions.suites))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")

    // X-Wing's has three segments, that of P-256 one, with the point's bytes from the 52nd on.
    let isXWing = conditions.suite == .xWing
    let fault: AirFault =
        isXWing
        ? .altered(.security.second, at: 5, to: [1, 2, 3, 4])
        : .altered(.encapsulatedKey(.p256), at: 60, to: [0x41, 0x41, 0x41, 0x41])
    try await lab.air.withFault(fault) {
        lab.phone.person.will(.allowForwarding(.all))
        try await lab.step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
        lab.expect(try await lab.notify(die, "Dinner at eight?") == .bluetooth, "the notification arrives")
    }
    if isXWing {
        // FIPS 203 has no wrong ciphertext: it decapsulates to another secret.
        lab.expect(die.refused("does not open", since: 0), "the die cannot open what the phone seals")
        lab.expect(lab.exchanges(since: 0), equals: 2, "the phone hears of both exchanges")
    } else {
        lab.expect(die.refused("badKey", since: 0), "the die says that it is no key")
        let failed = lab.phone.notifications.events.events.contains {
            if case .exchangeFailed(let why) = $0.kind { why.contains("the encapsulated key") } else { false }
        }
        lab.expect(failed, "the phone says which step has failed")
    }
    lab.expect(die.screens(since: 0), equals: 1, "it is shown once")
}
