import Dispatch
import Synchronization

/// Sends and receives frames over one descriptor. A thread reads, a queue writes.
///
/// Sending never waits for the peer. The stream of items ends when the peer is gone or after ``close()``.
package final class FrameChannel: Sendable {
    /// How many bytes may wait to be written: 64 MiB. A peer that reads nothing is disconnected above that.
    package static let sendLimit = 64 << 20

    /// What was received, for one consumer.
    package let items: AsyncStream<FrameReader.Item>
    private let descriptor: Descriptor
    private let continuation: AsyncStream<FrameReader.Item>.Continuation
    private let writes: DispatchQueue
    private let waiting = Atomic<Int>(0)

    /// Takes over the descriptor of a connected socket, a pipe or a character device.
    ///
    /// - Parameter name: The name of the thread and the queue, for debuggers.
    /// - Parameter limit: The largest payload to accept, in bytes.
    package init(_ descriptor: Descriptor, name: String, limit: Int = Frame.defaultLimit) {
        self.descriptor = descriptor
        (items, continuation) = AsyncStream.makeStream()
        writes = DispatchQueue(label: "\(name)-write")
        startThread(named: "\(name)-read") { [descriptor, continuation] in
            FrameChannel.readAll(descriptor, limit: limit, into: continuation)
        }
    }

    deinit { close() }

    /// Queues a frame. Frames that are sent after the peer is gone are dropped.
    package func send(_ frame: Frame) {
        let bytes = frame.bytes
        let (_, total) = waiting.add(bytes.count, ordering: .relaxed)
        if total > FrameChannel.sendLimit { return close() }
        writes.async { [self] in
            do { try descriptor.write(bytes) } catch { close() }
            waiting.subtract(bytes.count, ordering: .relaxed)
        }
    }

    /// Ends both directions. Calling it again does no harm.
    package func close() {
        descriptor.shutDown()
        continuation.finish()
    }

    private static func readAll(
        _ descriptor: Descriptor, limit: Int, into continuation: AsyncStream<FrameReader.Item>.Continuation
    ) {
        var reader = FrameReader(limit: limit)
        while let bytes = try? descriptor.read(), !bytes.isEmpty {
            for item in reader.push(bytes) { continuation.yield(item) }
        }
        for item in reader.finish() { continuation.yield(item) }
        continuation.finish()
        // Do not close yet: the writer still uses the descriptor, and a closed number could become another file.
        descriptor.shutDown()
    }
}
