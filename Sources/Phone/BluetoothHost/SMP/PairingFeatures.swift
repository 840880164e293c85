import RadioModel

/// What one kind of phone supports and wants when it pairs.
///
/// The defaults are those of a phone with a screen and a keyboard; where no source is named they are assumed.
package struct PairingFeatures: Sendable, Hashable, Codable {
    /// When the person is asked before a pairing that just works.
    package enum Consent: String, Sendable, Hashable, Codable {
        case never
        case asResponder
        case always
    }

    package var capability = PairingCapability.keyboardDisplay
    /// Whether it keeps keys.
    package var bonds = true
    /// Whether it asks for protection against a man in the middle, where the capabilities of both ends allow it.
    package var asksForAuthentication = true
    /// Whether it refuses pairings without that protection.
    package var needsAuthentication = false
    package var supportsSecureConnections = true
    /// Whether it refuses legacy pairing and keys of fewer than 16 bytes (Secure Connections Only mode).
    package var needsSecureConnections = false
    /// Whether it tells the peer of keys that the person presses.
    package var supportsKeypress = false
    /// Whether it supports the function h7.
    package var supportsCT2 = false
    /// The longest key, in bytes: 7 to 16.
    package var maximumKeySize = 16
    /// The shortest key that it accepts, in bytes: 7 to 16.
    package var minimumKeySize = 7
    /// The keys that an initiator shall distribute, whichever end that is.
    package var initiatorKeys: KeyDistribution = [.encryption, .identity, .link]
    /// The keys that a responder shall distribute, whichever end that is.
    package var responderKeys: KeyDistribution = [.encryption, .identity, .link]
    /// The person is asked when both ends have said what they support, and before any secret is used.
    package var consent = Consent.always
    /// What the peer is told if the person does not want to pair.
    package var consentRefusal = PairingFailure.unspecifiedReason
    /// What the peer is told if its public key is not a point of the curve, or is our own key. Version 6.1 of the
    /// specification names this reason; 6.0 does not name any.
    package var publicKeyRefusal = PairingFailure.dhKeyCheckFailed
    /// Whether a peer may use the public key of the debug mode.
    package var acceptsDebugKey = true
    /// Whether it uses the key pair of the debug mode, so that a sniffer can read the link.
    package var usesDebugKey = false
    /// How long a pairing waits after the last command that was sent.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part H, 3.4.
    package var timeout = Duration.seconds(30)
    /// How many key distribution commands may arrive before the controller's Encryption Change event.
    ///
    /// Over USB, data may overtake events. With 0, such a command ends the pairing.
    package var earlyCommandLimit = 5

    package init() {}
}

extension PairingFeatures {
    /// What it says about itself in a Security Request, and in a Pairing Request or Response.
    var authentication: AuthenticationRequirements {
        var requirements: AuthenticationRequirements = []
        if bonds { requirements.insert(.bonding) }
        if asksForAuthentication || needsAuthentication { requirements.insert(.manInTheMiddle) }
        if supportsSecureConnections || needsSecureConnections { requirements.insert(.secureConnections) }
        if supportsKeypress { requirements.insert(.keypress) }
        if supportsCT2 { requirements.insert(.crossTransport2) }
        return requirements
    }

    /// The Pairing Request.
    ///
    /// - Parameter hasIdentity: Whether there is an identity to distribute.
    func request(hasIdentity: Bool) -> PairingParameters {
        var keys = (initiator: initiatorKeys, responder: responderKeys)
        if !bonds { keys = ([], []) }
        if !authentication.contains(.secureConnections) {
            keys = (keys.initiator.subtracting(.link), keys.responder.subtracting(.link))
        }
        if !hasIdentity { keys.initiator.remove(.identity) }
        return parameters(initiatorKeys: keys.initiator, responderKeys: keys.responder)
    }

    /// The Pairing Response: at most the keys of the request.
    ///
    /// - Parameter hasIdentity: Whether there is an identity to distribute.
    func response(to request: PairingParameters, hasIdentity: Bool) -> PairingParameters {
        var allowed = KeyDistribution.all
        if !bonds || !request.authentication.asksForBonding { allowed = [] }
        if !authentication.intersection(request.authentication).contains(.secureConnections) { allowed.remove(.link) }
        var keys = (
            initiator: allowed.intersection(initiatorKeys).intersection(request.initiatorKeys),
            responder: allowed.intersection(responderKeys).intersection(request.responderKeys)
        )
        if !hasIdentity { keys.responder.remove(.identity) }
        return parameters(initiatorKeys: keys.initiator, responderKeys: keys.responder)
    }

    private func parameters(initiatorKeys: KeyDistribution, responderKeys: KeyDistribution) -> PairingParameters {
        PairingParameters(
            capability: capability, authentication: authentication,
            maximumKeySize: UInt8(min(max(maximumKeySize, 7), 16)), initiatorKeys: initiatorKeys,
            responderKeys: responderKeys)
    }

    /// Checks what both ends said against what this end needs.
    ///
    /// - Parameter role: This end's.
    func check(_ exchange: PairingFeatureExchange, as role: PairingRole) throws(PairingRefusal) {
        let isLegacy = !exchange.isSecureConnections
        if needsSecureConnections && isLegacy {
            throw PairingRefusal(.authenticationRequirements, "it does not support LE Secure Connections")
        }
        if needsAuthentication && !exchange.method.isAuthenticated {
            throw PairingRefusal(.authenticationRequirements, "its IO capability allows Just Works only")
        }
        let needed = needsSecureConnections ? 16 : minimumKeySize
        if exchange.keySize < needed {
            throw PairingRefusal(
                .encryptionKeySize, "a key of \(exchange.keySize) bytes is too short; \(needed) are needed")
        }
        let peer = exchange.parameters(of: role.other)
        if peer.hasOutOfBandData && exchange.isSecureConnections {
            throw PairingRefusal(.outOfBandNotAvailable, "it says that it has out-of-band data of this device")
        }
    }
}
