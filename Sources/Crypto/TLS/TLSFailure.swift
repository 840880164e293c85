import HILCSSL

/// Why a TLS connection could not be made, or was ended.
public struct TLSFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it is.
    package enum Cause: Sendable, Equatable {
        /// The peer's certificate is not trusted.
        case untrusted
        /// The peer has sent this alert. Source: RFC 8446, section 6.2.
        case alert(Int)
        /// The peer has ended the stream in the middle of the handshake.
        case ended
        /// The peer sent something other than TLS, or both have no version or cipher in common.
        case violation
    }

    package let cause: Cause
    public let description: String

    package init(_ cause: Cause, _ description: String) { (self.cause, self.description) = (cause, description) }

    /// The reasons that OpenSSL gives alerts of the peer begin here: `SSL_AD_REASON_OFFSET`.
    private static let alerts = 1000

    /// Takes the oldest error of the calling thread, and forgets the others.
    static func last(while action: String) -> TLSFailure {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return TLSFailure(.violation, "\(action): OpenSSL gives no reason") }
        let reason = Int(code & 0x7F_FFFF)
        let text = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(reason)"
        let isAlert = reason > alerts && reason < alerts + 256
        return TLSFailure(isAlert ? .alert(reason - alerts) : .violation, "\(action): \(text)")
    }
}
