import FoundationEssentials
import RadioModel

/// The files of a WPA2-Enterprise network's server, for hostapd. They hold passwords and a key: only their owner may be
/// able to read them.
package struct EnterpriseFiles: Sendable {
    /// What the files contain.
    package let server: EnterpriseServer
    /// The path that all files share, without their endings.
    package let path: String

    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if no login can succeed, or if a name or a password has characters
    ///   that hostapd's file cannot hold.
    package init(_ server: EnterpriseServer, path: String) throws(RadioError) {
        (self.server, self.path) = (server, path)
        guard !server.methods.isEmpty, !server.certificate.isEmpty, !server.key.isEmpty else {
            throw .invalid("a WPA2-Enterprise network needs a method, and the server's certificate with its key")
        }
        guard !server.methods.contains(.tls) || !server.trustedCertificates.isEmpty else {
            throw .invalid("for EAP-TLS, the server needs at least one trusted certificate")
        }
        for (user, password) in server.passwords {
            guard (1...255).contains(user.utf8.count), !user.utf8.contains(UInt8(ascii: "\"")), !user.hasPrefix("*"),
                (1...128).contains(password.utf8.count), (user + password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { throw .invalid("the name or the password of a user has characters that hostapd cannot read") }
        }
    }

    /// The endings and contents of the files.
    package var contents: [(ending: String, text: String)] {
        var files = [
            ("users", users), ("crt", PEM.text([server.certificate], "CERTIFICATE")),
            ("key", PEM.text([server.key], "EC PRIVATE KEY")),
        ]
        if !server.trustedCertificates.isEmpty {
            files.append(("ca", PEM.text(server.trustedCertificates, "CERTIFICATE")))
        }
        return files
    }

    /// hostapd's file of users: first the methods for all, then each user's password inside a tunnel.
    private var users: String {
        let outer = "* " + server.methods.map(\.name).joined(separator: ",")
        let inner = server.passwords.sorted { $0.key < $1.key }.map { user, password in
            // The password as digits: its bytes cannot end the line.
            "\"\(user)\" MSCHAPV2,TTLS-PAP,TTLS-CHAP,TTLS-MSCHAP,TTLS-MSCHAPV2 \(Hex.text(Array(password.utf8))) [2]"
        }
        return ([outer] + inner).map { $0 + "\n" }.joined()
    }

    /// The lines of hostapd's configuration.
    var lines: [String] {
        let roots = server.trustedCertificates.isEmpty ? [] : ["ca_cert=\(path).ca"]
        return ["eap_server=1", "eap_user_file=\(path).users", "server_cert=\(path).crt", "private_key=\(path).key"]
            + roots
    }
}

/// The files of a login, for wpa_supplicant. One holds the phone's key: only their owner may be able to read them.
package struct LoginFiles: Sendable {
    /// The path that all files share, without their endings.
    package let path: String

    package init(path: String) { self.path = path }

    /// The endings and contents of the files of a login.
    ///
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` if something that a method needs is missing.
    package static func contents(of login: EnterpriseLogin) throws(RadioError) -> [(ending: String, text: String)] {
        guard !login.methods.isEmpty, !login.trustedCertificates.isEmpty else {
            throw .invalid("a login needs a method, and the certificate of a server or a root that it trusts")
        }
        guard
            login.serverNames.allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3B } })
        else { throw .invalid("the name of a server has characters that a name of a host lacks") }
        var files = [("ca", PEM.text(login.trustedCertificates, "CERTIFICATE"))]
        if let certificate = login.certificate, let key = login.key {
            files += [("crt", PEM.text([certificate], "CERTIFICATE")), ("key", PEM.text([key], "EC PRIVATE KEY"))]
        } else if login.methods == [.tls] {
            throw .invalid("EAP-TLS needs a certificate of the phone, with its key")
        }
        return files
    }

    /// Names and values for `SET_NETWORK`. `password` is secret.
    func settings(of login: EnterpriseLogin) -> [(name: String, value: String)] {
        // As digits, so that no byte can end the value.
        func digits(_ text: String) -> String { Hex.text(Array(text.utf8)) }
        var settings = [
            ("eap", login.methods.map(\.name).joined(separator: " ")), ("identity", digits(login.user)),
            ("ca_cert", "\"\(path).ca\""),
        ]
        if let outer = login.outerIdentity { settings.append(("anonymous_identity", digits(outer))) }
        if let password = login.password { settings.append(("password", digits(password))) }
        if !login.serverNames.isEmpty {
            settings.append(("domain_match", "\"\(login.serverNames.joined(separator: ";"))\""))
        }
        if login.certificate != nil, login.key != nil {
            settings += [("client_cert", "\"\(path).crt\""), ("private_key", "\"\(path).key\"")]
        }
        let inner = login.ttlsPassword == .eap ? "autheap=MSCHAPV2" : "auth=\(login.ttlsPassword.rawValue)"
        settings.append(("phase2", login.methods.contains(.ttls) ? "\"\(inner)\"" : "\"auth=MSCHAPV2\""))
        return settings
    }
}

/// Text of certificates and keys (RFC 7468).
enum PEM {
    static func text(_ items: [[UInt8]], _ label: String) -> String {
        items.map { item in
            let lines = Data(item).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
        }.joined()
    }
}
