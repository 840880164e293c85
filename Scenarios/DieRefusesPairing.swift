import AccessorySetupKit
import DiceApp
import HIL
import RadioModel

/// A die that answers the pairing request with a refusal is not added: the picker shows it, and the app hears why.
let dieRefusesPairing = Scenario(
    "A die that refuses to pair gives pickerSetupFailed and connectionFailed",
    .tags(.pairing, .robustness), .covers("K10", "K12")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", pairing: .refuses))
    let app = try await lab.phone.launch(DiceApp.self)

    lab.phone.person.will(.pick("Die 7"))
    try await lab.expect(
        throwing: ASError.self, "the app hears that the connection failed", where: { $0.code == .connectionFailed }
    ) {
        _ = try await lab.step("pair in vain", within: .seconds(15)) { try await app.addDie() }
    }
    lab.expect(
        app.events.map(\.eventType),
        equals: [.activated, .pickerDidPresent, .pickerSetupPairing, .pickerSetupFailed, .pickerDidDismiss],
        "the events tell of the failure")
    let failed = app.events.first { $0.eventType == .pickerSetupFailed }
    lab.expect(
        (failed?.error as? ASError)?.failureReason, equals: "\(RadioError.pairingFailed("Authentication Failed"))",
        "the failed event carries the error, and it was the pairing that failed")
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")
    lab.expect(!die.isBonded, "the die has no bond")

    // Only the refusal was in the way, and it left nothing behind.
    try await die.setPairing(.accepts)
    lab.phone.person.will(.pick("Die 7"))
    try await lab.step("pair after all", within: .seconds(10)) { try await app.addDie() }
}
