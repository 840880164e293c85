/// The transport of data between two ports.
package enum InternetTransport: String, Sendable, Hashable, Codable {
    /// A stream of bytes (RFC 9293).
    case tcp
    /// Independent datagrams, which may be lost (RFC 768).
    case udp

    /// The longest datagram in bytes: an IPv4 packet without the headers of IP and UDP.
    package static let longestDatagram = 65_507
}
