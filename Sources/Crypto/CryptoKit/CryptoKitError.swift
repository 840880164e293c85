/// The reason why a cryptographic operation failed. The names are those of Apple's CryptoKit. As there, an error is
/// written as its name: `authenticationFailure`.
public enum CryptoKitError: Error, Hashable, Sendable {
    /// The key has a wrong length for the algorithm.
    case incorrectKeySize
    /// A nonce, a sealed box or an encoded key has a wrong length for the algorithm.
    case incorrectParameterSize
    /// The tag does not match the ciphertext, the nonce, the associated data and the key.
    case authenticationFailure
    /// OpenSSL refused the operation, for example because a point is not on its curve. The number is OpenSSL's packed
    /// error code, cut to 32 bits.
    case underlyingCoreCryptoError(error: Int32)
    /// A key cannot be wrapped, because of its length.
    case wrapFailure
    /// A wrapped key was changed, or another key wrapped it.
    case unwrapFailure
    /// A value has the right length but is invalid for the algorithm.
    case invalidParameter
}
