import RadioModel

/// A Pairing Request with its Pairing Response, and what follows from both.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.3.
struct PairingFeatureExchange: Sendable, Hashable {
    let request: PairingParameters
    let response: PairingParameters

    /// Whether both support LE Secure Connections, which they then use.
    var isSecureConnections: Bool { both(.secureConnections) }
    /// Whether both tell each other of keys that the person presses.
    var usesKeypress: Bool { both(.keypress) && method.isPasskeyEntry }
    var usesCT2: Bool { both(.crossTransport2) }
    /// Whether both keep the keys.
    var isBonding: Bool { request.authentication.asksForBonding && response.authentication.asksForBonding }
    var method: PairingMethod { PairingMethod.chosen(for: self) }
    /// In bytes.
    var keySize: Int { Int(min(request.maximumKeySize, response.maximumKeySize)) }
    /// How strong the key will be.
    var strength: Bond { Bond(isSecureConnections: isSecureConnections, isAuthenticated: method.isAuthenticated) }

    /// Whether both derive a BR/EDR link key.
    var derivesLinkKey: Bool {
        distributed(.initiator).contains(.link) && distributed(.responder).contains(.link)
    }

    /// The keys that one end sends after the link is encrypted.
    func distributed(_ role: PairingRole) -> KeyDistribution {
        let keys =
            switch role {
            case .initiator: request.initiatorKeys.intersection(response.initiatorKeys)
            case .responder: request.responderKeys.intersection(response.responderKeys)
            }
        return keys.intersection([.identity, .signing, isSecureConnections ? .link : .encryption])
    }

    /// What the end with this role said.
    func parameters(of role: PairingRole) -> PairingParameters { role == .initiator ? request : response }

    private func both(_ flag: AuthenticationRequirements) -> Bool {
        request.authentication.intersection(response.authentication).contains(flag)
    }
}
