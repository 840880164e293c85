import AccessorySetupKit
import DiceApp
import HIL

let dieInYourHand = Scenario(
    "A die and a phone in your hand: one button for each thing that the app can do", .tags(.play), .needs(.wifi),
    .budget(.seconds(90))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", security: .wpa3))
    let app = try await lab.phone.launch(DiceApp.self)
    @MainActor func added() throws -> ASAccessory {
        guard let die = app.session.accessories.first else { throw DiceAppError.missing("a die: add it first") }
        return die
    }
    try await lab.offer(
        AppButton("Add Die") { _ = try await app.addDie() },
        AppButton("Connect") { try await app.connect(added()) },
        AppButton("Watch Rolls") { try await app.watchRolls() },
        AppButton("Roll the Die") { try await die.roll(.random(in: 1...6)) },
        AppButton("Join Wi-Fi") { try await app.joinWiFi(of: added()) },
        AppButton("Forward Notifications") { try await app.forwardNotifications(to: added()) })
    // Only a run without a person by hand gets here: a willing person has pressed every button.
    try await lab.forwarding.next(.keysExchanged)
    try await lab.post(.message("dinner"))
    lab.expect(try await die.screen.next().title, equals: "Kim", "the die shows who wrote")
}
