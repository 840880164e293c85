/// A way to log in to a WPA2-Enterprise network. Raw values: IANA, Method Types of the Extensible Authentication Protocol.
public enum EAPMethod: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Both ends show a certificate.
    case tls = 13
    /// A password in a tunnel to a server that shows a certificate.
    case ttls = 21
    /// A password in a tunnel to a server that shows a certificate, by MS-CHAP version 2.
    case peap = 25

    /// The name in settings of hostapd and wpa_supplicant.
    package var name: String {
        switch self {
        case .tls: "TLS"
        case .ttls: "TTLS"
        case .peap: "PEAP"
        }
    }
}

/// How the password goes through the tunnel of EAP-TTLS.
package enum TTLSPassword: String, Sendable, Hashable, Codable, CaseIterable {
    case pap = "PAP"
    case chap = "CHAP"
    case mschap = "MSCHAP"
    case mschapv2 = "MSCHAPV2"
    /// By EAP-MSCHAPv2.
    case eap = "EAP"
}

/// What a phone needs to log in to a WPA2-Enterprise network.
public struct EnterpriseLogin: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The methods that the phone accepts; at least one.
    package var methods: [EAPMethod]
    /// The user's name. It goes through the tunnel, if there is one.
    package var user: String
    /// The name outside the tunnel; nil for the user's name.
    package var outerIdentity: String?
    /// For `ttls` and `peap`.
    package var password: String?
    package var ttlsPassword: TTLSPassword
    /// The certificates that the phone trusts, in DER: roots, or the server's own; at least one.
    package var trustedCertificates: [[UInt8]]
    /// The names that the server's certificate may have; empty for any.
    package var serverNames: [String]
    /// For `tls`: the phone's certificate in DER, and its private key on an elliptic curve in DER (RFC 5915).
    package var certificate: [UInt8]?
    package var key: [UInt8]?

    package init(
        methods: [EAPMethod], user: String, password: String? = nil, trusting trustedCertificates: [[UInt8]],
        serverNames: [String] = [], outerIdentity: String? = nil, ttlsPassword: TTLSPassword = .mschapv2,
        certificate: [UInt8]? = nil, key: [UInt8]? = nil
    ) {
        self.methods = methods
        self.user = user
        self.password = password
        self.trustedCertificates = trustedCertificates
        self.serverNames = serverNames
        self.outerIdentity = outerIdentity
        self.ttlsPassword = ttlsPassword
        self.certificate = certificate
        self.key = key
    }

    /// Without the password and the key.
    public var description: String { "\(user), by \(methods.map(\.name).joined(separator: ", "))" }
}

/// The authentication server of a WPA2-Enterprise network.
public struct EnterpriseServer: Sendable, Hashable, Codable, CustomStringConvertible {
    package var methods: [EAPMethod]
    /// The server's certificate in DER, and its private key on an elliptic curve in DER (RFC 5915).
    package var certificate: [UInt8]
    package var key: [UInt8]
    /// The passwords by user, for `ttls` and `peap`.
    package var passwords: [String: String]
    /// For `tls`: the certificates in DER that it trusts, roots or phones' own.
    package var trustedCertificates: [[UInt8]]

    package init(
        methods: [EAPMethod], certificate: [UInt8], key: [UInt8], passwords: [String: String] = [:],
        trusting trustedCertificates: [[UInt8]] = []
    ) {
        self.methods = methods
        self.certificate = certificate
        self.key = key
        self.passwords = passwords
        self.trustedCertificates = trustedCertificates
    }

    /// Without passwords and the key.
    public var description: String { methods.map(\.name).joined(separator: ", ") }
}
