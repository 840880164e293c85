/// Why a cryptographic operation was refused, under the names that Apple's CryptoKit gives its errors.
public enum CryptoKitError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A key does not have a length that the algorithm takes.
    case incorrectKeySize
    /// A nonce, a sealed box or an encoded key does not have a length that the algorithm takes.
    case incorrectParameterSize
    /// The tag does not belong to the ciphertext, the nonce, the associated data and the key.
    case authenticationFailure
    /// The library below refused; the number is OpenSSL's packed error code, cut to 32 bits.
    case underlyingCoreCryptoError(error: Int32)
    /// A value has the right length and is still not one the algorithm takes, such as a point off its curve.
    case invalidParameter

    /// The error in one sentence.
    public var description: String {
        switch self {
        case .incorrectKeySize: "the key has a length that the algorithm does not take"
        case .incorrectParameterSize: "a parameter has a length that the algorithm does not take"
        case .authenticationFailure: "the message does not authenticate under this key"
        case .underlyingCoreCryptoError(let error): "OpenSSL refused the operation (error \(error))"
        case .invalidParameter: "a parameter has the right length and no valid value"
        }
    }
}
