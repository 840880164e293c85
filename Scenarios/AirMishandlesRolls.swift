import DiceApp
import HIL

/// Each way in which the air mishandles one notification reaches the app as just that, and the link goes on.
let airMishandlesRolls = Scenario(
    "A roll that is dropped, doubled, altered, delayed or overtaken on the air reaches the app so",
    .tags(.faults, .robustness, .pairing), .covers("C4"), .budget(.seconds(60))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }

    // BlueZ notifies on enhanced bearers with this opcode, a handle, a length, and the roll, whose last of 7 bytes is the
    // face.
    let roll = Traffic.att(opcode: 0x23).sent(by: .accessory)
    let cases: [(fault: AirFault, seen: [UInt8])] = [
        (.dropped(roll), [3]), (.doubled(roll), [6, 6, 3]), (.altered(roll, at: 11, to: [2]), [2, 3]),
        (.delayed(roll, by: .milliseconds(500)), [3, 6]), (.reordered(roll), [3, 6]),
    ]
    for (fault, seen) in cases {
        try await lab.air.withFault(fault) {
            try await die.roll(6)
            // BlueZ puts notifications of the same moment into one packet, so the hands rest where they are.
            try await lab.air.move(along: [.at(1, after: .milliseconds(100))])
            try await die.roll(3)
            var faces: [UInt8?] = []
            try await lab.step("\(fault)", within: .seconds(5)) {
                for _ in seen { faces.append(try await app.nextRoll()?.face) }
            }
            lab.expect(faces, equals: seen, "what the app sees of a 6 and a 3, \(fault)")
        }
    }
}
