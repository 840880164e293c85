@_exported import Dispatch
@_exported import Foundation
@_exported import Observation

/// The address of the far end of a connection.
public enum NWEndpoint: Sendable, Hashable, CustomDebugStringConvertible {
    /// A host by name or address, and a port.
    case hostPort(host: Host, port: Port)

    /// A host, by name or by address.
    public enum Host: Sendable, Hashable, CustomDebugStringConvertible, ExpressibleByStringLiteral {
        /// A name that has to be resolved. No network of this phone resolves names.
        case name(String, NWInterface?)
        case ipv4(IPv4Address)

        /// Reads an address; any other text becomes a name.
        public init(_ string: String) {
            self = IPv4Address(string).map { .ipv4($0) } ?? .name(string, nil)
        }

        public init(stringLiteral value: String) { self.init(value) }

        /// The interface over which to reach the host; nil for any.
        public var interface: NWInterface? { if case .name(_, let interface) = self { interface } else { nil } }

        public var debugDescription: String {
            switch self {
            case .name(let name, _): name
            case .ipv4(let address): address.debugDescription
            }
        }
    }

    /// A port number of TCP or UDP.
    public struct Port: Sendable, Hashable, RawRepresentable, CustomDebugStringConvertible,
        ExpressibleByIntegerLiteral
    {
        public let rawValue: UInt16

        /// Any port that is free.
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
        }
    }

    public var debugDescription: String {
        switch self {
        case .hostPort(let host, let port): "\(host.debugDescription):\(port.debugDescription)"
        }
    }
}

/// An IPv4 address.
public struct IPv4Address: Sendable, Hashable, CustomDebugStringConvertible {
    /// Four bytes in network byte order.
    public let rawValue: Data

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
