import Foundation
import Network

/// The server's half of a handshake of SOCKS 5 (RFC 1928), without authentication and only for connections.
struct SocksHandshake {
    /// The next step after the bytes so far.
    enum Step: Equatable {
        /// More bytes are needed.
        case wait
        /// An answer for the client, which then continues.
        case answer([UInt8])
        /// The host and port that the client wants. The answer says that it is connected.
        case connect(NWEndpoint.Host, NWEndpoint.Port, [UInt8])
        /// The client's bytes cannot be served; the connection ends after this answer.
        case refuse([UInt8])
    }

    private static let version: UInt8 = 5
    /// No authentication is needed, and none of the client's methods is acceptable.
    private static let (noAuthentication, noneAcceptable): (UInt8, UInt8) = (0, 0xFF)
    private static let connect: UInt8 = 1
    private static let (addressV4, domainName, addressV6): (UInt8, UInt8, UInt8) = (1, 3, 4)

    /// Bytes that are not understood yet.
    private var bytes: [UInt8] = []
    private var isGreeted = false

    /// The answer to a request. Clients do not look at the address, which is the server's own.
    private static func reply(_ code: UInt8) -> [UInt8] { [version, code, 0, addressV4, 0, 0, 0, 0, 0, 0] }

    /// Takes bytes of the client.
    mutating func take(_ new: [UInt8]) -> Step {
        bytes += new
        return isGreeted ? readRequest() : readGreeting()
    }

    private mutating func readGreeting() -> Step {
        guard bytes.first ?? Self.version == Self.version else { return .refuse([]) }
        guard bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) else { return .wait }
        let methods = bytes[2..<(2 + Int(bytes[1]))]
        guard methods.contains(Self.noAuthentication) else { return .refuse([Self.version, Self.noneAcceptable]) }
        bytes.removeFirst(2 + methods.count)
        isGreeted = true
        return .answer([Self.version, Self.noAuthentication])
    }

    private mutating func readRequest() -> Step {
        guard bytes.count >= 5 else { return .wait }
        guard bytes[0] == Self.version else { return .refuse([]) }
        guard bytes[1] == Self.connect else { return .refuse(Self.reply(7)) }
        let start = bytes[3] == Self.domainName ? 5 : 4
        let length: Int
        switch bytes[3] {
        case Self.addressV4: length = 4
        case Self.domainName: length = Int(bytes[4])
        case Self.addressV6: length = 16
        default: return .refuse(Self.reply(8))
        }
        guard bytes.count >= start + length + 2 else { return .wait }
        let address = bytes[start..<(start + length)]
        let port = UInt16(bytes[start + length]) << 8 | UInt16(bytes[start + length + 1])
        guard let host = host(Data(address), kind: bytes[3]), let port = NWEndpoint.Port(rawValue: port) else {
            return .refuse(Self.reply(1))
        }
        bytes = []
        return .connect(host, port, Self.reply(0))
    }

    private func host(_ address: Data, kind: UInt8) -> NWEndpoint.Host? {
        switch kind {
        case Self.addressV4: IPv4Address(address).map { .ipv4($0) }
        case Self.addressV6: IPv6Address(address).map { .ipv6($0) }
        default: String(data: address, encoding: .utf8).flatMap { $0.isEmpty ? nil : NWEndpoint.Host($0) }
        }
    }
}
