import RadioModel

/// What one end says about itself in a Pairing Request or a Pairing Response.
///
/// Reserved bits are kept, because both ends put all bits into the confirm value.
/// Source: Core Specification 6.0, Vol 3, Part H, 3.5.1.
package struct PairingParameters: Sendable, Hashable {
    package var capability: PairingCapability
    /// Whether it has received the other end's out-of-band data.
    package var hasOutOfBandData: Bool
    package var authentication: AuthenticationRequirements
    /// The longest key that it supports, in bytes: 7 to 16.
    package var maximumKeySize: UInt8
    /// The keys that the initiator shall distribute.
    package var initiatorKeys: KeyDistribution
    /// The keys that the responder shall distribute.
    package var responderKeys: KeyDistribution

    package init(
        capability: PairingCapability, hasOutOfBandData: Bool = false, authentication: AuthenticationRequirements,
        maximumKeySize: UInt8 = 16, initiatorKeys: KeyDistribution, responderKeys: KeyDistribution
    ) {
        self.capability = capability
        self.hasOutOfBandData = hasOutOfBandData
        self.authentication = authentication
        self.maximumKeySize = maximumKeySize
        self.initiatorKeys = initiatorKeys
        self.responderKeys = responderKeys
    }
}

/// How secure a pairing shall be, and what an end supports (AuthReq).
///
/// Source: Core Specification 6.0, Vol 3, Part H, 3.5.1.
package struct AuthenticationRequirements: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The value “bonding” of the two bits of the bonding flags.
    package static let bonding = AuthenticationRequirements(rawValue: 0x01)
    /// Protection against a man in the middle.
    package static let manInTheMiddle = AuthenticationRequirements(rawValue: 0x04)
    package static let secureConnections = AuthenticationRequirements(rawValue: 0x08)
    /// Notifications of keys that the person presses.
    package static let keypress = AuthenticationRequirements(rawValue: 0x10)
    /// The function h7.
    package static let crossTransport2 = AuthenticationRequirements(rawValue: 0x20)

    /// Whether the bonding flags have the value “bonding”; two of the four values are reserved.
    package var asksForBonding: Bool { rawValue & 0x03 == 0x01 }
}

/// Keys that one end distributes.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 3.6.1.
package struct KeyDistribution: OptionSet, Sendable, Hashable, Codable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The long-term key of legacy pairing, with EDIV and Rand.
    package static let encryption = KeyDistribution(rawValue: 0x01)
    /// The identity resolving key and the identity address.
    package static let identity = KeyDistribution(rawValue: 0x02)
    /// The connection signature resolving key.
    package static let signing = KeyDistribution(rawValue: 0x04)
    /// The BR/EDR link key, which both ends derive from the long-term key.
    package static let link = KeyDistribution(rawValue: 0x08)

    /// All keys of the specification.
    package static let all: KeyDistribution = [.encryption, .identity, .signing, .link]
}

extension PairingCapability {
    /// The byte in packets. Source: Core Specification 6.0, Vol 3, Part H, 3.5.1, table 3.4.
    var code: UInt8 {
        switch self {
        case .displayOnly: 0x00
        case .displayYesNo: 0x01
        case .keyboardOnly: 0x02
        case .noInputNoOutput: 0x03
        case .keyboardDisplay: 0x04
        }
    }

    /// Nil for a reserved value.
    package init?(code: UInt8) {
        guard let capability = PairingCapability.allCases.first(where: { $0.code == code }) else { return nil }
        self = capability
    }
}
