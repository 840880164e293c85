/// The frames of one link that wait for the controller, in their order.
struct FrameQueue: Sendable {
    private struct Frame {
        var bytes: [UInt8]
        /// Whether its first piece is marked as more of the frame before.
        let continues: Bool
    }

    private var frames: [Frame] = []
    /// The place of the first frame. Removing the first element of an array moves all others, so it is done rarely.
    private var start = 0
    /// How many bytes of the first frame have left.
    private var offset = 0
    /// How many bytes wait.
    private(set) var byteCount = 0

    /// How many frames wait, whole or in part.
    var count: Int { frames.count - start }
    var isEmpty: Bool { count == 0 }

    /// Adds a frame of at least one byte.
    ///
    /// - Parameter continues: Whether it is more of the frame before, as no host does it.
    mutating func append(_ frame: [UInt8], continues: Bool = false) {
        guard !frame.isEmpty else { return }
        frames.append(Frame(bytes: frame, continues: continues))
        byteCount += frame.count
    }

    /// Takes the next piece of the first frame; nil if nothing waits.
    ///
    /// - Parameter most: The most bytes of a piece.
    mutating func next(_ most: Int) -> (bytes: ArraySlice<UInt8>, isFirst: Bool)? {
        guard !isEmpty, most > 0 else { return nil }
        let (frame, continues) = (frames[start].bytes, frames[start].continues)
        let (isFirst, end) = (offset == 0 && !continues, min(offset + most, frame.count))
        let piece = frame[offset..<end]
        byteCount -= piece.count
        if end == frame.count { removeFirst() } else { offset = end }
        return (piece, isFirst)
    }

    private mutating func removeFirst() {
        frames[start].bytes = []
        start += 1
        offset = 0
        guard start == frames.count || start >= 64 && start * 2 >= frames.count else { return }
        frames.removeFirst(start)
        start = 0
    }
}
