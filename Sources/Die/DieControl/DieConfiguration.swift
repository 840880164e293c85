import BoardProtocol
import DieProtocol
import RadioModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the reference accessory, a Bluetooth die, behaves.
package struct DieConfiguration: Sendable, Hashable, Codable {
    /// What it answers to a pairing request.
    package enum Pairing: String, Sendable, Hashable, Codable {
        /// Compares the number and agrees (LE Secure Connections, numeric comparison).
        case accepts
        /// Answers `Pairing Failed`.
        case refuses
    }

    /// How keys for notifications are agreed on.
    package typealias CipherSuite = KeyExchangeMessage.CipherSuite

    /// What a die does wrong whose firmware is broken, or hostile, where notifications are forwarded to it.
    package enum Misbehaviour: String, Sendable, Hashable, Codable, CaseIterable {
        /// Offers a public key of a cipher suite that there is not.
        case offersUnknownSuite
        /// Offers a public key that ends too early.
        case offersShortKey
        /// Offers a public key that it does not keep, so that the phone encapsulates for another one.
        case offersAnotherKey
        /// Offers a key of P-256 and says that it can be reached over its network and the internet, too.
        case namesNetworkWithP256
        /// Sends what it has for the data provider a second time, the same bytes.
        case repeatsMessage
    }

    /// The advertised local name; what does not fit the packet is cut by the advertiser.
    package var name: String
    /// What it says of itself on the air beside the name.
    package var advertising: DieAdvertising
    package var pairing: Pairing
    /// Whether it has classic Bluetooth (BR/EDR) beside LE, with a channel that only a paired phone gets.
    package var isDualMode: Bool
    /// Whether its LE address is a private one that only paired phones resolve.
    package var hasPrivateAddress: Bool
    /// Networks that its access point opens when it is powered on; at most 2.
    package var networks: [NetworkConfiguration]
    /// The cipher suites that it has, the best first; at least one.
    package var cipherSuites: [CipherSuite]
    /// Where its maker's relay is, an IPv4 address in dotted form; nil for a die with no way into the internet.
    package var relay: String?
    /// What it does wrong, in this order, each once, and from then on nothing.
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

/// What a die says of itself on the air beside its name, which the scan response holds.
///
/// All of it, and the flags with 3 bytes, share one advertisement of 31 bytes (Core Specification 6.0, Vol 3, Part C, 11).
package struct DieAdvertising: Sendable, Hashable, Codable {
    /// The services that are listed; nil lists the die's own.
    package var serviceUUIDs: [BluetoothUUID]?
    /// Company identifier to the bytes after it.
    package var manufacturerData: [UInt16: Data]
    /// Service data by service UUID.
    package var serviceData: [BluetoothUUID: Data]
    /// Bluetooth SIG Assigned Numbers, 2.6; nil tells none.
    package var appearance: UInt16?
    /// Whether the transmit power is told.
    package var tellsTxPower: Bool

    /// By default what a die out of its box says: its service, and nothing else.
    package init(
        serviceUUIDs: [BluetoothUUID]? = nil, manufacturerData: [UInt16: Data] = [:],
        serviceData: [BluetoothUUID: Data] = [:], appearance: UInt16? = nil, tellsTxPower: Bool = false
    ) {
        self.serviceUUIDs = serviceUUIDs
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData
        self.appearance = appearance
        self.tellsTxPower = tellsTxPower
    }
}
