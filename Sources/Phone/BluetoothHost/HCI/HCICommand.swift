import RadioModel

/// A command from the host to its controller.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 5.4.1.
package struct HCICommand: Sendable, Hashable, CustomStringConvertible {
    package var opcode: HCIOpcode
    /// At most 255 bytes.
    package var parameters: [UInt8]

    /// Any command, with any parameters.
    package init(_ opcode: HCIOpcode, _ parameters: [UInt8] = []) {
        self.opcode = opcode
        self.parameters = parameters
    }

    /// The H4 packet. Parameters beyond 255 bytes are cut off.
    package var packet: [UInt8] {
        var bytes: [UInt8] = [H4Type.command]
        bytes.append(uint16: opcode.rawValue)
        bytes.append(UInt8(clamping: parameters.count))
        return bytes + parameters.prefix(255)
    }

    /// The name without parameters, some of which are keys.
    package var description: String { opcode.name }

    /// A command whose parameters a closure appends.
    init(_ opcode: HCIOpcode, appending append: (inout [UInt8]) -> Void) {
        self.init(opcode)
        append(&parameters)
    }
}

/// The first byte of each packet on the UART transport.
///
/// Source: Core Specification 6.0, Vol 4, Part A, 2.
enum H4Type {
    static let command: UInt8 = 0x01
    static let data: UInt8 = 0x02
    static let event: UInt8 = 0x04
}

extension [UInt8] {
    /// One byte: 1 for true.
    mutating func append(flag: Bool) { append(flag ? 1 : 0) }

    /// The kind of an address, then the address.
    mutating func append(peer: PeerAddress) {
        append(flag: peer.isRandom)
        append(address: peer.address)
    }

    /// A key of 16 bytes; others are filled with zeros or cut off.
    mutating func append(key: [UInt8]) { append(padding: key, to: 16) }

    /// A field of a fixed length. It is filled with zeros or cut off.
    mutating func append(padding bytes: [UInt8], to count: Int) {
        append(contentsOf: bytes.prefix(count))
        append(contentsOf: repeatElement(0, count: Swift.max(0, count - bytes.count)))
    }
}
