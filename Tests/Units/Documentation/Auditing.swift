// The listings of the article "Attacking an accessory", which ArticleTests compares.

import HIL

let latchIsSetUp = Scenario(
    "A latch is set up",
    .audits(
        AuditExpectations(
            open: ["2A19"], shows: .number, pairsWhenSetUp: .afterButton, ports: [.tcp(443)],
            accepting: ["pairing.guesses": "each attempt has a number of its own"]))
) { lab in
    try await lab.phone.launch(LatchApp.self).setUpOrContinue()
}

let keyIsShared = Scenario(
    "A lock reads the key that the app publishes",
    .audits(AuditExpectations(of: .phone, open: ["FF21"], shows: .number))
) { lab in
    try await lab.phone.launch(LatchApp.self).setUpOrContinue()
}

extension AccessoryProgram {
    static let latch = AccessoryProgram(named: "latch", files: "Accessory", command: ["./latch"], ready: .advertisement)
}

extension AuditExpectations {
    static let latch = AuditExpectations(open: ["2A19"], shows: .number, pairsWhenSetUp: .afterButton)
}
