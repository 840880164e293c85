import Glibc
import HILCLinux

/// Unix stream sockets in the file system, and socket pairs.
package enum UnixSocket {
    /// Listens on a new socket file. Only its owner may use it.
    ///
    /// - Throws: ``SystemError``: `ENAMETOOLONG` for a path of more than 107 bytes, `EADDRINUSE` for a path in use.
    package static func listen(at path: String, backlog: Int32 = 16) throws(SystemError) -> Descriptor {
        let socket = try make()
        // Linux gives the file the mode that the socket has (unix_bind in net/unix/af_unix.c). The umask would work
        // too, but it belongs to the whole process: it would affect files and programs of other threads.
        try valueOrErrno("fchmod", "keeping \(path) to its owner") { fchmod(socket.raw, 0o600) }
        try withAddress(path) { address, length throws(SystemError) in
            try valueOrErrno("bind", "binding \(path)") { bind(socket.raw, address, length) }
        }
        try valueOrErrno("listen", "listening on \(path)") { Glibc.listen(socket.raw, backlog) }
        return socket
    }

    /// Connects to a listening socket file.
    package static func connect(to path: String) throws(SystemError) -> Descriptor {
        let socket = try make()
        try withAddress(path) { address, length throws(SystemError) in
            try valueOrErrno("connect", "connecting to \(path)") { Glibc.connect(socket.raw, address, length) }
        }
        return socket
    }

    /// Accepts the next connection. On a blocking listener it waits for one.
    package static func accept(on listener: Descriptor) throws(SystemError) -> Descriptor {
        let raw = try valueOrErrno("accept", "accepting a connection") {
            accept4(listener.raw, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        }
        return Descriptor(adopting: raw)
    }

    /// Two connected stream sockets.
    package static func pair() throws(SystemError) -> (Descriptor, Descriptor) { try pair(of: SOCK_STREAM) }

    /// Two connected sockets that keep the borders between packets.
    package static func packetPair() throws(SystemError) -> (Descriptor, Descriptor) { try pair(of: SOCK_SEQPACKET) }

    private static func pair(of type: __socket_type) throws(SystemError) -> (Descriptor, Descriptor) {
        var ends: (Int32, Int32) = (-1, -1)
        try valueOrErrno("socketpair", "making a socket pair") {
            withUnsafeMutablePointer(to: &ends) {
                $0.withMemoryRebound(to: Int32.self, capacity: 2) {
                    socketpair(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0, $0)
                }
            }
        }
        return (Descriptor(adopting: ends.0), Descriptor(adopting: ends.1))
    }

    private static func make() throws(SystemError) -> Descriptor {
        let raw = try valueOrErrno("socket", "making a socket") {
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        return Descriptor(adopting: raw)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
    ) throws(SystemError) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { throw SystemError(code: ENAMETOOLONG, action: "naming the socket \(path)") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        var failure: SystemError?
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                do throws(SystemError) { try body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }
}
