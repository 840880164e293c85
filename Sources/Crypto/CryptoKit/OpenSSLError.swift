import COpenSSL

/// Turns OpenSSL's "not 1" into an error that carries the code OpenSSL left behind.
///
/// The thread's error queue is emptied, so that a refusal here is never blamed on a later call.
@inline(__always)
func check(_ result: Int32) throws(CryptoKitError) {
    guard result == 1 else { throw CryptoKitError.fromOpenSSL() }
}

/// Turns OpenSSL's null pointer into an error that carries the code OpenSSL left behind.
@inline(__always)
func check<Pointer>(_ pointer: Pointer?) throws(CryptoKitError) -> Pointer {
    guard let pointer else { throw CryptoKitError.fromOpenSSL() }
    return pointer
}

extension CryptoKitError {
    /// The last error of OpenSSL's queue on this thread; empties the queue.
    static func fromOpenSSL() -> CryptoKitError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        return .underlyingCoreCryptoError(error: Int32(truncatingIfNeeded: code))
    }
}
