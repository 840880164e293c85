import DiceApp
import HIL

/// An adapter pulled out, an agent killed, a clock a day ahead, and a full disk: each of them is had, and put right.
let rigBoardsMisbehave = Scenario(
    "A die is set up although adapter, agent, clock and disk of the boards misbehaved", .tags(.faults, .robustness)
) { lab in
    try await lab.rig.withFault(.agentKilled(on: .accessory)) {}
    var place = lab.phone.log.count
    try await lab.rig.withFault(.adapterUnplugged(on: .host), firing: 2) {
        try await lab.step("hear of it twice", within: .seconds(5)) {
            for _ in 1...2 { place = try await lab.phone.bluetoothGoes(since: place) }
        }
        lab.expect(!lab.phone.bluetoothIsOn, "the phone hears that its adapter is gone")
    }
    try await lab.rig.withFault(.agentKilled(on: .host)) {}

    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.rig.withFault(.clockJump(by: .seconds(86_400), on: .accessory)) {
        try await lab.rig.withFault(.diskFull(on: .accessory)) {
            let (app, accessory) = try await lab.pairedDie(named: "Die 7")
            try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
        }
    }
    lab.expect(die.isBonded, "the die has a bond, if only in memory")
}
