import Glibc
import HILPOSIX
import RadioModel

/// Passes an IPv4 address in the form of the socket calls.
func withAddress<Result>(
    _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Result
) throws(SystemError) -> Result {
    try withUnsafePointer(to: address) { pointer throws(SystemError) in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(SystemError) in
            try body(pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

extension NetworkPlace {
    /// The place that a socket call returned.
    init(_ address: sockaddr_in) {
        let octets = withUnsafeBytes(of: address.sin_addr) { $0.map { "\($0)" }.joined(separator: ".") }
        self.init(address: octets, port: UInt16(bigEndian: address.sin_port))
    }
}

/// The port that a socket is bound to; 0 for none.
func localPort(of socket: Descriptor) -> UInt16 {
    var place = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket.raw, $0, &size) }
    }
    return NetworkPlace(place).port
}

/// Restricts a socket to one network interface.
func bind(_ socket: Descriptor, to interface: String) throws(SystemError) {
    let name = Array(interface.utf8)
    try valueOrErrno("setsockopt", "binding a socket to \(interface)") {
        setsockopt(socket.raw, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.count))
    }
}
