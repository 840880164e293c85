import DiceApp
import HIL

/// A die that lost its power keeps its bond: switched on again, it is connected to without being paired again.
let rigPowerIsCut = Scenario(
    "A die that lost its power is connected to again by its bond", .tags(.faults, .robustness, .pairing),
    .budget(.seconds(90))
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    let place = lab.phone.log.count
    try await lab.rig.withFault(.powerCut(on: .accessory)) {
        try await lab.phone.notices("the link to end", since: place, within: .seconds(20)) {
            if case .disconnected = $0 { true } else { false }
        }
    }

    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.step("connect again", within: .seconds(10)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    let roll = try await lab.step("roll", within: .seconds(2)) {
        try await die.roll(4)
        return try await app.nextRoll()
    }
    lab.expect(roll?.face, equals: 4, "the app sees the face that was rolled")
    lab.expect(!die.isBonded, "no new bond was made")
}
