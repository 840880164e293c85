import Glibc
import HILCLinux
import HILPOSIX
import HILTiming
import Synchronization

/// The agent's end of the byte stream to the runner: a port of a virtio console, or standard input and output.
///
/// A virtio port stays open while its other side is not connected, and then reads like the end of a file. Only a change
/// shows that the other side has connected. So the port is watched for changes, and a hang-up ends only the connection.
package final class AgentPort: Sendable {
    /// An event of the port.
    package enum Event: Sendable, Equatable {
        /// The other side has connected.
        case connected
        /// The other side has disconnected.
        case disconnected
        /// A frame, or bytes that are not a frame.
        case item(FrameReader.Item)
    }

    /// The most bytes that wait for a client that does not read. Above that, frames are dropped.
    static let sendLimit = 64 << 20

    /// The incomplete next frame, and when its latest bytes came.
    private struct Incoming {
        var reader = FrameReader()
        var lastReceipt = ContinuousClock.now

        /// How long to wait for more bytes before giving up the frame, in milliseconds; -1 for no limit.
        func limit(_ incompleteMessageLimit: Duration) -> Int32 {
            guard reader.pendingCount > 0 else { return -1 }
            return Int32(
                max(0, ((incompleteMessageLimit - lastReceipt.duration(to: .now)).seconds * 1000).rounded(.up)))
        }
    }

    private struct Outgoing {
        var isConnected = false
        var bytes: [UInt8] = []
    }

    private let input: Descriptor
    private let output: Descriptor
    private let outlivesClients: Bool
    private let incompleteMessageLimit: Duration
    private let wake: (read: Descriptor, write: Descriptor)
    private let outgoing = Mutex(Outgoing())

    /// - Parameters:
    ///   - input: Where frames are read.
    ///   - output: Where frames are written. It may be the same descriptor.
    ///   - outlivesClients: Whether it is a device that stays open when the other side disconnects.
    ///   - incompleteMessageLimit: How long to wait for more bytes of an incomplete frame before giving it up.
    package init(
        input: Descriptor, output: Descriptor, outlivesClients: Bool, incompleteMessageLimit: Duration = .seconds(2)
    ) throws(SystemError) {
        self.input = input
        self.output = output
        self.outlivesClients = outlivesClients
        self.incompleteMessageLimit = incompleteMessageLimit
        wake = try Descriptor.pipe()
        for descriptor in [input, output, wake.read, wake.write] { try descriptor.setNonBlocking() }
    }

    /// Queues a frame. It is dropped if the other side is not connected.
    package func send(_ frame: Frame) {
        let isQueued = outgoing.withLock { outgoing in
            guard outgoing.isConnected, outgoing.bytes.count < AgentPort.sendLimit else { return false }
            outgoing.bytes += frame.bytes
            return true
        }
        // If the pipe is full, the thread will wake up anyway.
        if isQueued { try? nudge() }
    }

    /// Serves the port on the calling thread. Returns when the stream has ended; the stream of a device never ends.
    package func run(_ handle: (Event) -> Void) throws(SystemError) {
        let epoll = try watch()
        var incoming = Incoming()
        var events = [epoll_event](repeating: epoll_event(), count: 8)
        while true {
            let limit = incoming.limit(incompleteMessageLimit)
            let count = try valueOrErrno("epoll_wait", "waiting for the agent's port") {
                epoll_wait(epoll.raw, &events, Int32(events.count), limit)
            }
            for event in events.prefix(Int(count)) {
                if event.data.u64 == 1 { _ = try? wake.read.read() }
                let isHungUp = event.data.u64 == 0 && event.events & EPOLLHUP.rawValue != 0
                guard try service(&incoming, isHungUp: isHungUp, handle) else { return }
            }
            // Frames that the agent sends also wake this thread. They do not extend the time for the other side.
            if incoming.limit(incompleteMessageLimit) == 0 { incoming.reader.giveUp().forEach { handle(.item($0)) } }
        }
    }

    private func nudge() throws(SystemError) {
        try valueOrErrno("write", "waking the agent's port") { Glibc.write(wake.write.raw, [0], 1) }
    }

    /// Makes an epoll set: 0 is the input, 1 wake-ups, 2 the output if it is another descriptor.
    private func watch() throws(SystemError) -> Descriptor {
        let epoll = Descriptor(
            adopting: try valueOrErrno("epoll_create1", "making an epoll set") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        let edges = EPOLLET.rawValue
        var watched: [(Descriptor, UInt64, UInt32)] = [(wake.read, 1, EPOLLIN.rawValue)]
        if input === output {
            watched.append((input, 0, EPOLLIN.rawValue | EPOLLOUT.rawValue | edges))
        } else {
            watched += [(input, 0, EPOLLIN.rawValue | edges), (output, 2, EPOLLOUT.rawValue | edges)]
        }
        for (descriptor, token, mask) in watched {
            var event = epoll_event()
            event.events = mask
            event.data.u64 = token
            do throws(SystemError) {
                try valueOrErrno("epoll_ctl", "watching descriptor \(descriptor.raw)") {
                    epoll_ctl(epoll.raw, EPOLL_CTL_ADD, descriptor.raw, &event)
                }
            } catch {
                // Output that cannot be watched is a file, which always has room.
                guard error.code == EPERM, token == 2 else { throw error }
            }
        }
        return epoll
    }

    /// Reads everything available and writes what waits. Returns false when the stream has ended.
    private func service(
        _ incoming: inout Incoming, isHungUp: Bool, _ handle: (Event) -> Void
    ) throws(SystemError) -> Bool {
        // A device that hung up has no bytes left; a pipe may have some.
        if isHungUp && outlivesClients { return disconnect(&incoming.reader, handle) }
        while true {
            let bytes: [UInt8]
            do throws(SystemError) { bytes = try input.read() } catch {
                if error.code == ECONNRESET { return disconnect(&incoming.reader, handle) }
                guard error.code == EAGAIN else { throw error }
                connect(handle)
                try flush()
                return true
            }
            guard !bytes.isEmpty else { return disconnect(&incoming.reader, handle) }
            connect(handle)
            incoming.lastReceipt = .now
            for item in incoming.reader.push(bytes) { handle(.item(item)) }
        }
    }

    private func connect(_ handle: (Event) -> Void) {
        let isNew = outgoing.withLock { outgoing in
            defer { outgoing.isConnected = true }
            return !outgoing.isConnected
        }
        if isNew { handle(.connected) }
    }

    /// - Returns: Whether the port stays open.
    private func disconnect(_ reader: inout FrameReader, _ handle: (Event) -> Void) -> Bool {
        let wasConnected = outgoing.withLock { outgoing in
            defer { outgoing = Outgoing() }
            return outgoing.isConnected
        }
        for item in reader.finish() { handle(.item(item)) }
        if wasConnected { handle(.disconnected) }
        return outlivesClients
    }

    private func flush() throws(SystemError) {
        let failure: SystemError? = outgoing.withLock { outgoing in
            while !outgoing.bytes.isEmpty {
                do throws(SystemError) {
                    let count = try valueOrErrno("write", "writing to the agent's port") {
                        outgoing.bytes.withUnsafeBytes { Glibc.write(output.raw, $0.baseAddress, $0.count) }
                    }
                    outgoing.bytes.removeFirst(count)
                } catch { return error.code == EAGAIN ? nil : error }
            }
            return nil
        }
        // The other side is gone. Reading the input will report it too.
        if let failure, failure.code != EPIPE { throw failure }
    }
}
