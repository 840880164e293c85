/// The reason why a cryptographic operation failed. The names are those of Apple's CryptoKit.
public enum CryptoKitError: Error, Hashable, Sendable, CustomStringConvertible {
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

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .incorrectKeySize: "the key has a wrong length for the algorithm"
        case .incorrectParameterSize: "a parameter has a wrong length for the algorithm"
        case .authenticationFailure: "the message is not authentic: it was changed, or the key is another one"
        case .underlyingCoreCryptoError(let error): "OpenSSL refused the operation (error \(error))"
        case .wrapFailure: "the key cannot be wrapped"
        case .unwrapFailure: "the key cannot be unwrapped"
        case .invalidParameter: "a parameter has the right length but an invalid value"
        }
    }
}
