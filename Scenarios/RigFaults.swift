import DiceApp
import HIL

let rigBluetoothDaemonsEnd = Scenario(
    "A die is set up after its bluetoothd crashed", .tags(.faults, .robustness), .needs(.ownBoards)
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.rig.withFault(.crashed(.bluetoothd, on: .accessory, comesBack: .atOnce), firing: 2) {}
    let (app, accessory) = try await lab.pair()
    try await lab.watchRolls(of: accessory, in: app)
    try await lab.expectRoll(3, of: die, in: app, "the app sees the face that was rolled")
}

let rigBoardsMisbehave = Scenario(
    "A die is set up although adapter, agent, clock and disk of the boards misbehaved", .tags(.faults, .robustness),
    .needs(.adapters, .ownBoards)
) { lab in
    try await lab.rig.withFault(.agentKilled(on: .accessory)) {}
    try await lab.rig.withFault(.adapterUnplugged(on: .accessory), firing: 2) {}
    try await lab.rig.withFault(.agentKilled(on: .host)) {}

    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.rig.withFault(.clockJump(by: .seconds(86_400), on: .accessory)) {
        try await lab.rig.withFault(.diskFull(on: .accessory)) {
            let (app, accessory) = try await lab.pair()
            try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
        }
    }
    lab.expect(die.isBonded, "the die has a bond, if only in memory")
}

let rigPowerIsCut = Scenario(
    "A die that lost its power is connected again by its bond", .tags(.faults, .robustness, .pairing),
    .needs(.power),
    .budget(.seconds(90))
) { lab in
    let (_, app, accessory) = try await lab.pairedDie()
    try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    let mark = lab.phone.log.mark
    try await lab.rig.withFault(.powerCut(on: .accessory)) {
        try await lab.phone.log.next(.disconnected, since: mark, within: .seconds(20))
    }

    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    try await lab.watchRolls(of: accessory, in: app, within: .seconds(10))
    try await lab.expectRoll(4, of: die, in: app, "the app sees the face that was rolled")
    lab.expect(!die.isBonded, "no new bond was made")
}

let rigWiFiDaemonsEnd = Scenario(
    "The die's network is lost with hostapd or wpa_supplicant, and joined again", .tags(.faults, .robustness, .wifi)
) { lab in
    let (_, app, accessory) = try await lab.pairedDie(.die(named: "Die 7", security: .wpa2))
    // Without hostapd the kernel still sends beacons. The stations notice the loss when hostapd comes back.
    let faults: [BoardFault] = [
        .killed(.hostapd, on: .accessory, comesBack: .atOnce), .killed(.supplicant, on: .host),
    ]
    // The app joins it again itself.
    lab.phone.policy.networkReturnPause = nil
    for fault in faults {
        try await lab.step("join", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
        lab.expect(lab.phone.network.link?.ssid, equals: "Die 7", "the phone is on the die's network")
        let mark = lab.phone.log.mark
        try await lab.rig.withFault(fault) {
            try await lab.phone.log.next(.wifiLost(), since: mark, within: .seconds(15))
            lab.expect(lab.phone.network.link?.ssid, equals: nil, "the phone is on no network")
        }
    }
    try await lab.step("join at last", within: .seconds(10)) { try await app.joinWiFi(of: accessory) }
}
