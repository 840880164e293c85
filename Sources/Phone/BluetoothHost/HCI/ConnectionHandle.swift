import RadioModel

/// Identifies a link between host and controller for as long as the link lasts.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 5.3.1.
package struct ConnectionHandle: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// 0x000 to 0xEFF, in 12 bits.
    package let rawValue: UInt16

    /// - Parameter rawValue: The four highest bits are dropped: packets have flags there.
    package init(rawValue: UInt16) { self.rawValue = rawValue & 0x0FFF }

    package var description: String { "link 0x" + Hex.text([UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)]) }
}

extension PacketReader {
    mutating func handle() throws(Malformed) -> ConnectionHandle { ConnectionHandle(rawValue: try uint16()) }
}

extension [UInt8] {
    mutating func append(handle: ConnectionHandle) { append(uint16: handle.rawValue) }
}
