#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The fields of an advertisement, of a scan response, or of both one after the other.
///
/// Source: Core Specification Supplement 12, Part A, 1; Core Specification 6.0, Vol 3, Part C, 11.
package struct AdvertisingData: Sendable, Equatable {
    package var name: String?
    package var serviceUUIDs: [BluetoothUUID] = []
    /// The services that it looks for.
    package var solicitedUUIDs: [BluetoothUUID] = []
    package var manufacturerData: [UInt16: Data] = [:]
    package var serviceData: [BluetoothUUID: Data] = [:]
    /// In dBm.
    package var txPower: Int?
    /// Whether it may have classic Bluetooth by its flags; nil without flags.
    package var mayHaveClassic: Bool?
    package var appearance: UInt16?

    package init() {}

    /// Parses any bytes. Stops at a field that is cut off; skips fields of a wrong length or an unknown type.
    package init(decoding bytes: [UInt8]) {
        var offset = 0
        while offset < bytes.count {
            let length = Int(bytes[offset])
            // A payload is padded with zeros; a scan response may follow them.
            defer { offset += 1 + length }
            guard length > 0 else { continue }
            guard offset + length < bytes.count else { return }
            take(type: bytes[offset + 1], Array(bytes[(offset + 2)..<(offset + 1 + length)]))
        }
    }

    private mutating func take(type: UInt8, _ value: [UInt8]) {
        switch type {
        // Bit 2: BR/EDR Not Supported.
        case 0x01: if let flags = value.first { mayHaveClassic = flags & 0x04 == 0 }
        case 0x02, 0x03: Self.takeUUIDs(value, size: 2, &serviceUUIDs)
        case 0x04, 0x05: Self.takeUUIDs(value, size: 4, &serviceUUIDs)
        case 0x06, 0x07: Self.takeUUIDs(value, size: 16, &serviceUUIDs)
        case 0x14: Self.takeUUIDs(value, size: 2, &solicitedUUIDs)
        case 0x1F: Self.takeUUIDs(value, size: 4, &solicitedUUIDs)
        case 0x15: Self.takeUUIDs(value, size: 16, &solicitedUUIDs)
        case 0x08: if name == nil { name = String(decoding: value, as: UTF8.self) }
        case 0x09: name = String(decoding: value, as: UTF8.self)
        case 0x0A: if value.count == 1 { txPower = Int(Int8(bitPattern: value[0])) }
        case 0x16: takeServiceData(value, size: 2)
        case 0x19: if value.count == 2 { appearance = UInt16(value[0]) | UInt16(value[1]) << 8 }
        case 0x20: takeServiceData(value, size: 4)
        case 0x21: takeServiceData(value, size: 16)
        case 0xFF:
            guard value.count >= 2 else { return }
            manufacturerData[UInt16(value[0]) | UInt16(value[1]) << 8] = Data(value[2...])
        default: break
        }
    }

    private static func takeUUIDs(_ value: [UInt8], size: Int, _ list: inout [BluetoothUUID]) {
        for start in stride(from: 0, through: value.count - size, by: size) {
            guard let uuid = BluetoothUUID(bytes: value[start..<(start + size)].reversed()) else { continue }
            if !list.contains(uuid) { list.append(uuid) }
        }
    }

    private mutating func takeServiceData(_ value: [UInt8], size: Int) {
        guard value.count >= size, let uuid = BluetoothUUID(bytes: value[..<size].reversed()) else { return }
        serviceData[uuid] = Data(value[size...])
    }

    /// Adds the fields of another packet of the same device.
    package mutating func merge(_ other: AdvertisingData) {
        name = other.name ?? name
        for uuid in other.serviceUUIDs where !serviceUUIDs.contains(uuid) { serviceUUIDs.append(uuid) }
        for uuid in other.solicitedUUIDs where !solicitedUUIDs.contains(uuid) { solicitedUUIDs.append(uuid) }
        manufacturerData.merge(other.manufacturerData) { $1 }
        serviceData.merge(other.serviceData) { $1 }
        txPower = other.txPower ?? txPower
        mayHaveClassic = other.mayHaveClassic ?? mayHaveClassic
        appearance = other.appearance ?? appearance
    }
}
