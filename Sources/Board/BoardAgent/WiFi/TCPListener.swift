import Glibc
import HILCLinux
import HILPOSIX
import HILWiFi

/// Accepts TCP connections on one address until it is released.
package final class TCPListener: Sendable {
    private let listener: Descriptor
    private let task: Task<Void, Never>

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: An IPv4 address of the board, in dotted form.
    ///   - interface: The only network interface whose connections are accepted; nil for any.
    ///   - port: 0 for any free port; ``port`` returns it.
    ///   - namespace: The network that it listens in; nil for that of this process.
    ///   - serve: Called with each connection, one after the other. It must not wait for the peer.
    package init(
        on address: String, of interface: String? = nil, port: UInt16, in namespace: NetworkNamespace? = nil,
        serve: @escaping @Sendable (TCPSocket) -> Void
    ) throws(SystemError) {
        let listener = try TCPSocket.make(in: namespace)
        let raw = listener.raw
        var reuse: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        if let interface { try bind(listener, to: interface) }
        let place = try internetAddress(address, port: port)
        try withAddress(place) { pointer, length throws(SystemError) in
            _ = try valueOrErrno("bind", "serving on \(address), port \(port)") { bind(raw, pointer, length) }
        }
        try valueOrErrno("listen", "listening on \(address)") { listen(raw, 16) }
        self.listener = listener
        task = Task {
            await acceptConnections(on: listener) { connection in
                // A connection that has already ended is not an error.
                if let socket = try? TCPSocket(connection) { serve(socket) }
            }
        }
    }

    // Shut down at once: a network that is opened again immediately listens on the same port.
    deinit {
        task.cancel()
        listener.shutDown()
    }

    /// The port that it listens on.
    package var port: UInt16 { localPort(of: listener) }
}
