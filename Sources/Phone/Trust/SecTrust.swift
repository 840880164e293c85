import Foundation
import HILFoundation
import HILTLS
import Synchronization

// The names of Security that apps use to decide whether to trust a server. Core Foundation's types are Foundation's here, so
// that casts such as `as CFData` and `as [SecCertificate]` compile.

public typealias CFData = Data
public typealias CFArray = [Any]
public typealias CFString = String
public typealias CFTypeRef = Any
public typealias CFError = NSError
/// Always nil: memory is Swift's.
public typealias CFAllocator = Never
/// nil.
public let kCFAllocatorDefault: CFAllocator? = nil

/// The codes of Security that apps compare with: success, an invalid parameter, and failures of TLS.
public let errSecSuccess: OSStatus = 0, errSecParam: OSStatus = -50, errSSLBadCert: OSStatus = -9808,
    errSSLClosedNoNotify: OSStatus = -9816, errSSLPeerProtocolVersion: OSStatus = -9836,
    errSSLPeerCertUnknown: OSStatus = -9829, errSSLPeerHandshakeFail: OSStatus = -9824
/// An X.509 certificate.
public final class SecCertificate: Sendable {
    let der: [UInt8]

    init(_ der: [UInt8]) { self.der = der }
}

/// Reads a certificate in DER; nil if it is not one.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    TLSCertificates.isCertificate(Array(data)) ? SecCertificate(Array(data)) : nil
}

/// The certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { Data(certificate.der) }

/// The requirements on a server's certificate.
public final class SecPolicy: Sendable {
    /// The name that it has to have; nil for any.
    let host: String?

    init(host: String?) { self.host = host }
}

/// A policy for servers.
///
/// - Parameter hostname: The name that its certificate has to have; nil for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy(host: hostname) }

/// A policy for certificates of any name.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(host: nil) }

/// A server's certificates, and what they are checked against.
public final class SecTrust: Sendable {
    private struct Values: Sendable {
        var host: String?
        var anchors: [[UInt8]] = []
    }

    let chain: [[UInt8]]
    private let values: Mutex<Values>

    package init(_ chain: [[UInt8]], host: String?) {
        self.chain = chain
        values = Mutex(Values(host: host))
    }

    fileprivate func set(anchors: [[UInt8]]) { values.withLock { $0.anchors = anchors } }

    fileprivate func set(host: String?) { values.withLock { $0.host = host } }

    /// Why the server is not trusted; nil if it is. This phone has no root certificates.
    package var objection: String? {
        let values = values.withLock { $0 }
        return TLSCertificates.objection(to: chain, trusting: values.anchors, host: values.host)
    }
}

/// A server's certificates, as TLS gives them to an app.
public final class sec_trust: Sendable {
    let trust: SecTrust

    package init(_ trust: SecTrust) { self.trust = trust }
}

public typealias sec_trust_t = sec_trust

/// The certificates as an object of Security.
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> { .passRetained(trust.trust) }

/// Checks a server's certificates: their signatures, their dates, their name, and whether an anchor is among them.
///
/// - Parameter error: Gets the reason if they are not trusted.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    guard let objection = trust.objection else { return true }
    error?.pointee = NSError(
        domain: NSOSStatusErrorDomain, code: Int(errSSLBadCert), userInfo: [NSLocalizedDescriptionKey: objection])
    return false
}

/// Sets the certificates that are trusted. There are no others on this phone, so that
/// ``SecTrustSetAnchorCertificatesOnly(_:_:)`` changes nothing.
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    let certificates = (anchorCertificates ?? []).compactMap { $0 as? SecCertificate }
    guard certificates.count == anchorCertificates?.count ?? 0 else { return errSecParam }
    trust.set(anchors: certificates.map(\.der))
    return errSecSuccess
}

/// Has no effect: this phone has no root certificates.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    errSecSuccess
}

/// Sets the requirements on the server's certificate: one policy, or the last of an array.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policy = policies as? SecPolicy ?? (policies as? [Any])?.last as? SecPolicy else { return errSecParam }
    trust.set(host: policy.host)
    return errSecSuccess
}

/// The server's certificates, its own first.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.chain.map { SecCertificate($0) } }

/// How many certificates there are.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> Int { trust.chain.count }

/// One of the certificates; nil if there are fewer.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: Int) -> SecCertificate? {
    trust.chain.indices.contains(index) ? SecCertificate(trust.chain[index]) : nil
}
