import DiceApp
import HIL
import Phone

/// What is altered, doubled or lost on the air on its way between phone and die is noticed: it is shown, or answered, once.
let airMishandlesNotifications = Scenario(
    "A notification or an answer that the air alters, doubles or loses arrives once, and unaltered",
    .tags(.notifications, .faults, .robustness), .covers("S5", "S7", "N5"), .budget(.seconds(60))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let (die, app) = try await lab.forwardedDie(suites: conditions.suites)
    let events = lab.phone.notifications.events

    // The nonce, or what follows.
    let wrong: [UInt8] = [0xA5, 0x5A, 0xA5, 0x5A]
    var (place, told) = (events.count, die.events.count)
    try await lab.air.withFault(.altered(.delivery, at: 34, to: wrong)) {
        lab.expect(try await lab.notify(die, "Altered") == .bluetooth, "it arrives")
    }
    lab.expect(die.refused("does not open", since: told), "the die says that something did not open")
    lab.expect(die.screens(since: told), equals: 1, "altered, it is shown once")
    lab.expect(lab.exchanges(since: place), equals: 1, "new keys were exchanged")

    (place, told) = (events.count, die.events.count)
    try await lab.air.withFault(.doubled(.delivery)) {
        lab.expect(try await lab.notify(die, "Doubled") == .bluetooth, "it arrives")
        _ = try await die.events.first(from: told, within: .seconds(5), waitingFor: "the die to refuse the second") {
            if case .refusedMessage(let why) = $0 { why.contains("received before") } else { false }
        }
    }
    lab.expect(die.screens(since: told), equals: 1, "doubled, it is shown once")
    lab.expect(lab.exchanges(since: place), equals: 0, "that is no reason for new keys")

    (place, told) = (events.count, die.events.count)
    try await lab.air.withFault(.dropped(.delivery)) {
        // Nothing after it shows that it is lost: the phone asks.
        lab.expect(try await lab.notify(die, "Lost") == .bluetooth, "it arrives")
    }
    lab.expect(die.screens(since: told), equals: 1, "lost, it is shown once")
    lab.expect(lab.attempts(since: place), equals: [1], "the phone has not handed it over again")

    let reply = PhoneNotification.Action(identifier: "reply", type: .textInput(placeholder: ""))
    try await lab.post(.message("question", actions: [reply]))
    let question = try await lab.step("question", within: .seconds(5)) {
        try await die.screen.next(within: .seconds(5))
    }
    place = events.count
    try await lab.air.withFault(.altered(.answer, at: 34, to: wrong)) {
        try await die.respond(to: question, "reply", text: "At seven")
        try await lab.forwarding(from: place, within: .seconds(5), waitingFor: "the phone to refuse it") {
            if case .refused(let why) = $0 { why.contains("does not open") } else { false }
        }
    }
    try await lab.forwarding(from: place, within: .seconds(10), waitingFor: "new keys") {
        if case .keysExchanged = $0 { true } else { false }
    }
    // The die names the session of a delivery under the present keys.
    lab.expect(try await lab.notify(die, "Once more?") == .bluetooth, "the link is usable")
    try await die.respond(to: question, "reply", text: "At eight")
    let answer = try await lab.phone.notifications.responses.first(within: .seconds(5), waitingFor: "the answer").event
    lab.expect(answer.text, equals: "At eight", "the answer that was not altered is the only one")
    withExtendedLifetime(app) {}
}
