import RadioModel

/// A packet with a piece of a link's data.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 5.4.2.
package struct DataPacket: Sendable, Equatable {
    /// The place of a piece in its frame.
    package struct Boundary: RawRepresentable, Sendable, Equatable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Begins a frame, from the host; on a classic link one that is never flushed.
        static let firstFromHost = Boundary(rawValue: 0)
        static let continuing = Boundary(rawValue: 1)
        /// Begins a frame, from the controller; on a classic link also from the host.
        static let first = Boundary(rawValue: 2)

        /// What the host sends.
        static func sent(isFirst: Bool, _ kind: ControllerChannel.LinkKind) -> Boundary {
            isFirst ? (kind == .le ? firstFromHost : first) : continuing
        }
    }

    package var handle: ConnectionHandle
    var boundary: Boundary
    /// 0 for one receiver.
    var broadcast: UInt8 = 0
    var data: ArraySlice<UInt8>

    /// The H4 packet.
    var packet: [UInt8] {
        var bytes: [UInt8] = [H4Type.data]
        bytes.append(uint16: handle.rawValue | UInt16(boundary.rawValue & 3) << 12 | UInt16(broadcast & 3) << 14)
        bytes.append(uint16: UInt16(clamping: data.count))
        return bytes + data.prefix(Int(UInt16.max))
    }
}

extension DataPacket {
    /// Reads a packet without the type byte of H4.
    package init(decoding packet: some Collection<UInt8>) throws(Malformed) {
        var reader = PacketReader(packet, of: "a data packet")
        let (field, length) = (try reader.uint16(), Int(try reader.uint16()))
        guard reader.count == length else {
            throw Malformed("a data packet that announces \(length) bytes and has \(reader.count)")
        }
        self.init(
            handle: ConnectionHandle(rawValue: field), boundary: Boundary(rawValue: UInt8(field >> 12 & 3)),
            broadcast: UInt8(field >> 14), data: reader.remainder()[...])
    }
}
