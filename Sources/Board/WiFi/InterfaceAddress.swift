import Glibc
import HILPOSIX

/// Sets and removes IPv4 addresses of network interfaces.
package enum InterfaceAddress {
    /// Sets the only address of an interface, and brings the interface up.
    ///
    /// - Parameters:
    ///   - address: In dotted form.
    ///   - mask: In dotted form: `255.255.255.0`.
    /// - Throws: ``HILPOSIX/SystemError``: `EINVAL` for text other than an address.
    package static func set(_ address: String, mask: String, on interface: String) throws(SystemError) {
        try change(interface, SIOCSIFADDR, "giving \(interface) the address \(address)") {
            request throws(SystemError) in
            request.ifr_ifru.ifru_addr = try socketAddress(address)
        }
        try change(interface, SIOCSIFNETMASK, "giving \(interface) the mask \(mask)") { request throws(SystemError) in
            request.ifr_ifru.ifru_netmask = try socketAddress(mask)
        }
        try change(interface, SIOCSIFFLAGS, "bringing \(interface) up") { request throws(SystemError) in
            // Unnamed flags are cleared, and multicast DNS uses no interface without multicast.
            request.ifr_ifru.ifru_flags = Int16(IFF_UP | IFF_RUNNING | IFF_MULTICAST)
        }
    }

    /// Removes an interface's address and the routes through it.
    package static func clear(on interface: String) throws(SystemError) {
        do throws(SystemError) {
            try change(interface, SIOCSIFADDR, "removing the address of \(interface)") { request throws(SystemError) in
                request.ifr_ifru.ifru_addr = try socketAddress("0.0.0.0")
            }
        } catch {
            // The interface had no address.
            guard error.code == EADDRNOTAVAIL else { throw error }
        }
    }

    private static func change(
        _ interface: String, _ command: Int32, _ action: String, _ fill: (inout ifreq) throws(SystemError) -> Void
    ) throws(SystemError) {
        var request = ifreq()
        let name = Array(interface.utf8)
        guard name.count < Int(IFNAMSIZ) else { throw SystemError(code: ENAMETOOLONG, action: action) }
        withUnsafeMutableBytes(of: &request.ifr_ifrn) { $0.copyBytes(from: name) }
        try fill(&request)
        let raw = try valueOrErrno("socket", action) {
            socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
        let descriptor = Descriptor(adopting: raw)
        try valueOrErrno("ioctl", action) { ioctl(descriptor.raw, UInt(command), &request) }
    }

    private static func socketAddress(_ text: String) throws(SystemError) -> sockaddr {
        let address = try internetAddress(text, port: 0)
        return unsafeBitCast(address, to: sockaddr.self)
    }
}

/// The socket address for an IPv4 address in dotted form.
package func internetAddress(_ text: String, port: UInt16) throws(SystemError) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else {
        throw SystemError(code: EINVAL, action: "reading the IPv4 address \(text)")
    }
    return address
}
