import BoardProtocol
import HILTLS
import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An L2CAP channel over LE that an accessory listens for.
package struct PeripheralChannel: Sendable, Hashable, Codable {
    /// The protocol and service multiplexer (PSM), 0x80 to 0xFF; nil for one that Linux chooses.
    package var port: UInt16?
    package var protection: LinkProtection
    /// Whether it echoes all packets.
    package var echoes: Bool

    package init(port: UInt16?, protection: LinkProtection = .none, echoes: Bool = false) {
        self.port = port
        self.protection = protection
        self.echoes = echoes
    }
}

/// A port that an accessory serves on its networks. It answers the first bytes of a connection and then closes it, or
/// it echoes all bytes. With UDP, it answers or echoes each datagram.
public struct PeripheralPort: Sendable, Hashable, Codable {
    /// 1 to 65535.
    package var number: UInt16
    /// Its answer to any request; nil to accept connections and answer nothing.
    package var answer: Data?
    /// Whether it echoes all bytes until the phone ends its direction, and then ends its own.
    package var echoes: Bool
    /// The certificate and key of a port that speaks TLS; nil for plain TCP.
    package var identity: TLSIdentity?
    /// Whether it also takes versions of TLS before 1.2.
    package var takesOldTLS = false
    package var transport = InternetTransport.tcp

    /// - Parameters:
    ///   - number: 1 to 65535.
    ///   - answer: Its answer to any request; nil to accept connections and answer nothing.
    public static func port(_ number: UInt16, answers answer: Data?) -> PeripheralPort {
        PeripheralPort(number: number, answer: answer, echoes: false)
    }

    /// A port that echoes all bytes.
    ///
    /// - Parameter number: 1 to 65535.
    public static func echo(_ number: UInt16) -> PeripheralPort {
        PeripheralPort(number: number, answer: nil, echoes: true)
    }

    /// The same port, for datagrams.
    public func overUDP() -> PeripheralPort {
        var port = self
        port.transport = .udp
        return port
    }

    /// The same port over TLS.
    ///
    /// - Parameter identity: The certificate and key that it presents: `try .selfSigned(for: "lamp.local")`.
    public func overTLS(as identity: TLSIdentity) -> PeripheralPort {
        var port = self
        port.identity = identity
        return port
    }
}

/// A server to which an accessory reports by TLS, once a second, while it is in a network of others.
package struct PeripheralReport: Sendable, Hashable, Codable {
    /// The IPv4 address of the server, in dotted form.
    package var address: String
    package var port: UInt16
    /// What it sends.
    package var content: Data
    /// The server's certificate in DER; nil to trust any server.
    package var trusted: [UInt8]?

    package init(to address: String, port: UInt16, content: Data, trusting trusted: [UInt8]?) {
        (self.address, self.port, self.content, self.trusted) = (address, port, content, trusted)
    }
}
