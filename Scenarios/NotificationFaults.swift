import DiceApp
import HIL

/// An altered key either gives the die other secrets, or is not a valid key.
let airAltersEncapsulatedKey = Scenario(
    "An encapsulated key that the air alters is noticed, and keys are exchanged again",
    .tags(.notifications, .faults, .robustness), .needs(.air), .covers("S2", "S5"), .budget(.seconds(60)), over: suites
) { lab, suite in
    let (die, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", cipherSuites: suite.offered))
    // X-Wing's key has three segments. The key of P-256 has one, in which the point begins at byte 52.
    let fault: AirFault =
        suite == .xWing
        ? .altered(.security.second, at: 5, to: [1, 2, 3, 4])
        : .altered(.encapsulatedKey(.p256), at: 60, to: [0x41, 0x41, 0x41, 0x41])
    try await lab.air.withFault(fault) {
        try await lab.forward(to: accessory, in: app)
        try await lab.expectDelivery(of: "Dinner at eight?", to: die, over: .bluetooth, "the notification arrives")
    }
    if suite == .xWing {
        // In FIPS 203 every ciphertext is valid. An altered one decapsulates to another secret.
        lab.expect(die.refused("does not open"), "the die cannot open what the phone seals")
        lab.expect(lab.exchanges(), equals: 2, "the phone hears of both exchanges")
    } else {
        lab.expect(die.refused("badKey"), "the die reports an invalid key")
        lab.expect(
            lab.forwarding.contains(.exchangeFailed("the encapsulated key")), "the phone says which step has failed")
    }
    lab.expect(die.screens(), equals: 1, "it is shown once")
}

let airMishandlesNotifications = Scenario(
    "A notification or an answer that the air alters, doubles or loses arrives once, and unaltered",
    .tags(.notifications, .faults, .robustness), .needs(.air), .covers("S5", "S7", "N5"), .budget(.seconds(60)),
    over: suites
) { lab, suite in
    let (die, _) = try await lab.forwardedDie(suites: suite.offered)
    // The altered bytes are in the nonce or after it.
    let wrong: [UInt8] = [0xA5, 0x5A, 0xA5, 0x5A]
    let altered = AirFault.altered(.delivery, at: 34, to: wrong)
    try await lab.expectDelivery(of: "Altered", to: die, despite: altered, refusal: "does not open", newKeys: 1)
    try await lab.expectDelivery(of: "Doubled", to: die, despite: .doubled(.delivery), refusal: "received before")
    var mark = lab.forwarding.mark
    // No later message shows the loss, so the phone asks.
    try await lab.expectDelivery(of: "Lost", to: die, despite: .dropped(.delivery))
    lab.expect(
        lab.forwarding.all(.deliveredAtAttempt, since: mark), equals: [1], "the phone has not handed it over again")

    try await lab.post(.message("question", actions: [.reply]))
    let question = try await lab.step("question", within: .seconds(5)) { try await die.screen.next() }
    mark = lab.forwarding.mark
    try await lab.air.withFault(.altered(.answer, at: 34, to: wrong)) {
        try await die.respond(to: question, "reply", text: "At seven")
        try await lab.forwarding.next(.refused("does not open"), since: mark, within: .seconds(5))
    }
    try await lab.forwarding.next(.keysExchanged, since: mark)
    // The die's answer names the session, so a delivery with the new keys must come first.
    try await lab.expectDelivery(of: "Once more?", to: die, over: .bluetooth, "the link is usable")
    try await die.respond(to: question, "reply", text: "At eight")
    let answer = try await lab.phone.notifications.responses.next(.response, within: .seconds(5))
    lab.expect(answer.text, equals: "At eight", "the answer that was not altered is the only one")
}

let keyExchangeOutlivesLinkLoss = Scenario(
    "A link that is lost in the key exchange leaves phone and die with the same keys",
    .tags(.notifications, .faults, .robustness), .needs(.air), .covers("S2", "S5", "N6"), .budget(.seconds(90)),
    over: suites
) { lab, suite in
    let (die, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", cipherSuites: suite.offered))
    let losses: [(String, Traffic)] = [
        ("public key", .publicKey(suite)),
        // X-Wing's key has several segments.
        ("encapsulated key", suite == .xWing ? .security.second : .encapsulatedKey(suite)),
        // One segment with a message of two bytes: kind 4, then the result “ready”.
        ("result", .notified.and(.containing([0x13, 0, 2, 0, 0, 0, 4, 0]))),
    ]
    for (name, traffic) in losses {
        let (mark, screen) = (lab.forwarding.mark, die.events.mark)
        try await lab.air.withFault(.linkLoss(.bluetooth, at: traffic)) {
            try await lab.forward(to: accessory, in: app)
            let suite: SecurityMessage.CipherSuite = suite == .xWing ? .xWing : .p256
            try await lab.forwarding.next(.keysExchanged(suite), since: mark, within: .seconds(20))
        }
        try await lab.expectDelivery(of: "After the \(name)", to: die, over: .bluetooth, "the notification arrives")
        lab.expect(die.screens(since: screen), equals: 1, "\(name) lost, it is shown once")
        lab.expect(!die.refused("does not open", since: screen), "it opens at the first try")

        lab.phone.person.will(.forwardInSettings("Bluetooth Die", .none))
        try await lab.step("revoke", within: .seconds(5)) { try await die.shows([], since: screen) }
    }
}

/// Segments of different messages are not joined. The phone asks again for a public key that was cut off.
let notificationIsCutOnTheAir = Scenario(
    "A notification whose segments are reordered, and then lost, arrives whole and once",
    .tags(.notifications, .faults, .robustness), .needs(.air), .covers("S2", "T1", "T4"), .budget(.seconds(60)),
    over: suites
) { lab, suite in
    let (die, _) = try await lab.air.withFault(.dropped(.publicKey(suite))) {
        try await lab.forwardedDie(suites: suite.offered)
    }
    lab.expect(lab.exchanges(), equals: 1, "keys are exchanged although the public key was cut off")
    let body = String(repeating: "die ", count: 400)
    try await lab.air.withFault(.reordered(.delivery.second)) {
        try await lab.expectDelivery(of: body, to: die, despite: .dropped(.delivery.second), refusal: "after a gap")
    }
    try await lab.expectDelivery(of: "And the next", to: die, over: .bluetooth, "the link is usable")
}

let notificationOutlivesLinkLoss = Scenario(
    "A notification whose only link is lost arrives when the link is back, and once",
    .tags(.notifications, .faults, .robustness), .needs(.air), .covers("T1", "S7"), .budget(.seconds(60)), over: suites
) { lab, suite in
    let (die, _) = try await lab.forwardedDie(suites: suite.offered)
    let losses: KeyValuePairs = [
        "before it": Traffic.delivery, "in the middle": .delivery.second, "with the receipt": .notified,
    ]
    let start = lab.forwarding.mark
    for (name, traffic) in losses {
        let body = "Lost \(name): " + String(repeating: "die ", count: 400)
        try await lab.expectDelivery(of: body, to: die, despite: .linkLoss(.bluetooth, at: traffic))
    }
    lab.expect(die.screen.shown.count, equals: losses.count, "all are on the screen")
    lab.expect(lab.exchanges(since: start), equals: 0, "a lost link costs no keys")
}

let dieMisleadsThePhone = Scenario(
    "A die that offers wrong keys and repeats its answers is found out, and each notification arrives once",
    .tags(.notifications, .faults, .robustness), .covers("S2", "S3", "S5", "S7", "N3", "N5"), .budget(.seconds(90)),
    over: suites
) { lab, suite in
    let wrongs: [(DieConfiguration.Misbehaviour, reason: String)] = [
        (.offersUnknownSuite, "the cipher suite"),
        (.offersShortKey, "the accessory's public key, \(suite == .xWing ? 1200 : 48) bytes"),
        (.namesNetworkWithP256, "need the cipher suite xWing"),
    ]
    let (die, app, accessory) = try await lab.pairedDie(
        .die(
            named: "Die 7", cipherSuites: suite.offered,
            misbehaviour: wrongs.map(\.0) + [.offersAnotherKey, .repeatsMessage]))
    let centre = lab.phone.notifications
    try await lab.forward(to: accessory, in: app)
    centre.post(.message("at once"))

    var mark = EventLog<ForwardingEvent>.Mark.start
    for (wrong, reason) in wrongs {
        try await lab.forwarding.next(.exchangeOrSessionEnded(reason), since: mark, within: .seconds(15))
        try await lab.forwarding.next(.sessionEnded(), since: mark, within: .seconds(5))
        lab.expect(lab.exchanges(), equals: 0, "no keys are exchanged")
        mark = lab.forwarding.mark
        // A new notification begins another session.
        centre.post(.message("\(wrong)", actions: [.reply]))
    }

    // The phone encapsulated for another key, so the die had other secrets.
    let names = ["at once"] + wrongs.map { "\($0.0)" }
    let shown = try await lab.step("show", within: .seconds(15)) { try await die.shows(names) }
    lab.expect(die.refused("does not open"), "the die could not open it at first")
    lab.expect(lab.exchanges(), equals: 2, "then it offered a key that it keeps")
    lab.expect(die.screens(), equals: names.count, "each is shown once")
    lab.expect(die.alerts.map(\.notification), equals: names, "and alerts once")

    try await die.respond(to: shown[names.count - 1], "reply", text: "At eight")
    try await lab.forwarding.next(.refused("came before"), since: mark, within: .seconds(5))
    try await centre.responses.next(.response, within: .seconds(5))
    lab.expect(centre.responses.events.map(\.text), equals: ["At eight"], "the app gets the answer once")
    try await lab.step("continue", within: .seconds(10)) {
        try await lab.post(.message("next"))
        try await die.shows(names.dropLast() + ["next"])
    }
}

/// A die that was off still uses its stored keys. A die that lost them gets new ones.
let dieRestarts = Scenario(
    "A die that restarts, with or without its keys, shows the next notification once",
    .tags(.notifications, .faults, .robustness), .needs(.ownBoards), .covers("S2", "S5"), .budget(.seconds(60)),
    over: suites
) { lab, suite in
    let (first, _) = try await lab.forwardedDie(suites: suite.offered)
    try await lab.post(.message("1"))
    try await first.shows(["1"])

    var mark = lab.forwarding.mark
    try await first.powerOff()
    try await lab.forwarding.next(.link(isUp: false), since: mark)
    let second = try await lab.accessory.powerOn(.die(named: "Die 7", cipherSuites: suite.offered))
    try await lab.step("with its keys", within: .seconds(10)) {
        try await lab.post(.message("2"))
        try await second.shows(["1", "2"])
    }
    lab.expect(lab.exchanges(since: mark), equals: 0, "the keys are those from before")
    lab.expect(second.screens(), equals: 1, "with its keys, it is shown once")

    mark = lab.forwarding.mark
    try await lab.rig.withFault(.agentKilled(on: .accessory)) {}
    let third = try await lab.accessory.powerOn(.die(named: "Die 7", cipherSuites: suite.offered))
    try await lab.step("without its keys", within: .seconds(15)) {
        try await lab.post(.message("3"))
        try await third.shows(["3"])
    }
    lab.expect(lab.exchanges(since: mark) > 0, "keys were exchanged again")
    lab.expect(third.screens(), equals: 1, "without its keys, it is shown once")
    lab.expect(!third.isBonded, "the bond was kept")
}
