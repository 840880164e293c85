import RadioModel

/// Bytes of a peer or of a controller that do not have the form which the specification gives them.
package struct Malformed: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was wrong: `an ATT Read Request of 1 byte; 3 are needed`.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Reads the fields of a packet, least significant byte first. The bytes may be hostile: every length is checked.
package struct PacketReader: Sendable {
    private var rest: ArraySlice<UInt8>
    /// The packet, for errors: `an ATT Read Request`.
    private let what: String
    private let length: Int

    /// - Parameter what: Names the packet in errors.
    package init(_ bytes: some Collection<UInt8>, of what: String) {
        rest = ArraySlice(bytes)
        length = rest.count
        self.what = what
    }

    /// How many bytes are left.
    package var count: Int { rest.count }

    package mutating func bytes(_ count: Int) throws(Malformed) -> [UInt8] {
        guard count >= 0, count <= rest.count else {
            throw Malformed("\(what) of \(length) bytes; at least \(length - rest.count + max(0, count)) are needed")
        }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    package mutating func uint8() throws(Malformed) -> UInt8 { try bytes(1)[0] }
    package mutating func int8() throws(Malformed) -> Int8 { Int8(bitPattern: try uint8()) }
    package mutating func uint16() throws(Malformed) -> UInt16 { UInt16(try number(2)) }
    package mutating func uint24() throws(Malformed) -> UInt32 { UInt32(try number(3)) }
    package mutating func uint32() throws(Malformed) -> UInt32 { UInt32(try number(4)) }
    package mutating func uint64() throws(Malformed) -> UInt64 { try number(8) }

    /// Six bytes, least significant first.
    package mutating func address() throws(Malformed) -> DeviceAddress {
        guard let address = DeviceAddress(bytes: try bytes(6).reversed()) else {
            throw Malformed("\(what): no address")
        }
        return address
    }

    /// A UUID of 2, 4 or 16 bytes, least significant first.
    package mutating func uuid(_ count: Int) throws(Malformed) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(bytes: try bytes(count).reversed()) else {
            throw Malformed("\(what) with a UUID of \(count) bytes")
        }
        return uuid
    }

    /// All bytes that are left.
    package mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// - Throws: If bytes are left.
    package func end() throws(Malformed) {
        guard rest.isEmpty else { throw Malformed("\(what) of \(length) bytes, \(rest.count) too many") }
    }

    private mutating func number(_ count: Int) throws(Malformed) -> UInt64 {
        try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
