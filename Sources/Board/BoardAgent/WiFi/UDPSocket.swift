import Glibc
import HILCLinux
import HILPOSIX
import HILWiFi
import RadioModel

/// A UDP socket that sends to one peer, and receives only from it.
package struct UDPSocket: NetworkSocket {
    private let descriptor: Descriptor
    package let peer: NetworkPlace

    /// Sets the peer. Nothing is sent yet.
    ///
    /// - Parameter interface: The network interface to use; nil for the kernel's choice.
    package init(to peer: NetworkPlace, over interface: String? = nil) throws(SystemError) {
        descriptor = try Self.make(over: interface)
        self.peer = peer
        try withAddress(try internetAddress(peer.address, port: peer.port)) { address, length throws(SystemError) in
            _ = try valueOrErrno("connect", "naming the peer") { connect(descriptor.raw, address, length) }
        }
    }

    /// A socket that may also send broadcasts.
    static func make(over interface: String?) throws(SystemError) -> Descriptor {
        let raw = try valueOrErrno("socket", "making a socket") {
            socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        let made = Descriptor(adopting: raw)
        var isOn: Int32 = 1
        setsockopt(raw, SOL_SOCKET, SO_BROADCAST, &isOn, socklen_t(MemoryLayout<Int32>.size))
        if let interface { try bind(made, to: interface) }
        return made
    }

    package func send(_ bytes: [UInt8]) async throws {
        while true {
            do throws(SystemError) {
                _ = try valueOrErrno("send", "sending a datagram") {
                    Glibc.send(descriptor.raw, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                }
                return
            } catch {
                guard error.code == EAGAIN else { throw error }
                try await waitUntilReady(descriptor, for: POLLOUT)
            }
        }
    }

    package func receive(upTo limit: Int) async throws -> [UInt8] {
        while true {
            do throws(SystemError) { return try descriptor.read(upTo: limit) } catch {
                guard error.code == EAGAIN else { throw error }
                // The kernel may report a readable socket and then have no data.
                if isHungUp(descriptor) { throw SystemError(code: ECONNABORTED, action: "receiving a datagram") }
                try await waitUntilReady(descriptor)
            }
        }
    }

    package func finish() {}

    package func shutDown() { descriptor.shutDown() }
}
