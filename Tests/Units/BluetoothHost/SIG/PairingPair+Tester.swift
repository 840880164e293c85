import RadioModel

@testable import HILBluetoothHost

// The phone on one end of a pairing, the tester of a SIG case on the other.
extension PairingPair {
    /// - Parameters:
    ///   - phone: The phone's role. It has an iPhone's features.
    ///   - isSecure: Whether the tester supports Secure Connections.
    ///   - asksForAuthentication: Whether the tester asks for protection against a man in the middle.
    static func phone(
        _ phone: PairingRole, tester capability: PairingCapability, isSecure: Bool, asksForAuthentication: Bool = true,
        seed: UInt64 = 1, change: (inout PairingFeatures) -> Void = { _ in }
    ) -> PairingPair {
        var tester = PairingFeatures()
        tester.capability = capability
        tester.supportsSecureConnections = isSecure
        tester.asksForAuthentication = asksForAuthentication
        tester.consent = .never
        var own = HostPersonality.iPhone.pairing
        change(&own)
        return phone == .initiator ? PairingPair(own, tester, seed: seed) : PairingPair(tester, own, seed: seed)
    }

    /// Pairs with a tester that says something about itself which this host never says, and reckons with it.
    ///
    /// - Parameter change: What the tester says in its Pairing Request or Response.
    mutating func run(tester: PairingRole, says change: @escaping (inout PairingParameters) -> Void) {
        disguise = { role, session, outputs in
            guard role == tester, case .send(let packet)? = outputs.first, let command = try? SMPCommand(packet) else {
                return
            }
            switch command {
            case .pairingRequest(var request):
                change(&request)
                session.stage = .response(request)
                outputs[0] = .send(SMPCommand.pairingRequest(request).bytes)
            case .pairingResponse(var response):
                guard let request = session.features?.request else { return }
                change(&response)
                let features = PairingFeatureExchange(request: request, response: response)
                session.takeOver(features)
                outputs[0] = .send(SMPCommand.pairingResponse(response).bytes)
            default: break
            }
        }
        run()
    }

    /// What one end said about itself.
    func said(_ role: PairingRole) -> PairingParameters? {
        for (sender, packet) in sent where sender == role {
            switch try? SMPCommand(packet) {
            case .pairingRequest(let parameters), .pairingResponse(let parameters): return parameters
            default: break
            }
        }
        return nil
    }

    /// Whether the controllers encrypted the link, and both ends have the same long-term key.
    var isEncrypted: Bool {
        let keys = (result(.initiator)?.keys, result(.responder)?.keys)
        let encrypted = outputs[.initiator]?.contains { if case .encrypt = $0 { true } else { false } } == true
        return encrypted && keys.0 != nil && keys.0?.peerKey == keys.1?.localKey
    }

    /// The passkey that one end showed.
    func shownPasskey(_ role: PairingRole) -> UInt32? {
        for case .showPasskey(let passkey) in outputs[role] ?? [] { return passkey }
        return nil
    }
}

extension PairingSession {
    /// Puts a responder behind an exchange of features that was changed after it.
    fileprivate mutating func takeOver(_ features: PairingFeatureExchange) {
        let addresses = PairingAddresses(initiator: setup.peer, responder: setup.local)
        let party = PairingParty(role: .responder, features: features, addresses: addresses, random: setup.random)
        if features.isSecureConnections {
            stage = .publicKey(PublicKeyExchange(party, settings: setup.features))
        } else {
            var exchange = LegacyExchange(party)
            _ = exchange.start()
            stage = .legacy(exchange)
        }
    }
}
