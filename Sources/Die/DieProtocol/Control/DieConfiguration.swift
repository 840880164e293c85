import BoardProtocol
import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The configuration of the reference accessory, a Bluetooth die.
package struct DieConfiguration: Sendable, Hashable, Codable {
    /// How it answers a pairing request.
    package enum Pairing: String, Sendable, Hashable, Codable {
        /// Compares the number and accepts (LE Secure Connections, numeric comparison).
        case accepts
        /// Refuses with `Pairing Failed`.
        case refuses
    }

    /// The key agreement for notifications.
    package typealias CipherSuite = KeyExchangeMessage.CipherSuite

    /// A fault of a die with broken or hostile firmware, when notifications are forwarded to it.
    package enum Misbehaviour: String, Sendable, Hashable, Codable, CaseIterable {
        /// Sends a public key of an unknown cipher suite.
        case offersUnknownSuite
        /// Sends a public key that is too short.
        case offersShortKey
        /// Sends a public key that it does not keep, so that the phone encapsulates for the wrong key.
        case offersAnotherKey
        /// Sends a P-256 key and claims to be reachable over its network and the internet as well.
        case namesNetworkWithP256
        /// Sends a message for the data provider twice, with the same bytes.
        case repeatsMessage
    }

    /// The advertised local name. It is cut if it does not fit into the packet.
    package var name: String
    /// The advertised fields in addition to the name.
    package var advertising: DieAdvertising
    package var pairing: Pairing
    /// Whether it has classic Bluetooth (BR/EDR) in addition to LE, with a channel for paired phones only.
    package var isDualMode: Bool
    /// Whether its LE address is private, so that only paired phones can resolve it.
    package var hasPrivateAddress: Bool
    /// The networks that its access point opens at power-on; at most 2.
    package var networks: [NetworkConfiguration]
    /// The cipher suites that it supports, the best first; at least one.
    package var cipherSuites: [CipherSuite]
    /// The IPv4 address of its maker's relay, in dotted form; nil for a die without internet access.
    package var relay: String?
    /// Its faults, in this order, each once. After that it works correctly.
    package var misbehaviour: [Misbehaviour]

    package init(
        name: String, advertising: DieAdvertising = DieAdvertising(), pairing: Pairing = .accepts,
        isDualMode: Bool = false, hasPrivateAddress: Bool = false, networks: [NetworkConfiguration] = [],
        cipherSuites: [CipherSuite] = CipherSuite.allCases, relay: String? = nil, misbehaviour: [Misbehaviour] = []
    ) {
        self.relay = relay
        self.name = name
        self.advertising = advertising
        self.pairing = pairing
        self.isDualMode = isDualMode
        self.hasPrivateAddress = hasPrivateAddress
        self.networks = networks
        self.cipherSuites = cipherSuites
        self.misbehaviour = misbehaviour
    }
}

/// The advertised fields of a die in addition to its name, which is in the scan response.
///
/// All of it and the flags (3 bytes) share one advertisement of 31 bytes (Core Specification 6.0, Vol 3, Part C, 11).
package struct DieAdvertising: Sendable, Hashable, Codable {
    /// The advertised services; nil for the die's own service.
    package var serviceUUIDs: [BluetoothUUID]?
    /// The bytes after the company identifier, by company identifier.
    package var manufacturerData: [UInt16: Data]
    /// Service data by service UUID.
    package var serviceData: [BluetoothUUID: Data]
    /// Bluetooth SIG Assigned Numbers, 2.6; nil to leave it out.
    package var appearance: UInt16?
    /// Whether the transmit power is advertised.
    package var includesTxPower: Bool

    /// The defaults are those of a new die: it advertises its service only.
    package init(
        serviceUUIDs: [BluetoothUUID]? = nil, manufacturerData: [UInt16: Data] = [:],
        serviceData: [BluetoothUUID: Data] = [:], appearance: UInt16? = nil, includesTxPower: Bool = false
    ) {
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.appearance = appearance
        self.includesTxPower = includesTxPower
    }
}
