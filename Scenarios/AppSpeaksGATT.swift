import BoardProtocol
import CoreBluetooth
import DiceApp
import DieProtocol
import Foundation
import HIL
import RadioModel
import Timing

/// What CoreBluetooth offers for a connected peripheral, over the air: discovery down to descriptors, reading, both kinds of
/// writing, notifications, signal, MTU, and the end of the connection.
let appSpeaksGATT = Scenario(
    "An app discovers, reads, writes and hears its die, and lets go of it", .tags(.pairing), .covers("C3", "C4")
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (_, accessory) = try await lab.pairedDie(named: "Die 7")
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
        "one packet carries so much, as far as a value is so long")
    peripheral.readRSSI()
    let signal = try await probe.next("the signal") { if case .signal = $0 { true } else { false } }
    lab.expect(signal, equals: .signal(-40), "the signal is that of one metre")

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

    // No message: that the die says so shows that it has arrived.
    peripheral.writeValue(Data([0xFF]), for: try peripheral.found(DieGATT.notifications.uuid), type: .withoutResponse)
    try await die.event(within: .seconds(5), waitingFor: "the die to refuse a message") {
        if case .refusedMessage = $0 { true } else { false }
    }

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
