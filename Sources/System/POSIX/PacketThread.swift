import Glibc

/// Reads packets on a separate thread, one per read, until ``stop()`` is called or the descriptor ends or fails.
package final class PacketThread: Sendable {
    private let wakeUp: (read: Descriptor, write: Descriptor)

    /// - Parameters:
    ///   - name: The name of the thread.
    ///   - descriptor: Where packets come from. It stays open until the thread has ended.
    ///   - limit: The longest packet in bytes; the rest of a longer one is lost.
    ///   - harmless: Errors of a read after which the next packet can be read.
    ///   - take: Called with each packet, in order.
    package init(
        _ name: String, reading descriptor: Descriptor, upTo limit: Int, despite harmless: Set<Int32> = [],
        _ take: @escaping @Sendable ([UInt8]) -> Void
    ) throws(SystemError) {
        wakeUp = try Descriptor.pipe()
        startThread(named: name) { [wakeUp] in
            var files = [
                pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeUp.read.raw, events: Int16(POLLIN), revents: 0),
            ]
            while true {
                guard poll(&files, 2, -1) > 0 || errno == EINTR else { return }
                guard files[1].revents == 0 else { return }
                guard files[0].revents != 0 else { continue }
                do throws(SystemError) {
                    let packet = try descriptor.read(upTo: limit)
                    guard !packet.isEmpty else { return }
                    take(packet)
                } catch { guard harmless.contains(error.code) else { return } }
            }
        }
    }

    deinit { stop() }

    /// Ends the thread soon. Calling it again does no harm.
    package func stop() { wakeUp.write.close() }
}
