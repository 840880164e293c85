import Glibc
import HILPOSIX

/// A non-blocking stream socket of the air that carries frames in both directions.
struct Connection {
    /// The most bytes that may wait for a peer. Beyond that, frames are dropped, as on a busy medium.
    static let sendLimit = 8 << 20

    /// How long the rest of a frame may take. After that, the bytes so far are searched for other frames.
    static let stallLimit = Duration.milliseconds(500)

    /// The connection ended: the peer closed it, or it failed.
    struct Ended: Error {}

    let descriptor: Descriptor
    private var reader: FrameReader
    private var outgoing: [UInt8] = []
    private var lastReceipt = ContinuousClock.now

    /// - Parameter limit: The largest payload to accept, in bytes.
    init(_ descriptor: Descriptor, limit: Int) throws(SystemError) {
        try descriptor.setNonBlocking()
        self.descriptor = descriptor
        reader = FrameReader(limit: limit)
    }

    /// The events to wait for, in the form of `poll`.
    var pollEvents: Int16 { Int16(POLLIN | (outgoing.isEmpty ? 0 : POLLOUT)) }

    /// Reads available bytes, with one read at most, so that no peer delays the others.
    mutating func receive() throws(Ended) -> [FrameReader.Item] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try descriptor.read() } catch {
            if error.code == EAGAIN { return [] }
            throw Ended()
        }
        guard !bytes.isEmpty else { throw Ended() }
        lastReceipt = .now
        return reader.push(bytes)
    }

    /// Whether an incomplete frame has arrived.
    var isMidFrame: Bool { reader.pendingCount > 0 }

    /// Gives up on a frame whose rest has not come in time.
    mutating func giveUpIfStalled(at now: ContinuousClock.Instant) -> [FrameReader.Item] {
        guard isMidFrame, lastReceipt.duration(to: now) >= Connection.stallLimit else { return [] }
        lastReceipt = now
        return reader.giveUp()
    }

    /// Queues a frame; ``flush()`` sends it.
    ///
    /// - Returns: Whether there was room.
    mutating func queue(_ frame: Frame) -> Bool {
        guard outgoing.count < Connection.sendLimit else { return false }
        outgoing += frame.bytes
        return true
    }

    /// Sends as much as the peer takes.
    mutating func flush() {
        while !outgoing.isEmpty {
            do throws(SystemError) {
                let count = try valueOrErrno("write", "writing to a socket") {
                    outgoing.withUnsafeBytes { write(descriptor.raw, $0.baseAddress, $0.count) }
                }
                outgoing.removeFirst(count)
            } catch {
                // The next read notices that the peer is gone.
                if error.code != EAGAIN { outgoing = [] }
                return
            }
        }
    }
}
