/// Finds frames in a stream of bytes. The bytes may be anything.
///
/// Pure: bytes in, frames and refusals out. It never holds more than one frame of the allowed size. Its work is
/// proportional to the number of bytes: if bytes imitate the starts of many frames, it skips them in larger pieces.
package struct FrameReader: Sendable {
    /// What the reader found in the stream.
    package enum Item: Sendable, Equatable {
        case frame(Frame)
        /// Bytes that are not a frame were skipped. The text says why and how many, for the log.
        case refused(String)
    }

    /// What the bytes at the front are.
    private enum Front {
        case frame(Frame, size: Int)
        case incomplete
        /// No frame starts here. `cost` is the number of bytes that were read for the checksum to find that out.
        case garbage(String, cost: Int)
    }

    /// How many bytes of broken frames are checked for each byte received. Beyond that, broken frames are skipped
    /// whole.
    private static let creditFactor = 16

    private let limit: Int
    private var pending: [UInt8] = []
    private var skipped = 0
    private var reason = ""
    /// How many bytes of broken frames may still be checked.
    private var credit = 0

    /// - Parameter limit: The largest payload to accept, in bytes.
    package init(limit: Int = Frame.defaultLimit) { self.limit = limit }

    /// How many bytes wait for the rest of their frame.
    package var pendingCount: Int { pending.count }

    /// Adds bytes, and returns all frames that are complete now.
    package mutating func push(_ bytes: some Sequence<UInt8>) -> [Item] {
        let before = pending.count
        pending += bytes
        let most = FrameReader.creditFactor * (Frame.headerSize + limit)
        credit = min(credit + FrameReader.creditFactor * (pending.count - before), most)
        return search(isOver: false)
    }

    /// Gives up on the frame at the front because its rest does not come, and on all other incomplete frames.
    package mutating func giveUp() -> [Item] { search(isOver: true) }

    /// Removes everything complete from the front.
    ///
    /// - Parameter isOver: True if no more bytes will come.
    private mutating func search(isOver: Bool) -> [Item] {
        var items: [Item] = []
        var offset = 0
        loop: while offset < pending.count {
            switch front(at: offset) {
            case .incomplete:
                guard isOver else { break loop }
                skip(to: next(after: offset), from: &offset, "the rest of a frame did not come")
            case .frame(let frame, let size):
                report(into: &items)
                items.append(.frame(frame))
                offset += size
            case .garbage(let why, let cost):
                credit -= cost
                skip(to: credit < 0 ? offset + max(cost, 1) : next(after: offset), from: &offset, why)
            }
        }
        pending.removeFirst(offset)
        if pending.isEmpty { report(into: &items) }
        return items
    }

    /// Where the next frame may start.
    private func next(after offset: Int) -> Int { pending[(offset + 1)...].firstIndex(of: 0x48) ?? pending.count }

    private mutating func skip(to next: Int, from offset: inout Int, _ why: String) {
        if skipped == 0 { reason = why }
        skipped += next - offset
        offset = next
    }

    /// Reports at the end of the stream which bytes were skipped or cut off.
    package mutating func finish() -> [Item] {
        var items: [Item] = []
        report(into: &items)
        if !pending.isEmpty { items.append(.refused("the stream ended \(pending.count) bytes into a frame")) }
        pending = []
        return items
    }

    private mutating func report(into items: inout [Item]) {
        guard skipped > 0 else { return }
        items.append(.refused("\(reason); skipped \(skipped) bytes"))
        skipped = 0
    }

    private func front(at offset: Int) -> Front {
        let available = pending.count - offset
        let magic: [UInt8] = [0x48, 0x49, 1]
        for (index, byte) in magic.enumerated() where index < available && pending[offset + index] != byte {
            return .garbage("no frame starts here", cost: 0)
        }
        guard available >= Frame.headerSize else { return .incomplete }
        let length = Int(word(at: offset + 4))
        guard length <= limit else {
            return .garbage("a frame of \(length) bytes is over the limit of \(limit)", cost: 0)
        }
        let size = Frame.headerSize + length
        guard available >= size else { return .incomplete }
        let body = pending[(offset + Frame.headerSize)..<(offset + size)]
        var checksum = CRC32()
        checksum.update(pending[(offset + 2)..<(offset + 8)])
        checksum.update(body)
        guard checksum.value == word(at: offset + 8) else { return .garbage("a frame's checksum is wrong", cost: size) }
        return .frame(Frame(kind: pending[offset + 3], payload: Array(body)), size: size)
    }

    private func word(at offset: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(pending[offset + $1]) << UInt32(8 * $1) }
    }
}
