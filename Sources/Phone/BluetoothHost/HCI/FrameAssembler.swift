/// Puts the pieces of one link's frames together.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 7.2.1.
package struct FrameAssembler: Sendable {
    /// What came of a piece.
    package struct Result: Equatable {
        /// A whole frame with its header.
        package var frame: [UInt8]?
        /// What the other device did wrong.
        package var violation: String?
    }

    /// The length and the channel of a frame.
    private static let headerLength = 4

    /// The pieces of the frame that is incomplete.
    private var bytes: [UInt8] = []

    /// How many bytes are kept: less than 65,539.
    var pendingCount: Int { bytes.count }

    package init() {}

    package mutating func take(_ packet: DataPacket) -> Result {
        guard packet.broadcast == 0 else { return Result(violation: "it sent a broadcast on its link") }
        switch packet.boundary {
        case .first, .firstFromHost: return begin(packet.data)
        case .continuing: return proceed(packet.data)
        default: return Result(violation: "it sent a piece of a frame with an unknown mark")
        }
    }

    private mutating func begin(_ piece: ArraySlice<UInt8>) -> Result {
        let abandoned = bytes.count
        bytes = []
        guard abandoned == 0 else {
            var result = add(piece)
            result.violation = "it began a frame inside another one, of which it had sent \(abandoned) bytes"
            return result
        }
        guard !piece.isEmpty else { return Result(violation: "it began a frame with an empty packet") }
        return add(piece)
    }

    private mutating func proceed(_ piece: ArraySlice<UInt8>) -> Result {
        guard !bytes.isEmpty else { return Result(violation: "it continued a frame that it did not begin") }
        return add(piece)
    }

    private mutating func add(_ piece: ArraySlice<UInt8>) -> Result {
        bytes += piece
        guard bytes.count >= 2 else { return Result() }
        let announced = Int(bytes[0]) + Int(bytes[1]) << 8
        let whole = announced + FrameAssembler.headerLength
        guard bytes.count >= whole else { return Result() }
        defer { bytes = [] }
        guard bytes.count == whole else {
            return Result(
                violation: "it sent a frame of \(bytes.count - FrameAssembler.headerLength) bytes and had announced "
                    + "\(announced)")
        }
        return Result(frame: bytes)
    }
}
