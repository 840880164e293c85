import BoardProtocol
import CoreBluetooth
import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel

/// A fault of one die's adapter is that die's alone: the other's link stays up, and what it rolls arrives meanwhile.
let oneDieOfTwoIsUnplugged = Scenario(
    "Of two connected dice one loses its adapter, and the other goes on", .tags(.faults, .pairing),
    .covers("C4", "C6")
) { lab in
    let dice = [
        try await lab.accessory.powerOn(.die(named: "Die 7")),
        try await lab.accessory.powerOn(.die(named: "Die 8"), adapter: 1),
    ]
    let app = try await lab.phone.launch(DiceApp.self)
    var probes: [CentralProbe] = []
    for die in dice {
        lab.phone.person.will(.pick(.address(die.address)))
        let accessory = try await lab.step("set up \(die.name)", within: .seconds(15)) { try await app.addDie() }
        let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has an identifier")
        let probe = CentralProbe()
        try await lab.step("watch \(die.name)", within: .seconds(15)) { try await probe.watchRolls(of: identifier) }
        probes.append(probe)
    }
    let (first, second) = (probes[0], probes[1])
    /// Both roll, the second one first.
    func roll(_ face: UInt8, _ other: UInt8) async throws {
        try await dice[1].roll(other)
        try await dice[0].roll(face)
    }
    func expect(_ face: UInt8, from probe: CentralProbe, _ what: String) async throws {
        lab.expect(try await probe.nextRoll()?.face, equals: face, what)
    }

    let told = Traffic.any([.att(opcode: 0x1B), .att(opcode: 0x23)])
    try await lab.air.withFault(.dropped(told.sent(by: .accessory, adapter: 1))) {
        try await roll(6, 1)
        try await expect(6, from: first, "the first die's roll arrives, though the air loses the second's")
    }
    try await roll(5, 2)
    try await expect(5, from: first, "the next arrives of the first")
    try await expect(2, from: second, "and of the second")

    try await lab.rig.withFault(.adapterUnplugged(on: .accessory, adapter: 1)) {
        try await second.next("the second's link to be lost", within: .seconds(20)) {
            if case .disconnected = $0 { true } else { false }
        }
        try await dice[0].roll(4)
        try await expect(4, from: first, "the first die's roll arrives while the second has no adapter")
    }
    let again = try await lab.accessory.powerOn(.die(named: "Die 8"), adapter: 1)
    lab.expect(again.address, equals: dice[1].address, "the second has its address again")
    try await dice[0].roll(3)
    try await expect(3, from: first, "the first die's roll arrives when the second is back")
    let lost = first.told.events.contains { if case .disconnected = $0 { true } else { false } }
    lab.expect(!lost, "the first was connected all the time")
    withExtendedLifetime((app, probes)) {}
}
