extension HPKE {
    /// Why an operation of hybrid public key encryption was refused.
    public enum Errors: Error, Equatable, Sendable {
        /// A serialised key or encapsulated key is not one of this cipher suite.
        case inconsistentParameters
        /// The key is of another kind than the cipher suite's.
        case inconsistentCiphersuiteAndKey
        /// The cipher suite exports secrets and encrypts nothing.
        case exportOnlyMode
        /// A pre-shared key was given without an identifier, or the other way round: one of both is empty.
        case inconsistentPSKInputs
        /// The mode takes a pre-shared key, and the given one and its identifier are empty.
        case expectedPSK
        /// The mode takes no pre-shared key. Nothing here can be given one then.
        case unexpectedPSK
        /// No further message may be sealed or opened with this key: the counter of messages is used up.
        case outOfRangeSequenceNumber
        /// A ciphertext is shorter than its tag.
        case ciphertextTooShort
    }
}
