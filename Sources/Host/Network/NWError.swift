import Foundation
import RadioModel

/// The reason why a connection is waiting or has failed.
public enum NWError: Error, Sendable, Equatable, CustomDebugStringConvertible {
    /// An `errno` of the system.
    case posix(POSIXErrorCode)
    /// A code of DNS-SD; -65554 is `kDNSServiceErr_NoSuchRecord`.
    case dns(Int32)
    /// A code of the Security framework. This phone never gives it.
    case tls(Int32)

    /// A name cannot be resolved, because no network of the phone resolves names.
    static let noSuchRecord = NWError.dns(-65554)

    /// Converts an error of the radio's stream.
    init(_ error: any Error) {
        switch error as? RadioError {
        case .streamFailed(let code, _): self = .posix(POSIXErrorCode(rawValue: code) ?? .EIO)
        case .notConnected: self = .posix(.ENETDOWN)
        case .invalid: self = .posix(.EINVAL)
        default: self = .posix(.EIO)
        }
    }

    public var debugDescription: String {
        switch self {
        case .posix(let code): "POSIXErrorCode(rawValue: \(code.rawValue)): \(String(cString: strerror(code.rawValue)))"
        case .dns(let code): "DNS: \(code)"
        case .tls(let code): "TLS: \(code)"
        }
    }
}
