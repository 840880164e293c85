import Foundation
import PeripheralModel
import RadioModel

/// What a phone found out about an accessory over the air.
struct AccessoryFindings: Sendable {
    /// The result of a pairing.
    enum Pairing: Sendable, Equatable {
        /// Nothing asked for it.
        case notNeeded
        /// It failed; the text says why.
        case failed(String)
        case paired(PeripheralPairing, Bond)
    }

    /// A read's result: the value, or the error code of the attribute protocol.
    enum Value: Sendable, Equatable {
        case value(Data)
        case refused(UInt8)
    }

    var advertisement: Advertisement
    var services: [GATTService]
    /// What an unpaired phone may do, by handle.
    var accesses: [UInt16: AttributeAccess] = [:]
    /// By handle.
    var values: [UInt16: Value] = [:]
    var pairing = Pairing.notNeeded
    /// Whether its address was private.
    var hasPrivateAddress = false

    /// The UUIDs of Bluetooth's own attributes.
    enum Known {
        static let genericAccess = BluetoothUUID(short: 0x1800)
        static let genericAttribute = BluetoothUUID(short: 0x1801)
        static let deviceInformation = BluetoothUUID(short: 0x180A)
        static let deviceName = BluetoothUUID(short: 0x2A00)
        static let pnpID = BluetoothUUID(short: 0x2A50)
        static let extendedProperties = BluetoothUUID(short: 0x2900)
        static let configuration = BluetoothUUID(short: 0x2902)
    }

    // MARK: What to find out

    /// The attributes whose access is to be probed.
    var wanted: [AttributeAccess] {
        services.filter(isDeclared).flatMap(\.characteristics).flatMap { characteristic in
            let properties = characteristic.properties
            let isWritten = !properties.isDisjoint(with: [.write, .writeWithoutResponse, .authenticatedSignedWrites])
            let value = AttributeAccess(
                handle: characteristic.id.handle, reading: properties.contains(.read) ? .allowed : .unknown,
                writing: isWritten ? .allowed : .unknown)
            return [value]
                + characteristic.descriptors.compactMap { descriptor in
                    switch descriptor.uuid {
                    case Known.extendedProperties: nil
                    case Known.configuration: AttributeAccess(handle: descriptor.id.handle, writing: .allowed)
                    default:
                        AttributeAccess(handle: descriptor.id.handle, reading: .allowed, writing: .allowed)
                    }
                }
        }
    }

    /// Whether something can only be used by a paired phone.
    var needsPairing: Bool {
        accesses.values.contains { $0.reading.protection != nil || $0.writing.protection != nil }
    }

    /// Whether a value needs a paired phone to be read.
    func isProtected(_ handle: UInt16) -> Bool { accesses[handle]?.reading.protection != nil }

    /// Linux adds the services of Bluetooth itself to every accessory that it makes.
    func isDeclared(_ service: GATTService) -> Bool {
        service.uuid != Known.genericAccess && service.uuid != Known.genericAttribute
    }

    /// BlueZ adds Device Information with one characteristic that says that it is BlueZ: vendor 0x1D6B (Linux
    /// Foundation), product 0x0246, by the numbers of USB (Device Information Service 1.1, 3.9).
    private func isLinuxOwn(_ service: GATTService) -> Bool {
        guard service.uuid == Known.deviceInformation, service.characteristics.count == 1,
            service.characteristics[0].uuid == Known.pnpID,
            case .value(let value) = values[service.characteristics[0].id.handle]
        else { return false }
        return value.starts(with: [0x02, 0x6B, 0x1D, 0x46, 0x02])
    }

    // MARK: The declaration

    /// The recording: what has to be declared for the same accessory.
    var recording: RecordedAccessory {
        let kept = services.filter { isDeclared($0) && !isLinuxOwn($0) }
        var refusals: [AttributePlace: UInt8] = [:]
        let declared = kept.enumerated().map { number, service in
            PeripheralService(
                uuid: service.uuid, isPrimary: service.isPrimary,
                included: service.included.compactMap { handle in kept.firstIndex { $0.handle == handle } },
                characteristics: service.characteristics.enumerated().map { index, characteristic in
                    if case .refused(let code) = values[characteristic.id.handle] {
                        refusals[AttributePlace(service: number, characteristic: index)] = code
                    }
                    return self.declared(characteristic)
                })
        }
        var (pairing, isPairingKnown, notes) = (PeripheralPairing(), false, [String]())
        switch self.pairing {
        case .notNeeded:
            notes.append("How it pairs is not known: nothing that was tried needs a paired phone.")
        case .failed(let why):
            notes.append("How it pairs, and the values that need a paired phone, were not seen: \(why).")
        case .paired(let seen, _): (pairing, isPairingKnown) = (seen, true)
        }
        if !untried.isEmpty {
            notes.append(
                "Whether a write to these needs a paired phone is not known, for it was not tried: "
                    + untried.map(\.namedText).joined(separator: ", ") + ".")
        }
        let declaration = PeripheralDeclaration(
            advertising: advertising, services: declared, pairing: pairing, hasPrivateAddress: hasPrivateAddress,
            name: linkName ?? advertisement.name ?? "")
        return RecordedAccessory(
            declaration: declaration, refusals: refusals, isPairingKnown: isPairingKnown, notes: notes)
    }

    /// The characteristics that can be written, and whose access is unknown, because the probe does not write.
    private var untried: [BluetoothUUID] {
        services.filter(isDeclared).flatMap(\.characteristics).filter { characteristic in
            let isWritten = !characteristic.properties.isDisjoint(with: [.write, .writeWithoutResponse])
            return isWritten && accesses[characteristic.id.handle]?.writing ?? .unknown == .unknown
        }.map(\.uuid)
    }

    private var linkName: String? {
        let access = services.first { $0.uuid == Known.genericAccess }
        guard let name = access?.characteristics.first(where: { $0.uuid == Known.deviceName }),
            case .value(let value) = values[name.id.handle]
        else { return nil }
        return String(decoding: value, as: UTF8.self)
    }

    private var advertising: PeripheralAdvertising {
        PeripheralAdvertising(
            name: advertisement.name ?? "", serviceUUIDs: advertisement.serviceUUIDs,
            manufacturerData: advertisement.manufacturerData, serviceData: advertisement.serviceData,
            solicitedUUIDs: advertisement.solicitedUUIDs, appearance: advertisement.appearance,
            includesTxPower: advertisement.txPower != nil, claimsClassic: advertisement.mayHaveClassic ?? false)
    }

    private func declared(_ characteristic: GATTCharacteristic) -> PeripheralCharacteristic {
        let handle = characteristic.id.handle
        let configuration = characteristic.descriptors.first { $0.uuid == Known.configuration }
        return PeripheralCharacteristic(
            uuid: characteristic.uuid, properties: characteristic.properties,
            reading: protection(accesses[handle]?.reading), writing: protection(accesses[handle]?.writing),
            notifying: protection(configuration.flatMap { accesses[$0.id.handle] }?.writing), value: value(at: handle),
            descriptors: characteristic.descriptors.filter {
                $0.uuid != Known.extendedProperties && $0.uuid != Known.configuration
            }.map(declared))
    }

    private func declared(_ descriptor: GATTDescriptor) -> PeripheralDescriptor {
        let access = accesses[descriptor.id.handle]
        // Read Not Permitted (0x02) and Write Not Permitted (0x03) are about the attribute and not the link.
        let isWritable = access.map { $0.writing != .unknown && $0.writing != .refused(0x03) } ?? false
        return PeripheralDescriptor(
            uuid: descriptor.uuid, value: value(at: descriptor.id.handle),
            isReadable: access?.reading != .refused(0x02), isWritable: isWritable,
            protection: isWritable
                ? stricter(protection(access?.reading), protection(access?.writing)) : protection(access?.reading))
    }

    private func value(at handle: UInt16) -> Data {
        if case .value(let value) = values[handle] { value } else { Data() }
    }

    /// What the link needs. A key that nobody compared was enough if there was no other.
    private func protection(_ answer: AttributeAccess.Answer?) -> LinkProtection {
        guard let needed = answer?.protection else { return .none }
        if case .paired(_, let bond) = pairing, !bond.isAuthenticated, needed != .none { return .encrypted }
        return needed
    }

    private func stricter(_ one: LinkProtection, _ other: LinkProtection) -> LinkProtection {
        one.rawValue > other.rawValue ? one : other
    }
}
