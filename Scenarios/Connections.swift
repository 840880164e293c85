import AccessorySetupKit
import DiceApp
import HIL

let appSpeaksGATT = Scenario(
    "An app discovers its die, reads, writes, is notified, and disconnects", .tags(.pairing), .covers("C3", "C4")
) { lab in
    let (die, _, accessory) = try await lab.pairedDie()
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let address = try lab.require(lab.phone.identifiers.address(of: identifier), "the phone knows the die's address")
    let probe = CentralProbe()
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    lab.expect(peripheral.identifier, equals: identifier, "the authorised identifier gives the peripheral")
    let services = peripheral.services?.map(\.uuid) ?? []
    lab.expect(services.contains(CBUUID(string: DieGATT.service)), "the die's service is discovered")

    let mtu = try await lab.phone.radio.mtu(of: address)
    lab.expect(mtu > 23, "phone and die agreed on a larger MTU")
    lab.expect(
        peripheral.maximumWriteValueLength(for: .withoutResponse), equals: min(mtu - 3, 512),
        "one packet carries that much, up to the longest value")
    peripheral.readRSSI()
    lab.expect(try await probe.next(.signal), equals: -40, "the signal is that of one metre")

    let roll = try peripheral.found(DieGATT.roll.uuid)
    peripheral.discoverDescriptors(for: roll)
    try await probe.next(.descriptors(nil))
    let label = try lab.require(
        roll.descriptors?.first { $0.uuid == CBUUID(string: CBUUIDCharacteristicUserDescriptionString) },
        "the user description is discovered")
    peripheral.readValue(for: label)
    try await probe.next(.descriptor(DieGATT.roll.name))

    let owner = try peripheral.found(DieGATT.owner.uuid)
    for length in [0, 1, 20, 64] {
        let name = Data(repeating: 0x41, count: length)
        peripheral.writeValue(name, for: owner, type: .withResponse)
        try await probe.next(.written(nil))
        peripheral.readValue(for: owner)
        try await probe.next(.value(name, nil))
    }
    peripheral.writeValue(Data(repeating: 0x41, count: 65), for: owner, type: .withResponse)
    try await probe.next(.written(CBATTError.invalidAttributeValueLength.rawValue))

    // This is not a valid message. The die reports the refusal, which shows that the write has arrived.
    peripheral.writeValue(Data([0xFF]), for: try peripheral.found(DieGATT.notifications.uuid), type: .withoutResponse)
    try await die.events.next(.refused(), within: .seconds(5))

    peripheral.setNotifyValue(true, for: roll)
    try await probe.next(.notifying(true, nil))
    try await die.roll(3)
    try await probe.next(.value(Roll(number: 1, face: 3).encoded, nil))
    peripheral.setNotifyValue(false, for: roll)
    try await probe.next(.notifying(false, nil))
    lab.expect(
        probe.central.retrieveConnectedPeripherals(withServices: [CBUUID(string: DieGATT.service)]).count, equals: 1,
        "the die is among the connected peripherals")

    probe.central.cancelPeripheralConnection(peripheral)
    try await probe.next(.disconnected(identifier, nil, isReconnecting: false))
    lab.expect(peripheral.state, equals: .disconnected, "the peripheral is disconnected")
}

let appHearsWhatBecomesOfItsLink = Scenario(
    "An app hears that Bluetooth is off, its link lost, or its die removed, and has its links again when restored",
    .tags(.robustness, .pairing), .needs(.distance), .covers("C1", "C4", "C6", "A7"), .budget(.seconds(90))
) { lab in
    let (die, _, accessory) = try await lab.pairedDie()
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe(restoreName: "dice")
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }

    try await lab.step("Bluetooth off and on", within: .seconds(20)) {
        try await lab.switchBluetoothOff(until: die)
        try await probe.next(.state(.poweredOff))
        lab.expect(peripheral.state, equals: .disconnected, "the connection has ended with Bluetooth")
        try await lab.switchBluetooth(true)
        try await probe.next(.state(.poweredOn))
    }

    try await lab.step("connect and stay connected", within: .seconds(15)) {
        _ = try await probe.connect(identifier, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
    }
    try await lab.air.separate()
    try await probe.next(.disconnected(identifier, CBError.connectionTimeout.rawValue, isReconnecting: true))
    try await lab.air.setDistance(1)
    try await probe.next(.connected(identifier), within: .seconds(20))

    lab.phone.terminateApp(bySystem: true)
    probe.end()
    _ = try await lab.phone.launch(DiceApp.self)
    let again = CentralProbe(restoreName: "dice")
    try await again.next(.restored([identifier]), within: .seconds(5))
    try await again.next(.state(.poweredOn), within: .seconds(5))
    let restored = try lab.require(
        again.central.retrievePeripherals(withIdentifiers: [identifier]).first, "the identifier gives the peripheral")
    lab.expect(restored.state, equals: .connected, "the connection outlived the app")
    restored.delegate = again
    try await lab.step("hear a roll", within: .seconds(10)) {
        try await again.discover(restored)
        restored.setNotifyValue(true, for: try restored.found(DieGATT.roll.uuid))
        try await again.next(.notifying(true, nil))
        try await die.roll(2)
        try await again.next(.value.where("the roll") { !$0.isEmpty })
    }

    let record = try lab.require(
        lab.phone.store.accessory(bluetoothIdentifier: identifier, of: DiceApp.bundle.identifier),
        "the phone still has the accessory for the app")
    try await lab.step("remove it in Settings", within: .seconds(10)) {
        await lab.phone.part(AccessorySetup.self).remove(record, from: DiceApp.bundle.identifier)
        try await again.next(.disconnected.where { $0 == identifier })
        try await again.next(.state(.poweredOff))
    }
}

let appScansItsDieAlone = Scenario(
    "A scan gives an app its own die, and no other die in range", .tags(.discovery), .needs(.air),
    .covers("C1", "C2")
) { lab in
    let (_, app) = try await lab.newDie()
    let probe = CentralProbe()
    try await probe.next(.state(.poweredOff))
    let accessory = try await lab.pick(in: app, "pick", pairing: false)
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    try await probe.next(.state(.poweredOn))

    let strangers = (1...4).map { AirAdvertiser.die($0, named: "Die 8") }
    for stranger in strangers { try await lab.air.add(.advertiser(stranger)) }
    let mark = lab.phone.log.mark
    probe.central.scanForPeripherals(withServices: [CBUUID(string: DieGATT.service)])
    try await lab.step("hear all", within: .seconds(20)) {
        for stranger in strangers { try await lab.phone.log.next(.advertisement(of: stranger.address), since: mark) }
        try await probe.next(.discovered)
    }
    lab.expect(Set(probe.told.all(.discovered)), equals: [identifier], "only the app's own die is reported")
    probe.central.stopScan()
}

let dieChangesItsPrivateAddress = Scenario(
    "A die whose private address changes stays the same peripheral", .tags(.discovery, .pairing), .needs(.capture),
    .covers("C2", "C5")
) { lab in
    var configuration = DieConfiguration.die(named: "Die 7")
    configuration.hasPrivateAddress = true
    let (die, app, accessory) = try await lab.pairedDie(configuration)
    func heard(since mark: EventLog<PhoneEvent>.Mark = .start) -> Set<DeviceAddress> {
        Set(lab.phone.log.all(.advertisement, since: mark).map(\.address))
    }

    let first = try await lab.air.randomAddresses(of: .accessory)
    lab.expect(first.allSatisfy(\.isResolvablePrivate), "the die is on the air under resolvable private addresses")
    lab.expect(heard().isSubset(of: first), "the phone found it under its private address")
    let peripheral = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    lab.expect(peripheral.identifier, equals: accessory.bluetoothIdentifier, "the peripheral is the picked die")

    app.disconnect()
    try await lab.phone.log.next(.disconnected, within: .seconds(5))
    try await die.rotateAddress()
    let second = try await lab.air.randomAddresses(of: .accessory)
    lab.expect(second.count > first.count, "the die has another private address")
    lab.expect(second.allSatisfy(\.isResolvablePrivate), "which only the holder of its key resolves")

    let mark = lab.phone.log.mark
    let central = CentralProbe()
    let found = try await lab.step("scan", within: .seconds(5)) { try await central.scan() }
    lab.expect(found, equals: accessory.bluetoothIdentifier, "a scan finds it under the same identifier")
    lab.expect(heard(since: mark).isDisjoint(with: second), "the phone resolves the address to its owner")
    let again = try await lab.watchRolls(of: accessory, in: app)
    lab.expect(again.identifier, equals: accessory.bluetoothIdentifier, "it is the same peripheral")
    try await lab.expectRoll(2, of: die, in: app, "its rolls arrive")
    lab.expect(lab.phone.log.count(.bonded), equals: 1, "no new bond was made")
}

/// Rolls out of range are lost.
let dieGoesOutOfRangeAndBack = Scenario(
    "A die that is carried out of range in the middle of its rolls, and back, keeps rolling",
    .tags(.robustness, .pairing),
    .needs(.distance),
    .covers("C4", "C6"), .budget(.seconds(60))
) { lab in
    let (die, app, accessory) = try await lab.pairedDie()
    let peripheral = try await lab.watchRolls(of: accessory, in: app)
    let numbers = lab.phone.shownNumbers

    for face: UInt8 in [6, 1] { try await lab.expectRoll(face, of: die, in: app, "the app sees the \(face)") }
    try await lab.air.separate()
    try await die.roll(2)
    let lost = try await lab.step("lose the link", within: .seconds(10)) { try await app.nextRoll() }
    lab.expect(lost == nil, "the app hears that the link is lost, and sees no roll")
    lab.expect(peripheral.state, equals: .disconnected, "the peripheral is disconnected")

    try await lab.air.setDistance(1)
    try await lab.watchRolls(of: accessory, in: app, within: .seconds(10))
    for face: UInt8 in [4, 3] { try await lab.expectRoll(face, of: die, in: app, "the app sees the \(face)") }
    lab.expect(lab.phone.shownNumbers, equals: numbers, "the bond is the same: nobody compared a number again")
}
