import DiceApp
import HIL

/// The extension whose process ends, and the moments of its session at which it does.
private let ends = Axis("extension", ["security", "transport", "data provider"])

private func moments(of name: String) -> (ForwardingExtension, [ExtensionMoment]) {
    switch name {
    case "security": (.security, [.launch, .send, .receive, .write(1), .answer])
    case "transport": (.transport(.bluetooth), [.receive, .write(1), .write(2), .answer])
    default: (.dataProvider, [.receive, .send, .answer])
    }
}

/// No code is called for the end of its process. A link that is restored stays up.
let extensionEndsAtAnyMoment = Scenario(
    "The process of an extension ends at any moment of its session, and each notification arrives once",
    .tags(.notifications, .faults, .robustness), .covers("T6", "S2", "S5", "T1"), .budget(.seconds(90)), over: ends
) { lab, name in
    let (die, app, accessory) = try await lab.pairedDie()
    let (which, moments) = moments(of: name)
    for moment in moments {
        let (mark, screen) = (lab.forwarding.mark, die.events.mark)
        // Keys are exchanged when forwarding begins, so that each moment of the security extension needs its own session.
        if which != .security, moment == moments[0] {
            try await lab.forward(to: accessory, in: app)
            try await lab.forwarding.next(.keysExchanged, since: mark, within: .seconds(20))
        }
        try await lab.withEnd(of: which, at: moment, because: .memoryLimit) {
            if which == .security {
                try await lab.forward(to: accessory, in: app)
                try await lab.forwarding.next(.keysExchanged, since: mark, within: .seconds(20))
            }
            // The transport writes it in four segments.
            let body = "The process ends \(moment): " + String(repeating: "die ", count: which == .security ? 1 : 400)
            try await lab.expectDelivery(of: body, to: die, over: .bluetooth, "the notification arrives")
            lab.expect(
                try await lab.forwarding.next(.ended(which), since: mark, within: .seconds(10)) == .memoryLimit,
                "the phone knows why the process has ended")
        }
        try await lab.forwarding.next(.launchedAgain, since: mark, within: .seconds(10))
        try await lab.expectDelivery(of: "After \(moment)", to: die, over: .bluetooth, "and so does the next")
        lab.expect(die.screens(since: screen), equals: 2, "both are shown once")
        guard which == .security else { continue }
        lab.phone.person.will(.forwardInSettings("Bluetooth Die", .none))
        try await lab.step("revoke", within: .seconds(5)) { try await die.shows([], since: screen) }
    }
    lab.expect(
        lab.forwarding.count(.sessionEnded()), equals: which == .security ? moments.count : 0,
        "no end of a process ends the session")
}
