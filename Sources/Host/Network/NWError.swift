import Foundation
import RadioModel

/// Why a connection waits, or has failed.
public enum NWError: Error, Sendable, Equatable, CustomDebugStringConvertible {
    case posix(POSIXErrorCode)
    /// A code of DNS-SD's; -65554 is `kDNSServiceErr_NoSuchRecord`.
    case dns(Int32)
    /// A code of Security's.
    case tls(Int32)

    /// A name cannot be resolved: nobody on the phone's networks does that.
    static let noSuchRecord = NWError.dns(-65554)

    /// What became of a stream of the radio's.
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
