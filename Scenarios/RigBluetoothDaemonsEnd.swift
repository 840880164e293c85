import DiceApp
import HIL

/// bluetoothd that crashes or is killed, on either board, comes back, and the die is set up as if nothing had been.
let rigBluetoothDaemonsEnd = Scenario(
    "A die is set up after bluetoothd crashed on the die and was killed on the phone", .tags(.faults, .robustness)
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.rig.withFault(.crashed(.bluetoothd, on: .accessory, comesBack: .atOnce), firing: 2) {}
    let place = lab.phone.log.count
    try await lab.rig.withFault(.killed(.bluetoothd, on: .host)) {
        try await lab.step("hear of it", within: .seconds(5)) { _ = try await lab.phone.bluetoothGoes(since: place) }
        lab.expect(!lab.phone.bluetoothIsOn, "the phone hears that its Bluetooth is gone")
    }

    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    let roll = try await lab.step("roll", within: .seconds(2)) {
        try await die.roll(3)
        return try await app.nextRoll()
    }
    lab.expect(roll?.face, equals: 3, "the app sees the face that was rolled")
}
