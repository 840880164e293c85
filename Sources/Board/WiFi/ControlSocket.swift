import Glibc
import HILPOSIX
import HILTiming
import Synchronization

/// Why a command to a daemon's control socket failed. Arguments may be secret, so errors contain only the command's
/// name.
package enum ControlError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The daemon gave an unexpected answer, usually `FAIL`.
    case refused(command: String, socket: String, answer: String)
    /// The socket was closed by this program, or because the daemon ended.
    case closed(socket: String)

    package var description: String {
        switch self {
        case .refused(let command, let socket, let answer):
            "\(socket) answered \(command) with “\(answer)”; its reason is in the daemon's log"
        case .closed(let socket): "the control socket \(socket) is closed: its daemon ended"
        }
    }
}

/// The control socket of hostapd or wpa_supplicant. It sends commands and receives answers and events, as datagrams.
package final class ControlSocket: Sendable {
    /// The latest events of the daemon since ``attach()``.
    package let events = EventLog<ControlEvent>(keepingAtMost: 1000)
    /// The path of the daemon's socket file.
    package let path: String

    private enum Waiter {
        case waiting(CheckedContinuation<String, any Error>)
        /// The caller has given up. The answer still has to be removed from the queue.
        case gone
    }

    private struct State {
        var lastToken = 0
        var queue: [(token: Int, waiter: Waiter)] = []
        var isClosed = false
    }

    private let socket: Descriptor
    private let state = Mutex(State())

    /// Connects to a daemon's socket file.
    ///
    /// - Parameter namespace: The network of the daemon, in which the name of this socket is; nil for that of this process.
    package init(path: String, in namespace: NetworkNamespace? = nil) throws(SystemError) {
        self.path = path
        socket = try ControlSocket.connect(to: path, in: namespace)
        startThread(named: "control") { [weak self, socket] in
            // After a shutdown, the socket gives what had come before, then empty datagrams.
            while let message = try? socket.read(), !message.isEmpty {
                guard let self else { return }
                self.accept(String(decoding: message, as: UTF8.self))
            }
            self?.end()
        }
    }

    deinit { socket.shutDown() }

    /// Subscribes to the events of the daemon.
    package func attach() async throws { try await order("ATTACH") }

    /// Sends a command whose answer is `OK`.
    ///
    /// - Throws: ``ControlError``, `TimedOut` or ``HILPOSIX/SystemError``.
    package func order(_ command: String, within limit: Duration = .seconds(10)) async throws {
        let answer = try await ask(command, within: limit)
        guard answer == "OK" else {
            throw ControlError.refused(command: ControlSocket.name(of: command), socket: path, answer: answer)
        }
    }

    /// Sends a command, and returns the answer without the final line break.
    package func ask(_ command: String, within limit: Duration = .seconds(10)) async throws -> String {
        let what = "the answer of \(path) to \(ControlSocket.name(of: command))"
        return try await withDeadline(limit, waitingFor: what) { try await self.exchange(command) }
    }

    /// Closes the socket. Waits for answers fail with ``ControlError/closed(socket:)``, and so do waits for events once
    /// the events are read that the daemon had sent before.
    package func close() {
        socket.shutDown()
        let queue = state.withLock { state in
            defer { state.queue = [] }
            state.isClosed = true
            return state.queue
        }
        for case (_, .waiting(let continuation)) in queue {
            continuation.resume(throwing: ControlError.closed(socket: path))
        }
    }

    /// Ends the events after the last one.
    private func end() {
        close()
        events.finish(throwing: ControlError.closed(socket: path))
    }

    private func exchange(_ command: String) async throws -> String {
        let token = state.withLock { state in
            state.lastToken += 1
            return state.lastToken
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let failure: (any Error)? = state.withLock { state in
                    if Task.isCancelled { return CancellationError() }
                    if state.isClosed { return ControlError.closed(socket: path) }
                    // Inside the lock, because answers come in the order of the commands. Without waiting, because a
                    // caller must be able to give up on a daemon that does not read.
                    do {
                        let bytes = Array(command.utf8)
                        try valueOrErrno("send", "sending a command to \(path)") {
                            send(socket.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                        }
                    } catch { return error }
                    state.queue.append((token, .waiting(continuation)))
                    return nil
                }
                if let failure { continuation.resume(throwing: failure) }
            }
        } onCancel: {
            abandon(token)
        }
    }

    private func abandon(_ token: Int) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.queue.firstIndex(where: { $0.token == token }) else { return nil }
            defer { state.queue[index].waiter = .gone }
            return state.queue[index].waiter
        }
        if case .waiting(let continuation)? = waiter { continuation.resume(throwing: CancellationError()) }
    }

    private func accept(_ message: String) {
        if let event = ControlEvent(message) { return events.append(event) }
        let waiter = state.withLock { $0.queue.isEmpty ? nil : $0.queue.removeFirst().waiter }
        guard case .waiting(let continuation)? = waiter else { return }
        continuation.resume(returning: message.last == "\n" ? String(message.dropLast()) : message)
    }

    /// The command without values that may be secret: `SET_NETWORK 0 psk`.
    static func name(of command: String) -> String {
        let words = command.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return words.prefix(words.first == "SET_NETWORK" ? 3 : 1).joined(separator: " ")
    }

    /// A datagram socket without an address.
    static func makeSocket() throws(SystemError) -> Descriptor {
        let raw = try valueOrErrno("socket", "making a datagram socket") {
            Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        return Descriptor(adopting: raw)
    }

    private static func connect(to path: String, in namespace: NetworkNamespace?) throws(SystemError) -> Descriptor {
        let socket = try namespace.socket(makeSocket)
        let raw = socket.raw
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Bound without a name: the kernel chooses a name outside the file system, to which the answers are sent.
        let familyOnly = socklen_t(MemoryLayout<sa_family_t>.size)
        try withUnsafeSocketAddress(of: &address) { pointer throws(SystemError) in
            try valueOrErrno("bind", "naming a datagram socket") { bind(raw, pointer, familyOnly) }
        }
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError(code: ENAMETOOLONG, action: "naming the socket \(path)")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try withUnsafeSocketAddress(of: &address) { pointer throws(SystemError) in
            try valueOrErrno("connect", "connecting to \(path)") {
                connectOnceBound(raw, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return socket
    }
}

/// Calls `connect`, and retries while a new socket file refuses: the kernel makes the file just before the socket
/// accepts connections. If the daemon is dead, this gives up after a fifth of a second.
private func connectOnceBound(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    for _ in 0..<100 {
        if Glibc.connect(socket, address, length) == 0 { return 0 }
        if errno != ECONNREFUSED { return -1 }
        usleep(2000)
    }
    return -1
}

/// Calls `body` with a pointer to a socket address of any family, as system calls need it.
func withUnsafeSocketAddress<Address>(
    of address: inout Address, _ body: (UnsafeMutablePointer<sockaddr>) throws(SystemError) -> Void
) throws(SystemError) {
    var failure: SystemError?
    withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            do throws(SystemError) { try body(pointer) } catch { failure = error }
        }
    }
    if let failure { throw failure }
}
