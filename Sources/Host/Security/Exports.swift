@_exported import Foundation
@_exported import HILFoundation

@_exported import typealias Network.CFAllocator
@_exported import typealias Network.CFArray
@_exported import typealias Network.CFData
@_exported import typealias Network.CFError
@_exported import typealias Network.CFString
@_exported import typealias Network.CFTypeRef
// Certificates and trust are Network's here, because TLS uses them.
@_exported import class Network.SecCertificate
@_exported import func Network.SecCertificateCopyData
@_exported import func Network.SecCertificateCreateWithData
@_exported import class Network.SecPolicy
@_exported import func Network.SecPolicyCreateBasicX509
@_exported import func Network.SecPolicyCreateSSL
@_exported import class Network.SecTrust
@_exported import func Network.SecTrustCopyCertificateChain
@_exported import func Network.SecTrustEvaluateWithError
@_exported import func Network.SecTrustGetCertificateAtIndex
@_exported import func Network.SecTrustGetCertificateCount
@_exported import func Network.SecTrustSetAnchorCertificates
@_exported import func Network.SecTrustSetAnchorCertificatesOnly
@_exported import func Network.SecTrustSetPolicies
@_exported import let Network.errSSLBadCert
@_exported import let Network.errSSLClosedNoNotify
@_exported import let Network.errSSLPeerCertUnknown
@_exported import let Network.errSSLPeerHandshakeFail
@_exported import let Network.errSSLPeerProtocolVersion
@_exported import let Network.errSecParam
@_exported import let Network.errSecSuccess
@_exported import let Network.kCFAllocatorDefault
