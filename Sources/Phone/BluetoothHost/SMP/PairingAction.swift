/// What a part of a pairing wants done.
enum PairingAction: Sendable, Hashable {
    case send(SMPCommand)
    case compare(UInt32)
    case showPasskey(UInt32)
    case askPasskey
    /// Both ends have the key; the link can be encrypted.
    case encrypt(AgreedKey)
}

/// The key that both ends of a pairing came to: the short-term key of legacy pairing, or the long-term key of Secure
/// Connections.
struct AgreedKey: Sendable, Hashable {
    /// Before it is shortened.
    let value: Value128
    let features: PairingFeatureExchange
    let usedDebugKey: Bool

    /// The key for the link.
    var linkEncryptionKey: LongTermKey {
        LongTermKey(value: value.shortened(to: features.keySize), size: features.keySize)
    }
}

/// One end of a pairing after both ends have said what they support.
struct PairingParty: Sendable {
    let role: PairingRole
    let features: PairingFeatureExchange
    let addresses: PairingAddresses
    let random: RandomBytes

    /// Whether the person enters a passkey on this end.
    var entersPasskey: Bool { features.method.isEntered(by: role) }
    /// Whether this end shows a passkey.
    var showsPasskey: Bool { features.method.isPasskeyEntry && !entersPasskey }

    /// A new passkey, 0 to 999,999, all equally probable.
    func newPasskey() -> UInt32 {
        // Numbers above the last multiple of a million would make some passkeys more probable.
        let limit: UInt64 = 4_294_000_000
        for _ in 0..<64 {
            let number = UInt64(mostSignificantFirst: random(4))
            if number < limit { return UInt32(number % 1_000_000) }
        }
        preconditionFailure("The source of random bytes gives no passkey")
    }
}
