import Foundation
import RadioModel

/// The Wi-Fi network that an app asks to join: its name, its passphrase, and for how long.
package struct HotspotRequest: Sendable, Hashable {
    /// How the network is named. An exact SSID has 1 to 32 bytes of UTF-8; a prefix has at least 3 characters (W2).
    package enum Name: Sendable, Hashable {
        case exact(String)
        case prefix(String)

        /// The SSID or prefix as the app gave it.
        package var text: String {
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

    package var name: Name
    /// The passphrase or key; nil for an open network.
    ///
    /// WPA: 8 to 63 printable ASCII characters, or 64 hexadecimal digits. WEP: a key of 40 or 104 bits, as 5 or 13
    /// characters, or as 10 or 26 hexadecimal digits.
    package var passphrase: String?
    package var isWEP: Bool
    /// Whether the phone leaves and forgets the network when the app ends, or stays in the background (W5).
    package var joinOnce: Bool
    /// Whether the network hides its name, so that the phone asks for it.
    package var isHidden = false
    /// After how many days the phone forgets the configuration, 1 to 365; nil for never, and so is any other number.
    package var lifeTimeInDays: Int?
    /// The login of a WPA2-Enterprise network; nil for other networks.
    package var login: EnterpriseLogin?
    /// The domain of a Hotspot 2.0 provider in place of a network's name; nil for other networks.
    ///
    /// The phone keeps such a configuration, and never joins by it: Hotspot 2.0 is not simulated.
    package var hotspot20Domain: String?

    package init(name: Name, passphrase: String? = nil, isWEP: Bool = false, joinOnce: Bool = false) {
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
package enum HotspotFailure: Error, Sendable, Hashable {
    case invalidSSID, invalidSSIDPrefix, invalidWPAPassphrase, invalidWEPPassphrase
    case invalidEAPSettings, invalidHS20DomainName
    /// A WPA2-Enterprise network cannot be joined once only.
    case joinOnceNotSupported
    case userDenied
    /// Another request of the same app is still under way.
    case pending
    case alreadyAssociated
    case notInForeground
    /// The network was not found, or refused the phone (``HostPolicy/HotspotCompletion/internalError``).
    case joinFailed
}

extension HotspotRequest {
    /// The first mistake in the form of the request; nil if the form is right (W2).
    var formFailure: HotspotFailure? {
        if let login {
            if joinOnce { return .joinOnceNotSupported }
            if !login.hasAllThatItNeeds { return .invalidEAPSettings }
        }
        if let hotspot20Domain { return hotspot20Domain.isEmpty || login == nil ? .invalidHS20DomainName : nil }
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

    /// How long the phone keeps the configuration; nil for ever. Enterprise networks never expire.
    var lifeTime: Duration? {
        guard login == nil, let days = lifeTimeInDays, 1...365 ~= days else { return nil }
        return .seconds(days * 86_400)
    }

    /// How to join a network from a scan; nil if the request does not fit the network's security.
    func credentials(for network: WiFiNetwork) -> WiFiCredentials? {
        guard mismatch(with: network) == nil else { return nil }
        return WiFiCredentials(
            // Without protected management frames, a phone joins a mixed network by WPA2.
            ssid: network.ssid, security: network.lacksProtectedFrames ? .wpa2 : network.security,
            passphrase: passphrase, encoding: network.encoding, isHidden: isHidden, login: login)
    }

    /// Why the request does not fit the security of a network; nil if it does.
    func mismatch(with network: WiFiNetwork) -> String? {
        let isPossible =
            switch network.security {
            case .open, .enhancedOpen: passphrase == nil && login == nil
            case .wpa2Enterprise: login != nil
            case .wpa1, .wpa1wpa2, .wpa2, .wpa3, .wpa2wpa3: passphrase != nil && !isWEP
            }
        guard isPossible else { return "it is \(network.security), and the app asks for \(security)" }
        guard network.security == .wpa3, network.lacksProtectedFrames else { return nil }
        let capabilities = network.rsnCapabilities ?? 0
        let bytes = Hex.text([UInt8(capabilities >> 8), UInt8(capabilities & 0xFF)])
        return "it offers SAE without protected management frames (RSN capabilities 0x\(bytes)), which WPA3 requires"
    }

    /// The security that the app asks for, as the end of an error message.
    private var security: String {
        if login != nil { return "WPA2 Enterprise" }
        return passphrase == nil ? "an open network" : isWEP ? "WEP" : "WPA"
    }
}

extension EnterpriseLogin {
    /// Whether each method has what it needs: a password, or a certificate.
    fileprivate var hasAllThatItNeeds: Bool {
        !methods.isEmpty
            && methods.allSatisfy { $0 == .tls ? certificate != nil && key != nil : password != nil && !user.isEmpty }
    }
}
