@_exported import Dispatch
@_exported import Foundation
@_exported import HILTrust
@_exported import Observation

/// The address of the far end of a connection.
public enum NWEndpoint: Sendable, Hashable, CustomDebugStringConvertible {
    /// A host by name or address, and a port.
    case hostPort(host: Host, port: Port)
    /// A service of Bonjour, as an ``NWBrowser`` finds it.
    case service(name: String, type: String, domain: String, interface: NWInterface?)

    /// A host, by name or by address.
    public enum Host: Sendable, Hashable, CustomDebugStringConvertible, ExpressibleByStringLiteral {
        /// A name that has to be resolved. Bonjour resolves names that end with `.local`; a connection to another name
        /// waits, because no network of this phone has a DNS server.
        case name(String, NWInterface?)
        case ipv4(IPv4Address)
        /// The networks of this phone use IPv4: a connection to such a host waits with `EHOSTUNREACH`.
        case ipv6(IPv6Address)

        /// Reads an address; any other text becomes a name.
        public init(_ string: String) {
            self =
                IPv4Address(string).map { .ipv4($0) } ?? IPv6Address(string).map { .ipv6($0) } ?? .name(string, nil)
        }

        public init(stringLiteral value: String) { self.init(value) }

        /// The interface over which to reach the host; nil for any.
        public var interface: NWInterface? {
            switch self {
            case .name(_, let interface): interface
            case .ipv4: nil
            case .ipv6(let address): address.interface
            }
        }

        public var debugDescription: String {
            switch self {
            case .name(let name, _): name
            case .ipv4(let address): address.debugDescription
            case .ipv6(let address): address.debugDescription
            }
        }
    }

    /// A port number of TCP or UDP.
    public struct Port: Sendable, Hashable, RawRepresentable, CustomDebugStringConvertible,
        ExpressibleByIntegerLiteral
    {
        public let rawValue: UInt16

        /// Any free port.
        public static let any: Port = 0

        public init?(rawValue: UInt16) { self.rawValue = rawValue }
        public init(integerLiteral value: UInt16) { rawValue = value }

        /// Reads a number, 0 to 65535; nil for any other text.
        public init?(_ service: String) {
            guard let number = UInt16(service) else { return nil }
            rawValue = number
        }

        public var debugDescription: String { "\(rawValue)" }
    }

    /// The interface over which to reach the endpoint; nil for any.
    public var interface: NWInterface? {
        switch self {
        case .hostPort(let host, _): host.interface
        case .service(_, _, _, let interface): interface
        }
    }

    /// Whether a host's name is resolved on the network itself (RFC 6762, 3).
    static func isLocal(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".local") || name.hasSuffix(".local.")
    }

    /// A service type without a dot at its end.
    static func plainType(_ type: String) -> String { type.hasSuffix(".") ? String(type.dropLast()) : type }

    public var debugDescription: String {
        switch self {
        case .hostPort(.ipv6(let host), let port): "\(host.debugDescription).\(port.debugDescription)"
        case .hostPort(let host, let port): "\(host.debugDescription):\(port.debugDescription)"
        case .service(let name, let type, let domain, _): "\(name).\(type).\(domain)"
        }
    }
}

/// An IPv4 address.
public struct IPv4Address: Sendable, Hashable, CustomDebugStringConvertible {
    /// Four bytes in network byte order.
    public let rawValue: Data

    /// The addresses of all interfaces, of the phone itself, and of all hosts of the network.
    public static let any = IPv4Address(bytes: 0, 0, 0, 0), loopback = IPv4Address(bytes: 127, 0, 0, 1),
        broadcast = IPv4Address(bytes: 255, 255, 255, 255)

    private init(bytes: UInt8...) { rawValue = Data(bytes) }

    /// Takes four bytes in network byte order; nil for any other length.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 4 else { return nil }
        self.rawValue = Data(rawValue)
    }

    /// Reads the dotted form, such as `192.168.7.1`; nil for any other text.
    public init?(_ addressString: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, addressString, &address) == 1 else { return nil }
        rawValue = withUnsafeBytes(of: address) { Data($0) }
    }

    public var debugDescription: String { rawValue.map { "\($0)" }.joined(separator: ".") }
}

/// An IPv6 address.
public struct IPv6Address: Sendable, Hashable, CustomDebugStringConvertible {
    /// Sixteen bytes in network byte order.
    public let rawValue: Data
    /// The interface of an address that is valid only on one network; nil for any.
    public let interface: NWInterface?

    /// The address of all interfaces, and that of the phone itself.
    public static let any = IPv6Address(bytes: Data(count: 16)), loopback = IPv6Address(bytes: Data(count: 15) + [1])

    private init(bytes: Data) { (rawValue, interface) = (bytes, nil) }

    /// Takes sixteen bytes in network byte order; nil for any other length.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 16 else { return nil }
        self.rawValue = Data(rawValue)
        self.interface = interface
    }

    /// Reads the form with colons, such as `fe80::1`, followed by `%en0` for the phone's Wi-Fi; nil for any other text.
    public init?(_ addressString: String) {
        let parts = addressString.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        var address = in6_addr()
        guard let first = parts.first, inet_pton(AF_INET6, String(first), &address) == 1 else { return nil }
        if parts.count == 2, parts[1] != NWInterface.wifi.name { return nil }
        rawValue = withUnsafeBytes(of: address) { Data($0) }
        interface = parts.count == 2 ? .wifi : nil
    }

    public var debugDescription: String {
        var bytes = Array(rawValue)
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return interface.map { "\(address)%\($0.name)" } ?? address
    }
}

/// A network interface of the phone. There is only one: Wi-Fi.
public struct NWInterface: Sendable, Hashable, CustomDebugStringConvertible {
    /// The kind of network that an interface connects to.
    public enum InterfaceType: Sendable, Hashable {
        case other, wifi, cellular, wiredEthernet, loopback
    }

    /// The kind of network behind the interface.
    public let type: InterfaceType
    /// The system's name for the interface: `en0`.
    public let name: String
    /// The system's number for the interface.
    public let index: Int

    /// The phone's Wi-Fi, with the name that it has on every iPhone.
    static let wifi = NWInterface(type: .wifi, name: "en0", index: 1)

    public var debugDescription: String { name }
}
