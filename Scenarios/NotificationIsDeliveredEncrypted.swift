import DiceApp
import HIL

/// A notification reaches the die's screen with the same text, sealed with keys exchanged by X-Wing, or by P-256 where the
/// die has nothing better, and nothing that crossed the air holds its plaintext.
let notificationIsDeliveredEncrypted = Scenario(
    "A notification is delivered encrypted and shown with the same text",
    .tags(.smoke, .notifications), .covers("N1", "N2", "S1", "S2", "S3", "S4", "S6")
) {
    Axis(\.suite, [.xWing, .p256])
} run: { lab, conditions in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", cipherSuites: conditions.suites))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")

    lab.phone.person.will(.allowForwarding(.all))
    try await lab.step("forward", within: .seconds(5)) { try await app.forwardNotifications(to: accessory) }
    try await die.event(within: .seconds(10), waitingFor: "the die to have exchanged keys") {
        $0 == .keysExchanged(cipherSuite: conditions.suite == .xWing ? "XWing" : "P256")
    }

    let title = "Kim Kowalczyk"
    let body = "Dinner at eight? Bring the blue dice."
    lab.phone.notifications.post(.init(app: "com.example.chat", title: title, body: body))
    let shown = try await lab.step("show", within: .seconds(5)) { try await die.screen.next(within: .seconds(5)) }
    lab.expect(shown.title, equals: title, "the die shows who wrote")
    lab.expect(shown.body, equals: body, "the die shows what was written")

    // The same way to the die, without the app's encryption: a search that did not find this would prove nothing.
    let owner = "Kim, who has lost the blue dice"
    try await lab.step("write the owner", within: .seconds(5)) {
        try await app.connect(accessory)
        try await app.writeOwner(owner)
    }
    lab.expect(try await lab.air.captured(containing: owner), "the capture holds what the phone wrote in the clear")
    for secret in [title, body] {
        lab.expect(!(try await lab.air.captured(containing: secret)), "“\(secret)” is nowhere in the capture")
    }
}
