/// The frames of one link that wait for the controller, in their order.
struct FrameQueue: Sendable {
    private var frames: [[UInt8]] = []
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
    mutating func append(_ frame: [UInt8]) {
        guard !frame.isEmpty else { return }
        frames.append(frame)
        byteCount += frame.count
    }

    /// Takes the next piece of the first frame; nil if nothing waits.
    ///
    /// - Parameter most: The most bytes of a piece.
    mutating func next(_ most: Int) -> (bytes: ArraySlice<UInt8>, isFirst: Bool)? {
        guard !isEmpty, most > 0 else { return nil }
        let frame = frames[start]
        let (isFirst, end) = (offset == 0, min(offset + most, frame.count))
        let piece = frame[offset..<end]
        byteCount -= piece.count
        if end == frame.count { removeFirst() } else { offset = end }
        return (piece, isFirst)
    }

    private mutating func removeFirst() {
        frames[start] = []
        start += 1
        offset = 0
        guard start == frames.count || start >= 64 && start * 2 >= frames.count else { return }
        frames.removeFirst(start)
        start = 0
    }
}
