import BoardProtocol
import Glibc
import HILCLinux
import HILPOSIX
import Synchronization

/// The board's end of its shell port. A client on the other side gets a shell or runs a program.
///
/// It waits on its own thread and starts nothing until a client asks. It is separate from the agent's port, which a
/// running scenario uses.
final class ShellPort: Sendable {
    /// The largest request in bytes: more than a person can type.
    private static let limit = 1 << 20

    private let port: Descriptor
    private let journal: Journal
    private let writing = Mutex(())

    /// Serves the port until the process ends.
    ///
    /// - Parameter path: The path of the device.
    static func serve(_ path: String, journal: Journal) throws(SystemError) {
        let shell = ShellPort(try Descriptor.open(path, O_RDWR | O_NONBLOCK), journal: journal)
        startThread(named: "shell") {
            do { try shell.run() } catch { journal.write("the shell's port is lost: \(error)", from: "agent") }
        }
    }

    private init(_ port: Descriptor, journal: Journal) {
        self.port = port
        self.journal = journal
    }

    private func run() throws(SystemError) {
        let epoll = try watch()
        var reader = FrameReader(limit: ShellPort.limit)
        var session: ShellSession?
        var event = epoll_event()
        // Ends a session that a client may have with an earlier agent.
        send(.failed("the board's agent has restarted"))
        while true {
            try valueOrErrno("epoll_wait", "waiting for the shell's port") { epoll_wait(epoll.raw, &event, 1, -1) }
            var isConnected = event.events & EPOLLHUP.rawValue == 0
            while isConnected {
                let bytes: [UInt8]
                do throws(SystemError) { bytes = try port.read() } catch {
                    guard error.code == EAGAIN else { throw error }
                    break
                }
                isConnected = !bytes.isEmpty
                for case .frame(let frame) in reader.push(bytes) { accept(ShellMessage(frame), &session) }
            }
            if !isConnected {
                session?.end()
                session = nil
                reader = FrameReader(limit: ShellPort.limit)
            }
        }
    }

    /// Watches the port for changes: while its other side is not connected, it stays hung up.
    private func watch() throws(SystemError) -> Descriptor {
        let epoll = Descriptor(
            adopting: try valueOrErrno("epoll_create1", "making an epoll set") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLET.rawValue
        try valueOrErrno("epoll_ctl", "watching the shell's port") {
            epoll_ctl(epoll.raw, EPOLL_CTL_ADD, port.raw, &event)
        }
        return epoll
    }

    private func accept(_ message: ShellMessage?, _ session: inout ShellSession?) {
        switch message {
        case .open(let request):
            session?.end()
            session = nil
            do {
                // Before all output of the program: the client ignores everything before this message.
                send(.opened(token: request.token))
                session = try ShellSession(request) { [self] in send($0) }
                journal.write("a shell was opened", from: "agent")
            } catch { send(.failed("\(error)")) }
        case .input(let bytes): session?.type(bytes)
        case .resize(let size): session?.resize(size)
        case .opened, .output, .errors, .ended, .failed, nil: break
        }
    }

    /// Sends a message, waiting for room. It is dropped if the other side is not connected.
    private func send(_ message: ShellMessage) {
        var rest = message.frame.bytes[...]
        writing.withLock { _ in
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(port.raw, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                    continue
                }
                guard count < 0, errno == EAGAIN || errno == EINTR else { return }
                var room = pollfd(fd: port.raw, events: Int16(POLLOUT), revents: 0)
                if poll(&room, 1, -1) > 0, room.revents & Int16(POLLOUT) == 0 { return }
            }
        }
    }
}
