extension HPKE {
    /// The reason why an operation of HPKE failed.
    public enum Errors: Error, Equatable, Sendable {
        /// A serialized or encapsulated key does not belong to the cipher suite.
        case inconsistentParameters
        /// The key has another type than the cipher suite needs.
        case inconsistentCiphersuiteAndKey
        /// The cipher suite only exports secrets; it cannot encrypt.
        case exportOnlyMode
        /// Either the pre-shared key or its identifier is empty, but not both.
        case inconsistentPSKInputs
        /// The mode needs a pre-shared key, but the given key and its identifier are empty.
        case expectedPSK
        /// The mode does not use a pre-shared key. Never thrown here, because no call can give one then.
        case unexpectedPSK
        /// The counter of messages has reached its end. No more messages can be sealed or opened with this key.
        case outOfRangeSequenceNumber
        /// A ciphertext is shorter than its tag.
        case ciphertextTooShort
    }
}
