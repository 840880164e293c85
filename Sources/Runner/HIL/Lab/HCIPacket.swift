/// One packet between a board and its Bluetooth controller, as far as scenarios look into them.
///
/// Source: Core Specification 6.0, Vol 4, Part A, 2 and Part E, 5.4.
public enum HCIPacket: Sendable, Equatable {
    /// A command of the board's: opcode and parameters.
    case command(UInt16, [UInt8])
    /// An event of the controller's: code and parameters.
    case event(UInt8, [UInt8])
    /// Data, of whatever kind.
    case data

    /// From a captured packet: the direction in 4 bytes, then H4; nil where the bytes are no HCI packet.
    init?(captured bytes: [UInt8]) {
        guard bytes.count > 4 else { return nil }
        switch bytes[4] {
        case 1:
            guard bytes.count >= 8 else { return nil }
            self = .command(UInt16(bytes[5]) | UInt16(bytes[6]) << 8, Array(bytes[8...]))
        case 4:
            guard bytes.count >= 7 else { return nil }
            self = .event(bytes[5], Array(bytes[7...]))
        case 2, 3, 5: self = .data
        default: return nil
        }
    }
}
