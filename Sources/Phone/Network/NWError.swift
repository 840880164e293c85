import Foundation
import HILTLS
import RadioModel

/// A code of DNS-SD.
public typealias DNSServiceErrorType = Int32

/// Codes of DNS-SD that apps compare with: unknown, no such record, a name that is taken, a service type that the app
/// does not declare, and a local network that the person does not allow.
public let kDNSServiceErr_Unknown = -65537, kDNSServiceErr_NoSuchRecord = -65554, kDNSServiceErr_NameConflict = -65548,
    kDNSServiceErr_BadParam = -65540, kDNSServiceErr_NoAuth = -65555, kDNSServiceErr_Timeout = -65568,
    kDNSServiceErr_PolicyDenied = -65570, kDNSServiceErr_NoError = 0

/// The reason why a connection is waiting or has failed.
public enum NWError: Error, Sendable, Equatable, CustomDebugStringConvertible {
    /// An `errno` of the system.
    case posix(POSIXErrorCode)
    /// A code of DNS-SD, such as ``kDNSServiceErr_PolicyDenied``.
    case dns(DNSServiceErrorType)
    /// A code of the Security framework, such as `errSSLBadCert`.
    case tls(Int32)

    /// Nobody on the network has the name.
    static let noSuchRecord = NWError.dns(Int32(kDNSServiceErr_NoSuchRecord))
    /// The app does not declare the service type.
    static let noAuth = NWError.dns(Int32(kDNSServiceErr_NoAuth))
    /// The person does not allow the local network.
    static let policyDenied = NWError.dns(Int32(kDNSServiceErr_PolicyDenied))

    /// Converts an error of the radio's stream, or of TLS over it.
    init(_ error: any Error) {
        if let failure = error as? TLSFailure {
            self.init(failure)
            return
        }
        switch error as? RadioError {
        case .streamFailed(let code, _): self = .posix(POSIXErrorCode(rawValue: code) ?? .EIO)
        case .notConnected: self = .posix(.ENETDOWN)
        case .invalid: self = .posix(.EINVAL)
        default: self = .posix(.EIO)
        }
    }

    /// Converts an error of a search, of an offered service, or of resolving a name.
    init(bonjour error: any Error) {
        switch error as? RadioError {
        case .noAnswer: self = .noSuchRecord
        case .invalid: self = .dns(Int32(kDNSServiceErr_BadParam))
        case .rig, nil: self = .dns(Int32(kDNSServiceErr_Unknown))
        default: self = NWError(error)
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
