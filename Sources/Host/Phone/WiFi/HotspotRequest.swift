import Foundation
import RadioModel

/// A network that an app wants to join.
public struct HotspotRequest: Sendable, Hashable {
    public enum Name: Sendable, Hashable {
        case exact(String)
        case prefix(String)

        /// As it was given, for people and for lists.
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
    public var passphrase: String?
    public var isWEP: Bool
    /// Whether the network is left and forgotten when the app ends.
    public var joinOnce: Bool

    public init(name: Name, passphrase: String? = nil, isWEP: Bool = false, joinOnce: Bool = false) {
        self.name = name
        self.passphrase = passphrase
        self.isWEP = isWEP
        self.joinOnce = joinOnce
    }

    /// The same for the one network that a request led to.
    init(_ other: HotspotRequest, ssid: String) {
        self = other
        name = .exact(ssid)
    }
}

/// Why a network was not joined.
public enum HotspotFailure: Error, Sendable, Hashable {
    case invalidSSID, invalidSSIDPrefix, invalidWPAPassphrase, invalidWEPPassphrase
    case userDenied
    /// Another request of the app is under way.
    case pending
    case alreadyAssociated
    case notInForeground
    /// The network is absent, or did not let the phone in.
    case joinFailed
}

extension HotspotRequest {
    /// What is wrong with the form of the request, if anything (W2).
    var formFailure: HotspotFailure? {
        switch name {
        // IEEE 802.11-2020, 9.4.2.2: an SSID has at most 32 bytes; iOS takes no empty one.
        case .exact(let ssid): if !(1...32).contains(ssid.utf8.count) { return .invalidSSID }
        // NetworkExtension's header: at least 3 characters.
        case .prefix(let prefix): if prefix.count < 3 || prefix.utf8.count > 32 { return .invalidSSIDPrefix }
        }
        guard let passphrase else { return nil }
        let characters = Array(passphrase.utf8)
        let isHex = characters.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
        if isWEP {
            // 40 and 104 bits, as text or as digits.
            let isKey = [5, 13].contains(characters.count) || isHex && [10, 26].contains(characters.count)
            return isKey ? nil : .invalidWEPPassphrase
        }
        // IEEE 802.11-2020, J.4.1: printable ASCII.
        let isPassphrase = (8...63).contains(characters.count) && characters.allSatisfy { (32...126).contains($0) }
        return isPassphrase || isHex && characters.count == 64 ? nil : .invalidWPAPassphrase
    }

    /// How to join a network that was heard; nil if what the app gave does not fit what the network asks for.
    func credentials(for network: WiFiNetwork) -> WiFiCredentials? {
        guard !isWEP, (passphrase == nil) == (network.security == .open) else { return nil }
        return WiFiCredentials(ssid: network.ssid, security: network.security, passphrase: passphrase)
    }
}
