import Glibc
import POSIX
import WiFi

/// A connected TCP socket that never blocks a thread of the agent's.
package struct TCPSocket: Sendable {
    private let descriptor: Descriptor

    /// Takes over a connected socket.
    package init(_ descriptor: Descriptor) throws(SystemError) {
        self.descriptor = descriptor
        try descriptor.setNonBlocking()
        // Answers are a few bytes each, and the next one does not wait until the last is acknowledged.
        var isOn: Int32 = 1
        setsockopt(descriptor.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects.
    ///
    /// - Parameter interface: The network interface to go over; nil for whichever the kernel chooses.
    /// - Throws: ``POSIX/SystemError``, or `CancellationError`: it has no limit of its own.
    init(connectingTo peer: sockaddr_in, over interface: String?) async throws {
        let raw = try valueOrErrno("socket", "making a socket") {
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        let socket = Descriptor(adopting: raw)
        if let interface {
            let name = Array(interface.utf8)
            try valueOrErrno("setsockopt", "binding a socket to \(interface)") {
                setsockopt(raw, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.count))
            }
        }
        do throws(SystemError) {
            try withUnsafePointer(to: peer) { pointer throws(SystemError) in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address throws(SystemError) in
                    _ = try valueOrErrno("connect", "connecting") {
                        Glibc.connect(raw, address, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            }
        } catch {
            guard error.code == EINPROGRESS else { throw error }
            try await waitUntilReady(socket, for: POLLOUT)
            var code: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(raw, SOL_SOCKET, SO_ERROR, &code, &size)
            if code != 0 { throw SystemError(code: code, action: "connecting") }
        }
        try self.init(socket)
    }

    /// Connects over whichever network the kernel chooses.
    ///
    /// - Parameter address: IPv4, in dotted form.
    /// - Throws: ``POSIX/SystemError``, or `CancellationError`: it has no limit of its own.
    package init(connectingTo address: String, port: UInt16) async throws {
        try await self.init(connectingTo: internetAddress(address, port: port), over: nil)
    }

    /// Returns when the kernel has taken all the bytes.
    package func send(_ bytes: [UInt8]) async throws {
        var done = 0
        while done < bytes.count {
            do throws(SystemError) {
                done += try valueOrErrno("send", "sending") {
                    bytes.withUnsafeBytes {
                        Glibc.send(descriptor.raw, $0.baseAddress! + done, $0.count - done, Int32(MSG_NOSIGNAL))
                    }
                }
            } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(descriptor, for: POLLOUT)
            }
        }
    }

    /// Waits for bytes: 1 to `limit`, or none when the peer has ended its direction.
    package func receive(upTo limit: Int = 65_536) async throws -> [UInt8] {
        while true {
            do throws(SystemError) { return try descriptor.read(upTo: limit) } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(descriptor)
            }
        }
    }

    /// Ends this direction; the peer reads to the end of what was sent.
    package func finish() { _ = shutdown(descriptor.raw, Int32(SHUT_WR)) }

    /// Ends both directions, which wakes who waits for either.
    package func shutDown() { descriptor.shutDown() }
}
