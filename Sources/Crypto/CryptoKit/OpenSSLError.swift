import HILCOpenSSL

/// Throws the error of OpenSSL's queue unless `result` is 1, OpenSSL's value for success.
///
/// Empties the thread's error queue, so that a later call does not report this error.
@inline(__always)
func check(_ result: Int32) throws(CryptoKitError) {
    guard result == 1 else { throw CryptoKitError.fromOpenSSL() }
}

/// Throws the error of OpenSSL's queue if `pointer` is null, OpenSSL's value for failure.
@inline(__always)
func check<Pointer>(_ pointer: Pointer?) throws(CryptoKitError) -> Pointer {
    guard let pointer else { throw CryptoKitError.fromOpenSSL() }
    return pointer
}

extension CryptoKitError {
    /// The error of swift-crypto for a key that its library refuses. That library gives no code.
    static let refusedKey = CryptoKitError.underlyingCoreCryptoError(error: 0)

    /// The last error in OpenSSL's queue for this thread. Empties the queue.
    static func fromOpenSSL() -> CryptoKitError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return .underlyingCoreCryptoError(error: Int32(truncatingIfNeeded: code))
    }
}
