import DieProtocol
import FoundationEssentials

/// Faults of a broken or hostile die, for testing a phone.
extension NotificationReceiver {
    /// A wrong message with a public key, if that is the next fault. Nil for any other fault or none.
    mutating func wrongPublicKeyMessage(_ suite: KeyExchangeMessage.CipherSuite) throws -> Data? {
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

    /// Whether the next fault is to repeat a message. If so, removes the fault.
    mutating func takeRepetitionFault() -> Bool {
        guard misbehaviour.first == .repeatsMessage else { return false }
        misbehaviour.removeFirst()
        return true
    }

    /// The offset of the suite in a message, after the kind.
    private static let suiteOffset = 1

    private static func message(
        _ suite: KeyExchangeMessage.CipherSuite, _ transports: KeyExchangeMessage.Transports = .bluetooth, key: Data
    ) throws -> Data {
        try KeyExchangeMessage.publicKey(suite, .version1, transports, identifier: nil, key: key).encoded()
    }
}
