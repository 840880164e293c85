/// The most that one LE packet carries: the payload, and the time to send it.
///
/// Source: Core Specification 6.0, volume 6, part B, 4.5.10.
struct PacketLength: Hashable {
    /// In bytes.
    var octets: UInt16
    /// In microseconds.
    var time: UInt16

    /// The length on a link without Data Length Extension, and on a new link until its ends have agreed on another.
    static let shortest = PacketLength(octets: 27, time: 328)
    /// The greatest length that a controller can have.
    static let longest = PacketLength(octets: 251, time: 17_040)

    /// Whether a host or a peer may ask for this length.
    var isValid: Bool {
        (PacketLength.shortest.octets...PacketLength.longest.octets).contains(octets)
            && (PacketLength.shortest.time...PacketLength.longest.time).contains(time)
    }

    /// The part of this length that the other end can do as well.
    func limited(to other: PacketLength) -> PacketLength {
        PacketLength(octets: min(octets, other.octets), time: min(time, other.time))
    }
}

extension PacketLength {
    /// Four bytes: the octets, then the time.
    var bytes: [UInt8] {
        [octets, time].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// Reads a length; nil if there are fewer than four bytes.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 4 else { return nil }
        let start = bytes.startIndex
        octets = UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
        time = UInt16(bytes[start + 2]) | UInt16(bytes[start + 3]) << 8
    }
}
