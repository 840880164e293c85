import RadioModel

/// How the two ends of a pairing make sure of each other.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.3.5.1.
package enum PairingMethod: String, Sendable, Hashable, Codable, CaseIterable {
    case justWorks = "Just Works"
    case numericComparison = "Numeric Comparison"
    /// The responder shows the passkey.
    case passkeyInitiatorEnters = "Passkey Entry by the initiator"
    /// The initiator shows the passkey.
    case passkeyResponderEnters = "Passkey Entry by the responder"
    /// People think of a passkey and enter it on both ends.
    case passkeyBothEnter = "Passkey Entry on both ends"

    /// Whether the key is protected against a man in the middle.
    package var isAuthenticated: Bool { self != .justWorks }

    package var isPasskeyEntry: Bool { self != .justWorks && self != .numericComparison }

    /// Whether the end with this role enters a passkey.
    package func isEntered(by role: PairingRole) -> Bool {
        switch self {
        case .justWorks, .numericComparison: false
        case .passkeyInitiatorEnters: role == .initiator
        case .passkeyResponderEnters: role == .responder
        case .passkeyBothEnter: true
        }
    }

    /// The method for a request and its response, without out-of-band data: tables 2.6 to 2.8.
    static func chosen(for features: PairingFeatureExchange) -> PairingMethod {
        let asked = features.request.authentication.union(features.response.authentication)
        guard asked.contains(.manInTheMiddle) else { return .justWorks }
        switch (features.request.capability, features.response.capability) {
        case (.noInputNoOutput, _), (_, .noInputNoOutput): return .justWorks
        case (.keyboardOnly, .keyboardOnly): return .passkeyBothEnter
        case (.keyboardOnly, _): return .passkeyInitiatorEnters
        case (_, .keyboardOnly): return .passkeyResponderEnters
        case (.displayYesNo, .displayYesNo), (.displayYesNo, .keyboardDisplay), (.keyboardDisplay, .displayYesNo),
            (.keyboardDisplay, .keyboardDisplay):
            if features.isSecureConnections { return .numericComparison }
        default: break
        }
        switch (features.request.capability, features.response.capability) {
        case (_, .keyboardDisplay): return .passkeyResponderEnters
        case (.keyboardDisplay, _): return .passkeyInitiatorEnters
        default: return .justWorks
        }
    }
}

/// Which end of a pairing a device is. The central is the initiator, the peripheral is the responder.
package enum PairingRole: String, Sendable, Hashable, Codable, CaseIterable {
    case initiator
    case responder

    /// The peer's role.
    package var other: PairingRole { self == .initiator ? .responder : .initiator }
}
