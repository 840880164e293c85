import Glibc
import HILCLinux

/// A TCP port of 127.0.0.1 that listens.
///
/// Any user of the machine can connect to it: who serves more than a page with a secret asks ``isOwn(_:)``.
package final class LoopbackPort: Sendable {
    package let number: UInt16
    private let listener: Descriptor

    /// Opens a port.
    ///
    /// - Parameter wanted: 0 for any free port.
    /// - Throws: ``SystemError``: `EADDRINUSE` if another program has the port.
    package init(_ wanted: UInt16 = 0, backlog: Int32 = 16) throws(SystemError) {
        listener = try LoopbackPort.socket()
        let raw = listener.raw
        var address = LoopbackPort.address(wanted)
        var one: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        try valueOrErrno("bind", "taking port \(wanted) of 127.0.0.1") {
            withAddress(of: &address) { bind(raw, $0, $1.pointee) }
        }
        try valueOrErrno("listen", "listening on 127.0.0.1") { listen(raw, backlog) }
        var bound = sockaddr_in()
        try valueOrErrno("getsockname", "reading the number of a port") {
            withAddress(of: &bound) { getsockname(raw, $0, $1) }
        }
        number = UInt16(bigEndian: bound.sin_port)
    }

    /// Connects to a port of this machine.
    package static func connect(to port: UInt16) throws(SystemError) -> Descriptor {
        let client = try socket()
        var address = address(port)
        try valueOrErrno("connect", "connecting to port \(port) of 127.0.0.1") {
            withAddress(of: &address) { Glibc.connect(client.raw, $0, $1.pointee) }
        }
        return client
    }

    private static func socket() throws(SystemError) -> Descriptor {
        Descriptor(
            adopting: try valueOrErrno("socket", "making a socket") {
                Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            })
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return address
    }

    /// Waits for the next connection.
    ///
    /// - Throws: ``SystemError`` once the port is closed, or when the process has no more descriptors.
    package func accept() throws(SystemError) -> Descriptor {
        while true {
            do throws(SystemError) { return try UnixSocket.accept(on: listener) } catch {
                // The program at the other end has gone already.
                guard error.code == ECONNABORTED else { throw error }
            }
        }
    }

    /// Whether a program of this user is at the other end of a connection that this port has accepted.
    package func isOwn(_ connection: Descriptor) -> Bool {
        var peer = sockaddr_in()
        guard withAddress(of: &peer, { getpeername(connection.raw, $0, $1) }) == 0 else { return false }
        let its = UInt16(bigEndian: peer.sin_port)
        return ["/proc/net/tcp", "/proc/net/tcp6"].lazy.compactMap {
            LoopbackPort.owner(of: its, connectedTo: self.number, in: KernelFile.text($0))
        }.first == getuid()
    }

    /// Wakes the thread that accepts. No new connection is made.
    package func close() { listener.shutDown() }

    /// The user whose socket has this port and is connected to the other one, by the kernel's list of sockets
    /// (proc_net_tcp in its documentation); nil if there is none.
    static func owner(of port: UInt16, connectedTo other: UInt16, in list: String) -> uid_t? {
        for line in list.split(separator: "\n").dropFirst() {
            // Number, local address, remote address, state, queues, timer, retransmissions, user.
            let words = line.split(separator: " ")
            guard words.count > 7, words[1].hasSuffix(end(port)), words[2].hasSuffix(end(other)) else { continue }
            return uid_t(words[7])
        }
        return nil
    }

    /// How an address of 127.0.0.1 ends, also one that is mapped to IP version 6: `0100007F:3861`.
    private static func end(_ port: UInt16) -> String {
        "0100007F:" + port.padded(to: 4, radix: 16, uppercase: true)
    }
}

/// Calls a function with a socket address and its length, as the system calls take them.
private func withAddress(
    of address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
) -> Int32 {
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &size) }
    }
}
