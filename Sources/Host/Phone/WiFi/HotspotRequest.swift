import Foundation
import RadioModel

/// The Wi-Fi network that an app asks to join: its name, its passphrase, and for how long.
public struct HotspotRequest: Sendable, Hashable {
    /// How the network is named. An exact SSID has 1 to 32 bytes of UTF-8; a prefix has at least 3 characters (W2).
    public enum Name: Sendable, Hashable {
        case exact(String)
        case prefix(String)

        /// The SSID or prefix as the app gave it.
        public var text: String {
            switch self {
            case .exact(let ssid): ssid
            case .prefix(let prefix): prefix
            }
        }

        func matches(_ ssid: String) -> Bool {
            switch self {
            case .exact(let wanted): ssid.isSameSSID(as: wanted)
            case .prefix(let prefix): ssid.utf8.starts(with: prefix.utf8)
            }
        }
    }

    public var name: Name
    /// The passphrase or key; nil for an open network.
    ///
    /// WPA: 8 to 63 printable ASCII characters, or 64 hexadecimal digits. WEP: a key of 40 or 104 bits, as 5 or 13
    /// characters, or as 10 or 26 hexadecimal digits.
    public var passphrase: String?
    public var isWEP: Bool
    /// Whether the phone leaves and forgets the network when the app ends.
    public var joinOnce: Bool

    public init(name: Name, passphrase: String? = nil, isWEP: Bool = false, joinOnce: Bool = false) {
        self.name = name
        self.passphrase = passphrase
        self.isWEP = isWEP
        self.joinOnce = joinOnce
    }

    /// A copy of a request that names one network exactly.
    init(_ other: HotspotRequest, ssid: String) {
        self = other
        name = .exact(ssid)
    }
}

/// Why the phone did not join a network that an app asked for.
public enum HotspotFailure: Error, Sendable, Hashable {
    case invalidSSID, invalidSSIDPrefix, invalidWPAPassphrase, invalidWEPPassphrase
    case userDenied
    /// Another request of the same app is still under way.
    case pending
    case alreadyAssociated
    case notInForeground
    /// The network was not found, or refused the phone.
    case joinFailed
}

extension HotspotRequest {
    /// The first mistake in the form of the request; nil if the form is right (W2).
    var formFailure: HotspotFailure? {
        switch name {
        // IEEE 802.11-2020, 9.4.2.2: an SSID has at most 32 bytes. iOS refuses an empty one.
        case .exact(let ssid): if !(1...32).contains(ssid.utf8.count) { return .invalidSSID }
        // NetworkExtension's header: at least 3 characters.
        case .prefix(let prefix): if prefix.count < 3 || prefix.utf8.count > 32 { return .invalidSSIDPrefix }
        }
        guard let passphrase else { return nil }
        let characters = Array(passphrase.utf8)
        let isHex = characters.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        if isWEP {
            // A key of 40 or 104 bits, as text or as hexadecimal digits.
            let isKey = [5, 13].contains(characters.count) || isHex && [10, 26].contains(characters.count)
            return isKey ? nil : .invalidWEPPassphrase
        }
        // IEEE 802.11-2020, J.4.1: printable ASCII.
        let isPassphrase = (8...63).contains(characters.count) && characters.allSatisfy { (32...126).contains($0) }
        return isPassphrase || isHex && characters.count == 64 ? nil : .invalidWPAPassphrase
    }

    /// How to join a network from a scan; nil if the request does not fit the network's security.
    func credentials(for network: WiFiNetwork) -> WiFiCredentials? {
        guard !isWEP, (passphrase == nil) == (network.security == .open) else { return nil }
        return WiFiCredentials(
            ssid: network.ssid, security: network.security, passphrase: passphrase, encoding: network.encoding)
    }
}
