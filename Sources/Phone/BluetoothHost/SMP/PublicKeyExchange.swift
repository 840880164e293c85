/// The exchange of public keys in LE Secure Connections. The initiator sends its key first.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.3.5.6.1.
struct PublicKeyExchange: Sendable {
    let party: PairingParty
    let keyPair: PairingKeyPair
    /// The reason for the refusal of a public key.
    let refusal: PairingFailure
    let acceptsDebugKey: Bool

    init(_ party: PairingParty, settings: PairingFeatures) {
        self.party = party
        let debugPair = settings.usesDebugKey ? PairingKeyPair.debug : nil
        keyPair = debugPair ?? PairingKeyPair(random: party.random)
        refusal = settings.publicKeyRefusal
        acceptsDebugKey = settings.acceptsDebugKey
    }

    func start() -> [PairingAction] { party.role == .initiator ? [.send(.publicKey(keyPair.publicKey))] : [] }

    /// Takes the peer's public key and goes on to authentication.
    func receive(_ command: SMPCommand) throws(PairingRefusal) -> (SecureExchange, [PairingAction]) {
        guard case .publicKey(let peer) = command else { throw .unexpected(command) }
        let isDebugKey = peer.isDebugKey
        if isDebugKey && !acceptsDebugKey { throw PairingRefusal(refusal, "it uses the public key of the debug mode") }
        // A peer that sends our own key back could send all our values back. In the debug mode equal keys are valid.
        if peer.x == keyPair.publicKey.x && !isDebugKey { throw PairingRefusal(refusal, "its public key is our own") }
        guard let secret = keyPair.sharedSecret(with: peer) else {
            throw PairingRefusal(refusal, "its public key is not a point of the curve P-256")
        }
        var next = SecureExchange(
            party, keys: (keyPair.publicKey, peer), secret: secret,
            usedDebugKey: isDebugKey || keyPair.publicKey.isDebugKey)
        let answer: [PairingAction] = party.role == .responder ? [.send(.publicKey(keyPair.publicKey))] : []
        let actions = next.start()
        return (next, answer + actions)
    }
}
