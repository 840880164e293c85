#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A service that a device offers on its network, so that other devices find it by its type: DNS-Based Service
/// Discovery (RFC 6763) over multicast DNS (RFC 6762), which Apple calls Bonjour.
public struct BonjourService: Sendable, Hashable, Codable {
    /// Its display name, 1 to 63 bytes of UTF-8: `Lamp 7`.
    public var name: String
    /// The protocol that it speaks: `_lamp._tcp`.
    public var type: String
    /// The port on which it listens.
    public var port: UInt16
    /// The strings of its TXT record, each 1 to 255 bytes: `key=value` (RFC 6763, 6.3).
    public var text: [Data]

    package init(name: String, type: String, port: UInt16, text: [Data] = []) {
        self.name = name
        self.type = type
        self.port = port
        self.text = text
    }

    /// A service whose TXT record has these keys and values, in the order of the keys.
    public static func service(
        _ name: String, type: String, port: UInt16, text: [String: String] = [:]
    ) -> BonjourService {
        BonjourService(
            name: name, type: type, port: port,
            text: text.sorted { $0.key < $1.key }.map { Data("\($0.key)=\($0.value)".utf8) })
    }
}

/// The identity of a service on a network.
package struct BonjourName: Sendable, Hashable, Codable, CustomStringConvertible {
    package var name: String
    /// Such as `_lamp._tcp`.
    package var type: String
    /// Such as `local.`, with the dot at its end.
    package var domain: String

    package init(name: String, type: String, domain: String = "local.") {
        self.name = name
        self.type = type
        self.domain = domain
    }

    package var description: String { "“\(name)” (\(type))" }
}

/// A change of the services that a search for one type knows.
package enum BonjourChange: Sendable, Hashable, Codable {
    /// A service was found, or its TXT record has changed.
    ///
    /// `text` has the strings of the TXT record; nil if the search does not ask for it.
    case found(BonjourName, text: [Data]?)
    /// A service or its network is gone.
    case lost(BonjourName)
    /// Services of another type are offered. This is only reported while the search has found nothing.
    case otherType(String)
}

/// The address of a service or a host.
package struct NetworkPlace: Sendable, Hashable, Codable {
    /// An IPv4 address in dotted form.
    package var address: String
    package var port: UInt16

    package init(address: String, port: UInt16) {
        self.address = address
        self.port = port
    }
}
