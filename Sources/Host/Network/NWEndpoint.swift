@_exported import Dispatch
@_exported import Foundation

/// An end of a connection.
public enum NWEndpoint: Sendable, Hashable, CustomDebugStringConvertible {
    /// A host and a port.
    case hostPort(host: Host, port: Port)

    /// A name or an address of a host.
    public enum Host: Sendable, Hashable, CustomDebugStringConvertible, ExpressibleByStringLiteral {
        /// A name, which has to be resolved.
        case name(String, NWInterface?)
        case ipv4(IPv4Address)

        /// An address where the text is one, else a name.
        public init(_ string: String) {
            self = IPv4Address(string).map { .ipv4($0) } ?? .name(string, nil)
        }

        public init(stringLiteral value: String) { self.init(value) }

        /// The interface that the host is to be reached by; nil if that does not matter.
        public var interface: NWInterface? { if case .name(_, let interface) = self { interface } else { nil } }

        public var debugDescription: String {
            switch self {
            case .name(let name, _): name
            case .ipv4(let address): address.debugDescription
            }
        }
    }

    /// A port of TCP or UDP.
    public struct Port: Sendable, Hashable, RawRepresentable, CustomDebugStringConvertible,
        ExpressibleByIntegerLiteral
    {
        public let rawValue: UInt16

        /// Any port that is free.
        public static let any: Port = 0

        public init?(rawValue: UInt16) { self.rawValue = rawValue }
        public init(integerLiteral value: UInt16) { rawValue = value }

        /// From a number's text.
        public init?(_ service: String) {
            guard let number = UInt16(service) else { return nil }
            rawValue = number
        }

        public var debugDescription: String { "\(rawValue)" }
    }

    /// The interface that the endpoint is to be reached by; nil if that does not matter.
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

/// An address of IP, version 4.
public struct IPv4Address: Sendable, Hashable, CustomDebugStringConvertible {
    /// Four bytes, as they travel.
    public let rawValue: Data

    /// From four bytes, as they travel.
    public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
        guard rawValue.count == 4 else { return nil }
        self.rawValue = Data(rawValue)
    }

    /// From the dotted form: `192.168.7.1`.
    public init?(_ addressString: String) {
        var address = in_addr()
        guard inet_pton(AF_INET, addressString, &address) == 1 else { return nil }
        rawValue = withUnsafeBytes(of: address) { Data($0) }
    }

    public var debugDescription: String { rawValue.map { "\($0)" }.joined(separator: ".") }
}

/// A network interface of the phone.
public struct NWInterface: Sendable, Hashable, CustomDebugStringConvertible {
    /// What lies behind an interface.
    public enum InterfaceType: Sendable, Hashable {
        case other, wifi, cellular, wiredEthernet, loopback
    }

    public let type: InterfaceType
    /// As the system calls it: `en0`.
    public let name: String
    /// Its number on the system.
    public let index: Int

    /// The phone's Wi-Fi, under the name that it has on every iPhone.
    static let wifi = NWInterface(type: .wifi, name: "en0", index: 1)

    public var debugDescription: String { name }
}
