/// A signalling command as bytes: its header and its data.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.
package struct SignalingPacket: Sendable, Hashable {
    /// The number of the command, known or not.
    package var code: UInt8
    /// The same in a request and in its response; never 0.
    package var identifier: UInt8
    package var data: [UInt8]
    /// Whether the frame has as much data as the header of the command says.
    package var isWhole = true

    package init(code: UInt8, identifier: UInt8, data: [UInt8]) {
        self.code = code
        self.identifier = identifier
        self.data = data
    }

    /// Whether a Command Reject may answer it: a request, or an unknown command.
    package var isRejectable: Bool { SignalingCode(rawValue: code).map { !$0.isResponse } ?? true }

    /// The header and the data.
    package var bytes: [UInt8] {
        var bytes = [code, identifier]
        bytes.append(uint16: UInt16(clamping: data.count))
        return bytes + data
    }

    /// The commands of a frame.
    ///
    /// - Returns: The commands, of which the last may lack data, and the number of bytes after them that are too few for
    ///   the header of another one.
    package static func split(_ payload: [UInt8]) -> (packets: [SignalingPacket], stray: Int) {
        var packets: [SignalingPacket] = []
        var reader = PacketReader(payload, of: "a signalling frame")
        while reader.count >= 4 {
            guard let packet = try? SignalingPacket(&reader) else { break }
            packets.append(packet)
        }
        return (packets, reader.count)
    }

    private init(_ reader: inout PacketReader) throws(Malformed) {
        code = try reader.uint8()
        identifier = try reader.uint8()
        let length = Int(try reader.uint16())
        isWhole = length <= reader.count
        data = try reader.bytes(min(length, reader.count))
    }
}
