import AccessorySetupKit
import DiceApp
import HIL

/// A person who closes the picker adds nothing, and the app hears userCancelled.
let personCancels = Scenario("A person who cancels the picker adds nothing", .tags(.discovery), .covers("K5")) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)

    lab.phone.person.will(.cancel)
    try await lab.expect(
        throwing: ASError.self, "the app hears that the person cancelled", where: { $0.code == .userCancelled }
    ) {
        _ = try await lab.step("cancel", within: .seconds(10)) { try await app.addDie() }
    }
    lab.expect(
        app.events.map(\.eventType), equals: [.activated, .pickerDidPresent, .pickerDidDismiss],
        "the picker comes and goes, and nothing is added")
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")
}
