import AccessorySetupKit
import BoardProtocol
import CoreBluetooth
import DiceApp
import DieLab
import DieProtocol
import Foundation
import HIL
import Phone
import RadioModel
import Timing

/// A die is found by each of the traits that a descriptor can name, and a device that differs in that trait alone is not.
let dieIsFoundByItsAdvertisement = Scenario(
    "A die is found by what it advertises, and one that differs there is not", .tags(.discovery, .pairing),
    .covers("P2", "P3", "P4", "D4", "D5", "D6", "D7")
) {
    Axis(\.by, DiscoveryTrait.allCases)
} run: { lab, conditions in
    let trait = conditions.by
    let stranger = trait.stranger
    try await lab.air.add(.advertiser(stranger))
    let app = try await lab.phone.launch(DiceApp.self)

    lab.phone.policy.discoveryTimeout = .seconds(1)
    let place = lab.phone.log.count
    try await lab.expect(
        throwing: ASError.self, "the stranger is not offered", where: { $0.code == .discoveryTimeout }
    ) {
        _ = try await lab.step("overlook", within: .seconds(10)) { try await app.addDie(describedBy: trait.descriptor) }
    }
    lab.expect(lab.phone.heard(stranger.address, since: place), "the stranger was heard meanwhile")

    lab.phone.policy.discoveryTimeout = .seconds(30)
    let die = try await lab.accessory.powerOn(.die(named: "Die 7", advertising: trait.advertising))
    lab.phone.person.will(.pick("Die 7"))
    let accessory = try await lab.step("pick and pair", within: .seconds(15)) {
        try await app.addDie(describedBy: trait.descriptor)
    }
    lab.expect(accessory.state, equals: .authorized, "the die is authorised")
    lab.expect(
        accessory.descriptor, equals: trait.descriptor, "the accessory tells the descriptor that it was found with")
    let bond = try await die.bond(within: .seconds(2))
    lab.expect(bond.isSecureConnections, "it is the one with a board behind it")
}

extension DiscoveryTrait {
    private static let service = BluetoothUUID(DieGATT.service)!
    /// For use within a company and between test partners: Bluetooth SIG Assigned Numbers, 7.1.
    private static let company: UInt16 = 0xFFFF

    /// What the app asks for.
    fileprivate var descriptor: ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.supportedOptions = [.bluetoothPairingLE]
        if self == .company {
            descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(Self.company)
            // The kind in the upper half of the second byte; the lower half is the number of its sides.
            descriptor.bluetoothManufacturerDataBlob = Data([0x01, 0x60])
            descriptor.bluetoothManufacturerDataMask = Data([0xFF, 0xF0])
        } else {
            descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
        }
        if self == .serviceData {
            descriptor.bluetoothServiceDataBlob = Data([0x06, 0x00])
            descriptor.bluetoothServiceDataMask = Data([0x0F, 0x80])
        }
        if self == .name {
            descriptor.bluetoothNameSubstring = "die"
            descriptor.bluetoothNameSubstringCompareOptions = [.caseInsensitive, .anchored]
        }
        return descriptor
    }

    /// What the die says so that it fits.
    fileprivate var advertising: DieAdvertising {
        switch self {
        case .service: DieAdvertising(appearance: 0x0180, tellsTxPower: true)
        case .company: DieAdvertising(serviceUUIDs: [], manufacturerData: [Self.company: Data([0x01, 0x66, 0xFF])])
        // The service is no more than the key of its data.
        case .serviceData: DieAdvertising(serviceUUIDs: [], serviceData: [Self.service: Data([0xF6, 0x7F, 0x2A])])
        case .name: DieAdvertising()
        }
    }

    /// A device that fits but for this trait.
    fileprivate var stranger: AirAdvertiser {
        let address = DeviceAddress("02:00:00:0A:00:01")!
        let own = [UInt8](Self.service.bytes.reversed())
        let field: [UInt8] =
            switch self {
            case .service: [3, 0x03, 0x0F, 0x18]
            case .company: [5, 0xFF, 0xFF, 0xFF, 0x01, 0x76]
            case .serviceData: [19, 0x21] + own + [0x06, 0x80]
            case .name: [17, 0x07] + own
            }
        let name = Array((self == .name ? "The Die 8" : "Die 8").utf8)
        return AirAdvertiser(
            address: address, data: [2, 0x01, 0x06] + field, scanResponse: [UInt8(1 + name.count), 0x09] + name)
    }
}

extension Phone {
    /// Whether the radio heard a device.
    fileprivate func heard(_ address: DeviceAddress, since place: Int) -> Bool {
        log.events.dropFirst(place).contains {
            if case .radio(.advertisement(let heard)) = $0.kind { heard.address == address } else { false }
        }
    }
}
