import RadioModel

/// Appends the fields of a packet, least significant byte first.
extension [UInt8] {
    package mutating func append(uint16 value: UInt16) { append(contentsOf: [UInt8(value & 0xFF), UInt8(value >> 8)]) }

    mutating func append(uint24 value: UInt32) { append(number: UInt64(value), bytes: 3) }

    mutating func append(uint32 value: UInt32) { append(number: UInt64(value), bytes: 4) }

    mutating func append(uint64 value: UInt64) { append(number: value, bytes: 8) }

    /// Six bytes, least significant first.
    mutating func append(address: DeviceAddress) { append(contentsOf: address.bytes.reversed()) }

    /// The shortest form of a UUID that the attribute protocol and advertisements have, 2 or 16 bytes, least significant
    /// byte first.
    mutating func append(uuid: BluetoothUUID) {
        append(contentsOf: (uuid.shortest.count == 4 ? uuid.bytes : uuid.shortest).reversed())
    }

    private mutating func append(number: UInt64, bytes count: Int) {
        append(contentsOf: (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) })
    }
}
