import Foundation
import Glibc
import HILPOSIX
import RadioModel
import RigModel

/// The file with the credentials of real networks: `~/.config/hil/networks`, or the one that `HIL_NETWORKS` names.
///
/// ```
/// # Only its owner may read this file.
/// [Living Room]
/// security = wpa2
/// passphrase = correct horse battery staple
/// ```
///
/// The security is `open`, `wpa2` (the default), `wpa3` or `wpa2wpa3`. So a passphrase is never an argument of a program.
package struct RealHomeFile: Sendable {
    /// The securities that a real network may have.
    private static let securities: [WiFiSecurity] = [.open, .wpa2, .wpa3, .wpa2wpa3]

    let path: String

    /// - Parameter environment: The environment of this process.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let named = environment["HIL_NETWORKS"].flatMap { $0.isEmpty ? nil : $0 }
        path = named ?? "\(environment["HOME"] ?? "/root")/.config/hil/networks"
    }

    /// The file at a path.
    init(path: String) { self.path = path }

    /// The credentials of a network.
    ///
    /// - Throws: ``RigFailure`` if the file is missing, others may read it, or it does not have the network.
    package func home(named name: String) throws(RigFailure) -> RealHome {
        try checkOwner()
        let text: String
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw RigFailure(Self.action, on: path, "it cannot be read")
        }
        return try Self.home(named: name, in: text, path)
    }

    private static let action = "reading the credentials of the home's network"

    /// Refuses a file that others may read: its content would be no secret.
    private func checkOwner() throws(RigFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw RigFailure(
                Self.action, on: path, "there is no such file",
                remedy: "write [NAME] and passphrase = … into it, and `chmod 600 \(path)`")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & 0o077 == 0 else {
            throw RigFailure(
                Self.action, on: path, "others than you may read it", remedy: "`chmod 600 \(path)`, as its owner")
        }
    }

    /// Reads the text of the file. Pure. No message has a line of it, which may be a passphrase.
    static func home(named name: String, in text: String, _ path: String) throws(RigFailure) -> RealHome {
        var sections: [String: [String: String]] = [:]
        var section: String?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                section = String(line.dropFirst().dropLast())
                sections[section ?? "", default: [:]] = [:]
                continue
            }
            guard let section, let equals = line.firstIndex(of: "=") else {
                throw RigFailure(
                    action, on: path, "line \(number + 1) is neither [NAME] nor KEY = VALUE below it",
                    remedy: "write [NAME] and passphrase = …")
            }
            let key = line[..<equals].trimmingCharacters(in: .whitespaces)
            let value = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
            sections[section, default: [:]][key] = value
        }
        guard let found = sections[name] else {
            throw RigFailure(
                action, on: path, "it has no section [\(name)]", remedy: "add it, with passphrase = … below")
        }
        return try home(named: name, found, path)
    }

    private static func home(
        named name: String, _ values: [String: String], _ path: String
    ) throws(RigFailure) -> RealHome {
        let word = values["security"] ?? (values["passphrase"] == nil ? "open" : "wpa2")
        guard let security = securities.first(where: { $0.rawValue == word }) else {
            let words = securities.map(\.rawValue).joined(separator: ", ")
            throw RigFailure(
                action, on: path, "the security of [\(name)] is unknown", remedy: "take one of \(words)")
        }
        let passphrase = security == .open ? nil : values["passphrase"]
        do throws(RadioError) {
            _ = try WiFiCredentials.checked(ssid: name, security: security, passphrase: passphrase)
        } catch {
            // The error may have the passphrase in it.
            throw RigFailure(
                action, on: path, "the passphrase of [\(name)] cannot be one",
                remedy: "8 to 63 characters, or none with security = open")
        }
        return RealHome(ssid: name, security: security, passphrase: passphrase)
    }
}

extension WiFiCredentials {
    /// Credentials whose passphrase can be one: 8 to 63 characters, or 64 hexadecimal digits.
    fileprivate static func checked(
        ssid: String, security: WiFiSecurity, passphrase: String?
    ) throws(RadioError) -> WiFiCredentials {
        let isRaw = passphrase?.wholeMatch(of: /[0-9A-Fa-f]{64}/) != nil
        guard security == .open ? passphrase == nil : isRaw || 8...63 ~= (passphrase ?? "").utf8.count else {
            throw .invalid("no passphrase")
        }
        return WiFiCredentials(ssid: ssid, security: security, passphrase: passphrase)
    }
}
