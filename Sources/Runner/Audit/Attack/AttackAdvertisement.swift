/// Makes the content of advertisements that nobody should trust: valid fields of each kind, the same with wrong lengths and
/// damage, and noise.
///
/// Source: Core Specification 6.0, Vol 3, Part C, 11; Supplement to the Core Specification, Part A.
package enum AttackAdvertisement {
    /// The most bytes of an advertisement of Bluetooth 4.
    package static let shortest = 31
    /// The most bytes of an extended one in a single command to the controller.
    package static let longest = 251

    /// The first advertisements of a seed, by turns of at most 31 and at most 251 bytes.
    package static func contents(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var chance = AttackChance(seed)
        return (0..<count).map { content(of: $0.isMultiple(of: 2) ? shortest : longest, &chance) }
    }

    private static func content(of limit: Int, _ chance: inout AttackChance) -> [UInt8] {
        if chance.happens(5) { return chance.bytes(chance.number(in: 0...limit)) }
        var bytes: [UInt8] = []
        for _ in 0..<chance.number(in: 1...5) { bytes += field(&chance) }
        if chance.happens(20) { bytes = chance.damaged(bytes) }
        return Array(bytes.prefix(limit))
    }

    /// A field: its length, its type and its value.
    private static func field(_ chance: inout AttackChance) -> [UInt8] {
        let type = chance.happens(90) ? chance.one(of: types) : chance.byte()
        let value = chance.bytes(chance.happens(70) ? chance.one(of: [1, 2, 4, 16]) : chance.length())
        let length = value.count + 1
        let told =
            chance.happens(70) ? length : chance.one(of: [0, 1, length - 1, length + 1, length + 16, 0x7F, 0xFF])
        return [UInt8(truncatingIfNeeded: told), type] + value
    }

    /// Flags, lists of UUIDs of 16, 32 and 128 bits, names, transmit power, device ID, solicited services, service data,
    /// appearance, addresses, URI, data of a manufacturer.
    private static let types: [UInt8] = [
        0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x10, 0x12, 0x14, 0x15, 0x16, 0x17, 0x19, 0x1B,
        0x20,
        0x21, 0x24, 0x2A, 0xFF,
    ]
}
