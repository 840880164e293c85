import Framing
import Glibc
import POSIX

/// One non-blocking stream socket of the air, with frames both ways.
struct Connection {
    /// The most bytes that may wait for a peer; beyond that, frames are dropped as on a busy medium.
    static let sendLimit = 8 << 20

    /// Why a connection ended: the peer closed it, or an error.
    struct Ended: Error {}

    let descriptor: Descriptor
    private var reader: FrameReader
    private var outgoing: [UInt8] = []

    /// - Parameter limit: The largest payload to accept, in bytes.
    init(_ descriptor: Descriptor, limit: Int) throws(SystemError) {
        try descriptor.setNonBlocking()
        self.descriptor = descriptor
        reader = FrameReader(limit: limit)
    }

    /// What to wait for.
    var pollEvents: Int16 { Int16(POLLIN | (outgoing.isEmpty ? 0 : POLLOUT)) }

    /// Takes what is there, at most one read, so that no peer holds up the others.
    mutating func receive() throws(Ended) -> [FrameReader.Item] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try descriptor.read() } catch {
            if error.code == EAGAIN { return [] }
            throw Ended()
        }
        guard !bytes.isEmpty else { throw Ended() }
        return reader.push(bytes)
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
                // A peer that is gone shows when it is read.
                if error.code != EAGAIN { outgoing = [] }
                return
            }
        }
    }
}
