import AccessorySetupKit
import DiceApp
import HIL
import Phone

/// A session that is invalidated while its picker pairs leaves nothing: no picker, no accessory, no bond.
let invalidationWhilePairing = Scenario(
    "Invalidation while pairing ends everything, and a new session starts afresh", .tags(.pairing),
    .covers("K8", "E3", "K16")
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)
    lab.phone.person.isWilling = false
    lab.phone.person.will(.pick("Die 7"))
    let picker = Task { try await app.addDie() }
    try await lab.step("come to the number", within: .seconds(15)) {
        try await lab.phone.shows(.passkey, within: .seconds(15))
    }
    try await lab.expect(
        throwing: ASError.self, "the completion gets invalidated", where: { $0.code == .invalidated }
    ) {
        app.session.invalidate()
        try await lab.step("end", within: .seconds(10)) { _ = try await picker.value }
    }
    lab.expect(app.events.last?.eventType, equals: .invalidated, "nothing is told after the event")
    lab.expect(app.session.accessories.isEmpty, "there is no accessory")

    lab.phone.person.isWilling = true
    let again = try await lab.phone.launch(DiceApp.self)
    let accessory = try await lab.step("set up", within: .seconds(20)) { try await again.addDie() }
    lab.expect(accessory.state, equals: .authorized, "the next session sets the die up")
}
