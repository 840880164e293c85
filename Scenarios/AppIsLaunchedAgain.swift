import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// What an app was given outlives it: launched again it has its die at once, and speaks to it over the bond of before.
let appIsLaunchedAgain = Scenario(
    "An app that is launched again has its die, and speaks to it without a picker or a second pairing",
    .tags(.pairing), .covers("A1", "K14", "C1", "C3")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    try await lab.step("connect", within: .seconds(8)) { try await app.connect(accessory) }

    lab.phone.terminateApp()
    lab.expect(app.session.accessories.isEmpty, "a session goes with its app")
    let again = try await lab.phone.launch(DiceApp.self)
    lab.expect(again.session.accessories, equals: [accessory], "the next one has the die")
    let screens = lab.phone.shownScreens.count
    try await lab.step("connect again", within: .seconds(15)) { try await again.connect(accessory) }
    try await lab.step("watch", within: .seconds(8)) { try await again.watchRolls() }
    try await die.roll(2)
    let roll = try await lab.step("roll", within: .seconds(5)) { try await again.nextRoll() }
    lab.expect(roll?.face, equals: 2, "the die's roll arrives")
    lab.expect(lab.phone.shownScreens.count, equals: screens, "the person was asked nothing")

    lab.phone.policy.discoveryTimeout = .seconds(2)
    try await lab.expect(
        throwing: ASError.self, "a die that the app has is not offered", where: { $0.code == .discoveryTimeout }
    ) { _ = try await lab.step("look again", within: .seconds(10)) { try await again.addDie() } }
}
