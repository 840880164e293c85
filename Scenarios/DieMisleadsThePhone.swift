import BoardProtocol
import DiceApp
import DieLab
import HIL
import Phone

/// A hostile die's keys are refused by name, and its replayed answer is dropped; as soon as it behaves, all is well, and what
/// was posted meanwhile arrives.
let dieMisleadsThePhone = Scenario(
    "A die that offers wrong keys and repeats its answers is found out, and what was posted arrives once",
    .tags(.notifications, .faults, .robustness), .covers("S2", "S3", "S5", "S7", "N3", "N5"), .budget(.seconds(90))
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let wrongs: [(DieConfiguration.Misbehaviour, reason: String)] = [
        (.offersUnknownSuite, "the cipher suite"),
        (.offersShortKey, "the accessory's public key, \(conditions.suite == .xWing ? 1200 : 48) bytes"),
        (.namesNetworkWithP256, "need the cipher suite xWing"),
    ]
    let die = try await lab.accessory.powerOn(
        .die(
            named: "Die 7", cipherSuites: conditions.suites,
            misbehaviour: wrongs.map(\.0) + [.offersAnotherKey, .repeatsMessage]))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    let centre = lab.phone.notifications
    lab.phone.person.will(.allowForwarding(.all))
    try await lab.step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }

    centre.post(.message("at once"))

    var place = 0
    for (wrong, reason) in wrongs {
        try await lab.step("\(wrong)", within: .seconds(15)) { [place] in
            try await lab.forwarding(from: place, within: .seconds(15), waitingFor: "“\(reason)”") {
                switch $0 {
                case .exchangeFailed(let why), .sessionEnded(let why): why.contains(reason)
                default: false
                }
            }
            try await lab.forwarding(from: place, within: .seconds(5), waitingFor: "the session to end") {
                if case .sessionEnded = $0 { true } else { false }
            }
        }
        lab.expect(lab.exchanges(since: 0), equals: 0, "no keys come of it")
        place = centre.events.count
        // Begins another session.
        let reply = PhoneNotification.Action(identifier: "reply", type: .textInput(placeholder: ""))
        centre.post(.message("\(wrong)", actions: [reply]))
    }

    // What the phone encapsulated for another key gave the die other secrets.
    let names = ["at once"] + wrongs.map { "\($0.0)" }
    let shown = try await lab.step("show", within: .seconds(15)) { try await die.shows(names) }
    lab.expect(die.refused("does not open", since: 0), "the die could not open it at first")
    lab.expect(lab.exchanges(since: 0), equals: 2, "then it offered a key that it keeps")
    lab.expect(die.screens(since: 0), equals: names.count, "each is shown once")
    lab.expect(die.alerts.map(\.notification), equals: names, "and alerts once")

    try await die.respond(to: shown[names.count - 1], "reply", text: "At eight")
    try await lab.forwarding(from: place, within: .seconds(5), waitingFor: "the phone to drop the answer's repetition")
    {
        if case .refused(let why) = $0 { why.contains("came before") } else { false }
    }
    _ = try await centre.responses.first(within: .seconds(5), waitingFor: "the answer")
    lab.expect(centre.responses.events.map(\.text), equals: ["At eight"], "the app gets the answer once")
    try await lab.step("go on", within: .seconds(10)) {
        try await lab.post(.message("next"))
        try await die.shows(names.dropLast() + ["next"])
    }
}
