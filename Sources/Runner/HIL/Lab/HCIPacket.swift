/// A packet between a board and its Bluetooth controller, with the parts that scenarios look at.
///
/// Source: Core Specification 6.0, Vol 4, Part A, 2 and Part E, 5.4.
public enum HCIPacket: Sendable, Equatable {
    /// A command to the controller: its opcode and its parameters.
    case command(UInt16, [UInt8])
    /// An event from the controller: its code and its parameters.
    case event(UInt8, [UInt8])
    /// ACL data, from the handle on.
    case acl([UInt8])
    /// Other data: SCO or ISO.
    case data

    /// Reads a captured packet: 4 bytes for the direction, then H4. Nil if the bytes are not an HCI packet.
    init?(captured bytes: [UInt8]) {
        guard bytes.count > 4 else { return nil }
        switch bytes[4] {
        case 1:
            guard bytes.count >= 8 else { return nil }
            self = .command(UInt16(bytes[5]) | UInt16(bytes[6]) << 8, Array(bytes[8...]))
        case 4:
            guard bytes.count >= 7 else { return nil }
            self = .event(bytes[5], Array(bytes[7...]))
        case 2: self = .acl(Array(bytes[5...]))
        case 3, 5: self = .data
        default: return nil
        }
    }
}
