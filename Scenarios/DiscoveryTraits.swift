import AccessorySetupKit
import DiceApp
import HIL

let dieIsFoundByItsAdvertisement = Scenario(
    "A die is found by a trait in its advertisement, and one without that trait is not", .tags(.discovery, .pairing),
    .needs(.air),
    .covers("P2", "P3", "P4", "D4", "D5", "D6", "D7"), over: Axis("by", DiscoveryTrait.allCases)
) { lab, trait in
    let stranger = trait.stranger
    try await lab.air.add(.advertiser(stranger))
    let app = try await lab.phone.launch(DiceApp.self)

    let mark = lab.phone.log.mark
    try await lab.findsNothing("the stranger is not offered", looking: .seconds(1)) {
        try await app.addDie(describedBy: trait.descriptor)
    }
    lab.expect(
        lab.phone.log.contains(.advertisement(of: stranger.address), since: mark), "the stranger was heard meanwhile")

    let die = try await lab.accessory.powerOn(.die(named: "Die 7", advertising: trait.advertising))
    let accessory = try await lab.pick(in: app, describedBy: trait.descriptor, within: .seconds(15))
    lab.expect(accessory.state, equals: .authorized, "the die is authorised")
    lab.expect(
        accessory.descriptor, equals: trait.descriptor, "the accessory has the descriptor that found it")
    lab.expect(try await die.events.next(.bonded).isSecureConnections, "it is the board's die")
}

let scanResponseIsNotHeard = Scenario(
    "A gadget that lists no service and never answers a scan is not offered, and the near miss says what may be missing",
    .tags(.discovery), .needs(.air), .covers("D4")
) { lab in
    let gadget = AirAdvertiser(address: .neighbour(1), data: [2, 0x01, 0x06])
    try await lab.air.add(.advertiser(gadget))
    // Linux passes on an advertisement that no scan response follows when another device is heard.
    try await lab.air.add(.advertiser(AirAdvertiser(named: "Another", address: .neighbour(2))))
    let app = try await lab.phone.launch(GadgetApp.self)
    try await lab.findsNothing("the gadget is not offered", looking: .seconds(2)) { try await app.add() }
    let miss = try lab.require(
        lab.phone.nearMisses.first { $0.heard.contains("\(gadget.address)") }, "the gadget is a near miss")
    lab.expect(
        miss.reasons.last, contains: "its scan response, which may have the service, was not heard",
        "it says what may be missing")
}

let undeclaredTraitsEndTheApp = Scenario(
    "An undeclared trait ends the app when it shows its picker", .tags(.discovery),
    .covers("P2", "P3", "P4"), .crashes(because: "is not declared"), over: Axis("by", DiscoveryTrait.allCases)
) { lab, trait in
    let app = try await lab.phone.launch(DiceApp.self)
    let undeclared = ASDiscoveryDescriptor.dice { descriptor in
        switch trait {
        case .service, .serviceData: descriptor.bluetoothServiceUUID = CBUUID(string: "180F")
        case .company: descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0x004C)
        case .name: descriptor.bluetoothNameSubstring = "Cube"
        }
    }
    _ = try await app.addDie(describedBy: undeclared)
}

/// The part of an advertisement by which a phone finds an accessory.
enum DiscoveryTrait: CaseIterable {
    case service, company, serviceData, name
    private static let dieService = BluetoothUUID(DieGATT.service)!
    /// The company identifier for internal use and tests (Bluetooth SIG Assigned Numbers, 7.1).
    private static let testCompany: UInt16 = 0xFFFF

    /// The descriptor that the app uses.
    fileprivate var descriptor: ASDiscoveryDescriptor {
        let descriptor = ASDiscoveryDescriptor.dice { $0.supportedOptions = [.bluetoothPairingLE] }
        switch self {
        case .service: break
        case .company:
            descriptor.bluetoothServiceUUID = nil
            descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(Self.testCompany)
            // The upper half of the second byte is the kind. The lower half is the number of sides.
            descriptor.bluetoothManufacturerDataBlob = Data([0x01, 0x60])
            descriptor.bluetoothManufacturerDataMask = Data([0xFF, 0xF0])
        case .serviceData:
            descriptor.bluetoothServiceDataBlob = Data([0x06, 0x00])
            descriptor.bluetoothServiceDataMask = Data([0x0F, 0x80])
        case .name:
            descriptor.bluetoothNameSubstring = "die"
            descriptor.bluetoothNameSubstringCompareOptions = [.caseInsensitive, .anchored]
        }
        return descriptor
    }

    /// An advertisement of the die that the descriptor matches.
    fileprivate var advertising: DieAdvertising {
        switch self {
        case .service: DieAdvertising(appearance: 0x0180, includesTxPower: true)
        case .company: DieAdvertising(serviceUUIDs: [], manufacturerData: [Self.testCompany: Data([0x01, 0x66, 0xFF])])
        // The service UUID is only in the service data, not in the list of services.
        case .serviceData: DieAdvertising(serviceUUIDs: [], serviceData: [Self.dieService: Data([0xF6, 0x7F, 0x2A])])
        case .name: DieAdvertising()
        }
    }

    /// A device that matches except for this trait.
    fileprivate var stranger: AirAdvertiser {
        let own = [UInt8](Self.dieService.bytes.reversed())
        let field: [UInt8] =
            switch self {
            case .service: [3, 0x03, 0x0F, 0x18]
            case .company: [5, 0xFF, 0xFF, 0xFF, 0x01, 0x76]
            case .serviceData: [19, 0x21] + own + [0x06, 0x80]
            case .name: [17, 0x07] + own
            }
        let name = Array((self == .name ? "The Die 8" : "Die 8").utf8)
        return AirAdvertiser(
            address: .neighbour(1), data: [2, 0x01, 0x06] + field, scanResponse: [UInt8(1 + name.count), 0x09] + name)
    }
}
