import CLinux
import Framing
import Glibc
import POSIX
import Synchronization
import Timing

/// The agent's end of the byte stream to the runner: a port of a virtio console, or standard input and output.
///
/// A virtio port stays open while nobody is at its other side, and reads as ended then; only a change tells that somebody
/// came. So it is watched for changes, and a hang-up ends a client's stay, not the port.
package final class AgentPort: Sendable {
    /// What happened on the port.
    package enum Event: Sendable, Equatable {
        /// Somebody is at the other side, newly.
        case connected
        /// Nobody is any more.
        case disconnected
        /// A frame, or bytes that are none.
        case item(FrameReader.Item)
    }

    /// The most bytes that wait for a client that does not read; beyond that the frame is dropped.
    static let sendLimit = 64 << 20

    /// What came so far of the next frame, and when.
    private struct Incoming {
        var reader = FrameReader()
        var lastReceipt = ContinuousClock.now

        /// How long to wait for more, in milliseconds, before the rest is given up; -1 is for ever.
        func limit(_ patience: Duration) -> Int32 {
            guard reader.pendingCount > 0 else { return -1 }
            return Int32(max(0, ((patience - lastReceipt.duration(to: .now)).seconds * 1000).rounded(.up)))
        }
    }

    private struct Outgoing {
        var isConnected = false
        var bytes: [UInt8] = []
    }

    private let input: Descriptor
    private let output: Descriptor
    private let outlivesClients: Bool
    private let patience: Duration
    private let wake: (read: Descriptor, write: Descriptor)
    private let outgoing = Mutex(Outgoing())

    /// - Parameters:
    ///   - input: Where frames come from.
    ///   - output: Where they go; may be the same descriptor.
    ///   - outlivesClients: Whether it is a device that stays when the other side goes.
    ///   - patience: How long the rest of a frame may take once nothing more comes, before it is given up.
    package init(
        input: Descriptor, output: Descriptor, outlivesClients: Bool, patience: Duration = .seconds(2)
    ) throws(SystemError) {
        self.input = input
        self.output = output
        self.outlivesClients = outlivesClients
        self.patience = patience
        wake = try Descriptor.pipe()
        for descriptor in [input, output, wake.read, wake.write] { try descriptor.setNonBlocking() }
    }

    /// Queues a frame; dropped where nobody is at the other side.
    package func send(_ frame: Frame) {
        let isQueued = outgoing.withLock { outgoing in
            guard outgoing.isConnected, outgoing.bytes.count < AgentPort.sendLimit else { return false }
            outgoing.bytes += frame.bytes
            return true
        }
        // Where the pipe is full, a wake-up is under way already.
        if isQueued { try? nudge() }
    }

    /// Serves the port on the calling thread: returns when it has ended, which a device does not.
    package func run(_ handle: (Event) -> Void) throws(SystemError) {
        let epoll = try watch()
        var incoming = Incoming()
        var events = [epoll_event](repeating: epoll_event(), count: 8)
        while true {
            let limit = incoming.limit(patience)
            let count = try valueOrErrno("epoll_wait", "waiting for the agent's port") {
                epoll_wait(epoll.raw, &events, Int32(events.count), limit)
            }
            for event in events.prefix(Int(count)) {
                if event.data.u64 == 1 { _ = try? wake.read.read() }
                let isHungUp = event.data.u64 == 0 && event.events & EPOLLHUP.rawValue != 0
                guard try service(&incoming, isHungUp: isHungUp, handle) else { return }
            }
            // What the agent sends meanwhile wakes this thread too, and is no sign of life of the other side.
            if incoming.limit(patience) == 0 { incoming.reader.giveUp().forEach { handle(.item($0)) } }
        }
    }

    private func nudge() throws(SystemError) {
        try valueOrErrno("write", "waking the agent's port") { Glibc.write(wake.write.raw, [0], 1) }
    }

    /// An epoll set: 0 input, 1 wake-ups, 2 output where that is another descriptor.
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

    /// Reads all that is there and writes what waits; false when the stream has ended.
    private func service(
        _ incoming: inout Incoming, isHungUp: Bool, _ handle: (Event) -> Void
    ) throws(SystemError) -> Bool {
        // A device that hung up has nothing to read; a pipe that hung up may have.
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

    /// - Returns: Whether the port goes on.
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
        // Nobody reads any more: the input will tell the same.
        if let failure, failure.code != EPIPE { throw failure }
    }
}
