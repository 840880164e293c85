/// How data travels between two ports of the internet protocols.
public enum InternetTransport: String, Sendable, Hashable, Codable {
    /// A stream of bytes (RFC 9293).
    case tcp
    /// Datagrams, each by itself, which may be lost (RFC 768).
    case udp

    /// The longest datagram in bytes: an IPv4 packet without the headers of IP and UDP.
    public static let longestDatagram = 65_507
}
