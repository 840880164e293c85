import Glibc
import HILCLinux
import HILPOSIX
import HILWiFi
import RadioModel

/// A connected TCP socket that never blocks a thread.
package struct TCPSocket: NetworkSocket {
    private let descriptor: Descriptor

    /// Takes over a connected socket.
    package init(_ descriptor: Descriptor) throws(SystemError) {
        self.descriptor = descriptor
        try descriptor.setNonBlocking()
        // Answers have only a few bytes. They are sent without waiting for the acknowledgement of the last one.
        var isOn: Int32 = 1
        setsockopt(descriptor.raw, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// A socket of a network that is not connected yet.
    static func make(in namespace: NetworkNamespace?) throws(SystemError) -> Descriptor {
        try namespace.socket { () throws(SystemError) in
            Descriptor(
                adopting: try valueOrErrno("socket", "making a socket") {
                    socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
                })
        }
    }

    /// Connects. There is no time limit: cancel the task to end the wait.
    ///
    /// - Parameters:
    ///   - interface: The network interface to use; nil for the kernel's choice.
    ///   - namespace: The network of the connection; nil for that of the agent.
    /// - Throws: ``HILPOSIX/SystemError``, or `CancellationError`.
    init(
        connectingTo peer: sockaddr_in, over interface: String?, in namespace: NetworkNamespace? = nil
    ) async throws {
        let socket = try Self.make(in: namespace)
        let raw = socket.raw
        if let interface { try bind(socket, to: interface) }
        do throws(SystemError) {
            try withAddress(peer) { address, length throws(SystemError) in
                _ = try valueOrErrno("connect", "connecting") { Glibc.connect(raw, address, length) }
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

    /// Connects over the network that the kernel chooses. There is no time limit: cancel the task to end the wait.
    ///
    /// - Parameter address: An IPv4 address in dotted form.
    /// - Throws: ``HILPOSIX/SystemError``, or `CancellationError`.
    package init(connectingTo address: String, port: UInt16) async throws {
        try await self.init(connectingTo: internetAddress(address, port: port), over: nil)
    }

    /// Sends, and returns when the kernel has taken all bytes.
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

    /// Waits for 1 to `limit` bytes. Returns none when the peer has ended its direction.
    package func receive(upTo limit: Int) async throws -> [UInt8] {
        while true {
            do throws(SystemError) { return try descriptor.read(upTo: limit) } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(descriptor)
            }
        }
    }

    /// Ends this direction. The peer still reads everything that was sent.
    package func finish() { _ = shutdown(descriptor.raw, Int32(SHUT_WR)) }

    /// Ends both directions. Tasks that wait for either wake up.
    package func shutDown() { descriptor.shutDown() }

    package var peer: NetworkPlace {
        var place = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getpeername(descriptor.raw, $0, &size) }
        }
        return NetworkPlace(place)
    }
}
