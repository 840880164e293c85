import Foundation
import HILTrust
import RadioModel
import Synchronization

/// How to log in to a WPA2-Enterprise network. Values: NetworkExtension, `NEHotspotConfigurationManager.h`.
///
/// EAP-TTLS and PEAP are real logins. A login needs trusted certificates, by ``setTrustedServerCertificates(_:)``: this phone
/// has no root certificates, so it trusts no server by ``trustedServerNames`` alone. EAP-TLS needs an identity, and
/// this phone's keychain has no private keys; EAP-FAST is not simulated either.
open class NEHotspotEAPSettings: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open, as on iOS. A mutex guards its only variable.

    /// A way to log in. Raw values: those of ``NEHotspotEAPSettings/supportedEAPTypes``.
    public enum EAPType: Int, Sendable {
        case EAPTLS = 13
        case EAPTTLS = 21
        case EAPPEAP = 25
        case EAPFAST = 43
    }

    /// How the password goes through the tunnel of EAP-TTLS.
    public enum TTLSInnerAuthenticationType: Int, Sendable {
        case eapttlsInnerAuthenticationPAP = 0
        case eapttlsInnerAuthenticationCHAP = 1
        case eapttlsInnerAuthenticationMSCHAP = 2
        case eapttlsInnerAuthenticationMSCHAPv2 = 3
        case eapttlsInnerAuthenticationEAP = 4
    }

    /// The version of TLS of the tunnel. The phone uses the newest that both ends know.
    public enum TLSVersion: Int, Sendable {
        case _1_0 = 0
        case _1_1 = 1
        case _1_2 = 2
    }

    private struct State: Sendable {
        var supportedEAPTypes: [NSNumber] = []
        var username = ""
        var outerIdentity = ""
        var ttlsInnerAuthenticationType = TTLSInnerAuthenticationType.eapttlsInnerAuthenticationEAP
        var password = ""
        var trustedServerNames: [String] = []
        var isTLSClientCertificateRequired = false
        var preferredTLSVersion = TLSVersion._1_0
        var certificates: [[UInt8]] = []
    }

    private let state = Mutex(State())

    public override init() {}

    /// The ways that the phone accepts, as raw values of ``EAPType``.
    public var supportedEAPTypes: [NSNumber] {
        get { state.withLock { $0.supportedEAPTypes } }
        set { state.withLock { $0.supportedEAPTypes = newValue } }
    }
    public var username: String {
        get { state.withLock { $0.username } }
        set { state.withLock { $0.username = newValue } }
    }
    /// The name outside the tunnel; empty for the user's name.
    public var outerIdentity: String {
        get { state.withLock { $0.outerIdentity } }
        set { state.withLock { $0.outerIdentity = newValue } }
    }
    public var ttlsInnerAuthenticationType: TTLSInnerAuthenticationType {
        get { state.withLock { $0.ttlsInnerAuthenticationType } }
        set { state.withLock { $0.ttlsInnerAuthenticationType = newValue } }
    }
    public var password: String {
        get { state.withLock { $0.password } }
        set { state.withLock { $0.password = newValue } }
    }
    /// The names that the server's certificate may have; empty for any.
    public var trustedServerNames: [String] {
        get { state.withLock { $0.trustedServerNames } }
        set { state.withLock { $0.trustedServerNames = newValue } }
    }
    public var isTLSClientCertificateRequired: Bool {
        get { state.withLock { $0.isTLSClientCertificateRequired } }
        set { state.withLock { $0.isTLSClientCertificateRequired = newValue } }
    }
    public var preferredTLSVersion: TLSVersion {
        get { state.withLock { $0.preferredTLSVersion } }
        set { state.withLock { $0.preferredTLSVersion = newValue } }
    }

    /// Sets the certificates that the phone trusts: roots, or the server's own.
    ///
    /// - Parameter certificates: `SecCertificate`s, at most 10.
    /// - Returns: False if there are none, too many, or something else among them.
    open func setTrustedServerCertificates(_ certificates: [Any]) -> Bool {
        let found = certificates.compactMap {
            ($0 as? SecCertificate).map { Array(SecCertificateCopyData($0) as Data) }
        }
        guard !found.isEmpty, found.count == certificates.count, found.count <= 10 else { return false }
        state.withLock { $0.certificates = found }
        return true
    }

    @available(*, unavailable, message: "EAP-TLS is not simulated for apps: this phone's keychain has no private keys")
    open func setIdentity(_ identity: AnyObject) -> Bool { false }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NEHotspotEAPSettings()
        let values = state.withLock { $0 }
        copy.state.withLock { $0 = values }
        return copy
    }

    var login: EnterpriseLogin {
        let state = state.withLock { $0 }
        let password: TTLSPassword =
            switch state.ttlsInnerAuthenticationType {
            case .eapttlsInnerAuthenticationPAP: .pap
            case .eapttlsInnerAuthenticationCHAP: .chap
            case .eapttlsInnerAuthenticationMSCHAP: .mschap
            case .eapttlsInnerAuthenticationMSCHAPv2: .mschapv2
            case .eapttlsInnerAuthenticationEAP: .eap
            }
        return EnterpriseLogin(
            methods: state.supportedEAPTypes.compactMap { EAPMethod(rawValue: $0.intValue) }, user: state.username,
            password: state.password.isEmpty ? nil : state.password, trusting: state.certificates,
            serverNames: state.trustedServerNames,
            outerIdentity: state.outerIdentity.isEmpty ? nil : state.outerIdentity,
            ttlsPassword: password)
    }
}

/// The provider of Hotspot 2.0 networks. Hotspot 2.0 is not simulated: the phone stores such a configuration, and never
/// joins by it.
open class NEHotspotHS20Settings: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open, as on iOS. A mutex guards its only variable.

    private struct State: Sendable {
        var roamingConsortiumOIs: [String] = []
        var naiRealmNames: [String] = []
        var mccAndMNCs: [String] = []
    }

    public let domainName: String
    public let isRoamingEnabled: Bool
    private let state = Mutex(State())

    public init(domainName: String, roamingEnabled: Bool) {
        (self.domainName, isRoamingEnabled) = (domainName, roamingEnabled)
    }

    public var roamingConsortiumOIs: [String] {
        get { state.withLock { $0.roamingConsortiumOIs } }
        set { state.withLock { $0.roamingConsortiumOIs = newValue } }
    }
    public var naiRealmNames: [String] {
        get { state.withLock { $0.naiRealmNames } }
        set { state.withLock { $0.naiRealmNames = newValue } }
    }
    public var mccAndMNCs: [String] {
        get { state.withLock { $0.mccAndMNCs } }
        set { state.withLock { $0.mccAndMNCs = newValue } }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NEHotspotHS20Settings(domainName: domainName, roamingEnabled: isRoamingEnabled)
        let values = state.withLock { $0 }
        copy.state.withLock { $0 = values }
        return copy
    }
}
