import CoreBluetooth
import DiceApp
import HIL

/// An app hears when the link to its die is lost, and connects again when the die is back.
let airLosesLinkOfConnectedDie = Scenario(
    "A lost link is told to the app, which connects again", .tags(.faults, .robustness, .pairing), .covers("C4"),
    .budget(.seconds(60))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    let peripheral = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }

    // A notification of the attribute protocol, of one value or several: the roll is lost with the link.
    try await lab.air.withFault(
        .linkLoss(.bluetooth, at: .any([.att(opcode: 0x1B), .att(opcode: 0x23)]).sent(by: .accessory))
    ) {
        try await die.roll(6)
        let roll = try await lab.step("lose the link", within: .seconds(10)) { try await app.nextRoll() }
        lab.expect(roll == nil, "the app hears that the connection has ended")
        lab.expect(peripheral.state, equals: .disconnected, "the peripheral is disconnected")
    }

    try await lab.step("connect again", within: .seconds(10)) { try await app.connect(accessory) }
    try await lab.step("subscribe again", within: .seconds(5)) { try await app.watchRolls() }
    try await die.roll(3)
    let roll = try await lab.step("roll", within: .seconds(5)) { try await app.nextRoll() }
    lab.expect(roll?.face, equals: 3, "the app sees the next roll")
}
