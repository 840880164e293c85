/// Why a cryptographic operation was refused, under the names that Apple's CryptoKit gives its errors.
public enum CryptoKitError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A key does not have a length that the algorithm takes.
    case incorrectKeySize
    /// A nonce, a sealed box or an encoded key does not have a length that the algorithm takes.
    case incorrectParameterSize
    /// The tag does not belong to the ciphertext, the nonce, the associated data and the key.
    case authenticationFailure
    /// The library below refused, as it does a point off its curve; the number is OpenSSL's packed error code, cut to 32
    /// bits.
    case underlyingCoreCryptoError(error: Int32)
    /// A key cannot be wrapped. Nothing here wraps keys.
    case wrapFailure
    /// A key cannot be unwrapped. Nothing here wraps keys.
    case unwrapFailure
    /// A value has the right length and is still not one that the algorithm takes.
    case invalidParameter

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .incorrectKeySize: "the key has a length that the algorithm does not take"
        case .incorrectParameterSize: "a parameter has a length that the algorithm does not take"
        case .authenticationFailure: "the message does not authenticate under this key"
        case .underlyingCoreCryptoError(let error): "OpenSSL refused the operation (error \(error))"
        case .wrapFailure: "the key cannot be wrapped"
        case .unwrapFailure: "the key cannot be unwrapped"
        case .invalidParameter: "a parameter has the right length and no valid value"
        }
    }
}
