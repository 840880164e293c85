import AccessorySetupKit
import DiceApp
import HIL

/// A die that is out of range is not found: the picker says so, and the app hears discoveryTimeout.
let noAccessoryInRange = Scenario(
    "With no accessory in range the picker ends with discoveryTimeout", .tags(.discovery), .covers("K2")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.air.separate()
    lab.phone.policy.discoveryTimeout = .seconds(2)
    let app = try await lab.phone.launch(DiceApp.self)

    let began = ContinuousClock.now
    try await lab.expect(
        throwing: ASError.self, "the app hears that nothing was found", where: { $0.code == .discoveryTimeout }
    ) {
        _ = try await lab.step("look in vain", within: .seconds(10)) { try await app.addDie() }
    }
    lab.expect(ContinuousClock.now - began >= .seconds(2), "the picker looked for the whole time")
    lab.expect(lab.phone.shownScreens.last?.kind, equals: .discoveryTimeout, "the person sees that nothing was found")
    lab.expect(
        app.events.map(\.eventType), equals: [.activated, .pickerDidPresent, .pickerDidDismiss],
        "the picker comes and goes, and nothing is added")
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")

    // Only the distance was in the way.
    try await lab.air.setDistance(1)
    try await lab.step("look again", within: .seconds(10)) { try await app.addDie(pairing: false) }
}
