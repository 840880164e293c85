import CoreBluetooth
import DiceApp
import HIL
import Phone
import Timing

/// Bluetooth switched off and on, a link lost and made again by the phone, an app ended by the system and launched again, and
/// the accessory removed: the app hears each as CoreBluetooth documents.
let appHearsWhatBecomesOfItsLink = Scenario(
    "An app hears when Bluetooth is off, its link lost, or its die removed, and finds its links when it is restored",
    .tags(.robustness, .pairing), .covers("C1", "C4", "C6", "A7"), .budget(.seconds(90))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (_, accessory) = try await lab.pairedDie(named: "Die 7")
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe(restoreName: "dice")
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }

    try await lab.step("Bluetooth off and on", within: .seconds(20)) {
        try await lab.switchBluetooth(false)
        try await probe.next(.state(.poweredOff))
        lab.expect(peripheral.state, equals: .disconnected, "the connection has ended with Bluetooth")
        try await lab.switchBluetooth(true)
        try await probe.next(.state(.poweredOn), within: .seconds(10))
    }

    try await lab.step("connect, to stay so", within: .seconds(15)) {
        _ = try await probe.connect(identifier, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
    }
    try await lab.air.separate()
    try await lab.step("lose the link", within: .seconds(10)) {
        try await probe.next(
            .disconnected(identifier, CBError.connectionTimeout.rawValue, isReconnecting: true), within: .seconds(10))
    }
    try await lab.air.setDistance(1)
    try await lab.step("be connected again", within: .seconds(20)) {
        try await probe.next(.connected(identifier), within: .seconds(20))
    }

    lab.phone.terminateApp(bySystem: true)
    probe.end()
    _ = try await lab.phone.launch(DiceApp.self)
    let again = CentralProbe(restoreName: "dice")
    try await lab.step("be restored", within: .seconds(5)) {
        try await again.next(.restored([identifier]))
        try await again.next(.state(.poweredOn))
    }
    let restored = try lab.require(
        again.central.retrievePeripherals(withIdentifiers: [identifier]).first, "the identifier gives the peripheral")
    lab.expect(restored.state, equals: .connected, "the connection outlived the app")
    restored.delegate = again
    try await lab.step("hear a roll", within: .seconds(10)) {
        try await again.discover(restored)
        let roll = try restored.found("D1CE0002-7C3A-4F6B-9B52-1A6F0C8E5D47")
        restored.setNotifyValue(true, for: roll)
        try await again.next(.notifying(true, nil))
        try await die.roll(2)
        try await again.next("the roll") { if case .value(let value, nil) = $0 { !value.isEmpty } else { false } }
    }

    let record = try lab.require(
        lab.phone.store.accessory(bluetoothIdentifier: identifier, of: DiceApp.bundle.identifier),
        "the phone still has the accessory for the app")
    try await lab.step("remove it in Settings", within: .seconds(10)) {
        await lab.phone.part(AccessorySetup.self).remove(record, from: DiceApp.bundle.identifier)
        try await again.next("the connection to end") {
            if case .disconnected(identifier, _, _) = $0 { true } else { false }
        }
        try await again.next(.state(.poweredOff))
    }
}
