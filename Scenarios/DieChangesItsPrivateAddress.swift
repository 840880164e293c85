import BoardProtocol
import CoreBluetooth
import DiceApp
import DieLab
import HIL
import Phone
import RadioModel
import Timing

/// A die with a private address is found, paired, and stays the same peripheral for the app when it takes another address.
let dieChangesItsPrivateAddress = Scenario(
    "A die whose private address changes stays the same peripheral", .tags(.discovery, .pairing),
    .covers("C2", "C5")
) { lab in
    var configuration = DieConfiguration.die(named: "Die 7")
    configuration.hasPrivateAddress = true
    let die = try await lab.accessory.powerOn(configuration)
    let (app, accessory) = try await lab.pairedDie(named: "Die 7")
    let first = try await lab.air.privateAddresses()
    lab.expect(first.allSatisfy(\.isResolvablePrivate), "the die is on the air under resolvable private addresses")
    lab.expect(
        lab.phone.heardAddresses(since: 0).isSubset(of: first), "the phone found it under its private address")
    let peripheral = try await lab.step("connect", within: .seconds(5)) { try await app.connect(accessory) }
    lab.expect(peripheral.identifier, equals: accessory.bluetoothIdentifier, "the peripheral is the picked die")

    try await lab.step("disconnect", within: .seconds(5)) {
        app.disconnect()
        try await lab.phone.notices("the link to end", within: .seconds(5)) {
            if case .disconnected = $0 { true } else { false }
        }
    }
    try await die.rotateAddress()
    let second = try await lab.air.privateAddresses()
    lab.expect(second.count > first.count, "the die has another private address")
    lab.expect(second.allSatisfy(\.isResolvablePrivate), "which only who has its key resolves")

    let place = lab.phone.log.count
    let central = CentralProbe()
    let found = try await lab.step("scan", within: .seconds(5)) { try await central.scan() }
    lab.expect(found, equals: accessory.bluetoothIdentifier, "a scan finds it under the same identifier")
    lab.expect(
        lab.phone.heardAddresses(since: place).isDisjoint(with: second), "the phone resolves the address to its owner")
    let again = try await lab.step("connect again", within: .seconds(5)) { try await app.connect(accessory) }
    lab.expect(again.identifier, equals: accessory.bluetoothIdentifier, "it is the same peripheral")
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    let roll = try await lab.step("roll", within: .seconds(2)) {
        try await die.roll(2)
        return try await app.nextRoll()
    }
    lab.expect(roll?.face, equals: 2, "its rolls arrive")
    lab.expect(lab.phone.bonds, equals: 1, "no new bond was made")
}

extension AirHandle {
    /// The addresses that the die advertised under so far.
    fileprivate func privateAddresses() async throws -> Set<DeviceAddress> {
        let addresses = try await capturedHCI(of: .accessory).compactMap { packet -> DeviceAddress? in
            // LE Set Advertising Set Random Address: the set 1, the address 6, least significant byte first.
            guard case .command(0x2035, let parameters) = packet, parameters.count == 7 else { return nil }
            return DeviceAddress(bytes: parameters[1...].reversed())
        }
        return Set(addresses)
    }
}

extension DeviceAddress {
    /// Core Specification 6.0, Vol 6, Part B, 1.3.2.2: the two most significant bits are 01.
    fileprivate var isResolvablePrivate: Bool { bytes[0] & 0xC0 == 0x40 }
}

extension Phone {
    /// The addresses under which its radio heard devices.
    fileprivate func heardAddresses(since place: Int) -> Set<DeviceAddress> {
        Set(
            log.events.dropFirst(place).compactMap { event in
                if case .radio(.advertisement(let heard)) = event.kind { heard.address } else { nil }
            })
    }

    /// How many bonds its radio told of.
    fileprivate var bonds: Int {
        log.events.count { if case .radio(.bonded) = $0.kind { true } else { false } }
    }
}
