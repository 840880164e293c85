import AccessorySetupKit
import BoardProtocol
import CoreBluetooth
import DiceApp
import DieProtocol
import HIL
import Phone
import RadioModel

/// An app has two dice: set up one after the other, connected at once, each with its own bond, rolls and notifications.
let twoDiceOfOneAppAtOnce = Scenario(
    "Two dice of one app are connected at once, and each tells and shows what is its own",
    .tags(.pairing, .notifications), .covers("A1", "C3", "C4", "K14"), .budget(.seconds(90))
) { lab in
    let dice = [
        try await lab.accessory.powerOn(.die(named: "Die 7")),
        try await lab.accessory.powerOn(.die(named: "Die 8"), adapter: 1),
    ]
    let app = try await lab.phone.launch(DiceApp.self)
    var accessories: [ASAccessory] = []
    for die in dice {
        lab.phone.person.will(.pick(.address(die.address)))
        accessories.append(
            try await lab.step("set up \(die.name)", within: .seconds(15)) { try await app.addDie() })
        lab.expect(try await die.bond(within: .seconds(2)).isAuthenticated, "\(die.name) has a bond")
    }
    lab.expect(Set(accessories.compactMap(\.bluetoothIdentifier)).count, equals: 2, "the app knows them apart")

    var probes: [CentralProbe] = []
    for (die, accessory) in zip(dice, accessories) {
        let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has an identifier")
        let probe = CentralProbe()
        try await lab.step("watch \(die.name)", within: .seconds(15)) { try await probe.watchRolls(of: identifier) }
        probes.append(probe)
    }
    // Both links are up by now; what each die rolls reaches the peripheral that it is.
    for faces: [UInt8] in [[6, 1], [2, 5], [3, 3]] {
        for (die, face) in zip(dice, faces) { try await die.roll(face) }
        for (probe, face) in zip(probes, faces) {
            lab.expect(try await probe.nextRoll()?.face, equals: face, "each peripheral tells its own die's roll")
        }
    }
    for (die, probe) in zip(dice, probes) {
        let values = probe.told.events.count { if case .value = $0 { true } else { false } }
        lab.expect(values, equals: 3, "\(die.name) told three rolls")
    }

    for (die, accessory) in zip(dice, accessories) {
        lab.phone.person.will(.allowForwarding(.all))
        try await lab.step("forward to \(die.name)", within: .seconds(10)) {
            try await app.forwardNotifications(to: accessory)
            try await die.event(within: .seconds(10), waitingFor: "\(die.name) to have exchanged keys") {
                if case .keysExchanged = $0 { true } else { false }
            }
        }
    }
    lab.phone.notifications.post(.message("1"))
    for die in dice { try await lab.step("show on \(die.name)", within: .seconds(15)) { try await die.shows(["1"]) } }
    lab.expect(!(try await lab.air.captured(containing: "Dinner at 8?")), "the text did not cross the air")
    let handles = try await lab.air.capturedHCI(of: .accessory, adapter: 1)
    lab.expect(!handles.isEmpty, "the second die's adapter has an interface of its own in the capture")
    withExtendedLifetime((app, probes)) {}
}
