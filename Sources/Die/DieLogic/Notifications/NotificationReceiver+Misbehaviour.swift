import DieControl
import DieProtocol
import FoundationEssentials

/// What a broken or hostile die does instead of what it should, so that a phone can be tried against it.
extension NotificationReceiver {
    /// A message with a public key as the next misbehaviour has it; nil if that is about something else, or there is none.
    mutating func wrongOffer(_ suite: KeyExchangeMessage.CipherSuite) throws -> Data? {
        guard let misbehaviour = misbehaviour.first else { return nil }
        let offer: Data
        switch misbehaviour {
        case .offersUnknownSuite:
            var bytes = try Self.message(suite, key: keys.makeKeyPair(suite))
            bytes[Self.suiteOffset] = 0xFF
            offer = bytes
        case .offersShortKey: offer = try Self.message(suite, key: keys.makeKeyPair(suite).dropLast(16))
        case .offersAnotherKey:
            _ = try keys.makeKeyPair(suite)
            offer = try Self.message(suite, key: AccessoryKeyPair(suite).publicKey)
        case .namesNetworkWithP256:
            offer = try Self.message(
                .p256, [.bluetooth, .localNetwork, .internet], key: keys.makeKeyPair(.p256))
        case .repeatsMessage: return nil
        }
        self.misbehaviour.removeFirst()
        return offer
    }

    /// Whether the next misbehaviour is to send a message again; then it is over.
    mutating func takesToRepeating() -> Bool {
        guard misbehaviour.first == .repeatsMessage else { return false }
        misbehaviour.removeFirst()
        return true
    }

    /// Where the suite stands in a message, after its kind.
    private static let suiteOffset = 1

    private static func message(
        _ suite: KeyExchangeMessage.CipherSuite, _ transports: KeyExchangeMessage.Transports = .bluetooth, key: Data
    ) throws -> Data {
        try KeyExchangeMessage.publicKey(suite, .version1, transports, identifier: nil, key: key).encoded()
    }
}
