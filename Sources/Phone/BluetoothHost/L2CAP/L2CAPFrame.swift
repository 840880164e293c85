/// A frame of L2CAP: what one end sends on one channel at once.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 3.1.
package struct L2CAPFrame: Sendable, Hashable {
    /// The channel at the receiver's end.
    package var channel: ChannelIdentifier
    /// At most 65535 bytes.
    package var payload: [UInt8]

    package init(channel: ChannelIdentifier, payload: [UInt8]) {
        self.channel = channel
        self.payload = payload
    }

    /// Reads a whole frame with its header.
    ///
    /// - Throws: If the length in the header differs from the bytes that follow.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        var reader = PacketReader(bytes, of: "an L2CAP frame")
        let length = Int(try reader.uint16())
        channel = ChannelIdentifier(rawValue: try reader.uint16())
        payload = reader.remainder()
        guard payload.count == length else {
            throw Malformed("an L2CAP frame with \(payload.count) bytes of payload; its header says \(length)")
        }
    }

    /// The whole frame with its header. A longer payload is cut at 65535 bytes.
    package var bytes: [UInt8] {
        let sent = payload.prefix(Int(UInt16.max))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + sent.count)
        bytes.append(uint16: UInt16(clamping: sent.count))
        bytes.append(uint16: channel.rawValue)
        bytes.append(contentsOf: sent)
        return bytes
    }
}
