/// How a network is protected.
public enum WiFiSecurity: String, Sendable, Hashable, Codable, CaseIterable {
    /// No key at all.
    case open
    /// Enhanced Open: encrypted without a passphrase (OWE, RFC 8110), with protected management frames required.
    case enhancedOpen
    /// The first WPA: PSK, TKIP.
    case wpa1
    /// The first WPA and WPA2 on one network: PSK, CCMP for WPA2, and TKIP for all stations together.
    case wpa1wpa2
    /// WPA2-Personal: PSK, CCMP.
    case wpa2
    /// WPA3-Personal: SAE, with protected management frames required.
    case wpa3
    /// Both WPA2 and WPA3 on one network.
    case wpa2wpa3
    /// WPA2-Enterprise: a login at a server (802.1X), CCMP.
    case wpa2Enterprise

    /// Whether a passphrase is all that a phone needs.
    package var hasPassphrase: Bool {
        switch self {
        case .open, .enhancedOpen, .wpa2Enterprise: false
        case .wpa1, .wpa1wpa2, .wpa2, .wpa3, .wpa2wpa3: true
        }
    }
}

/// A network that was found in a scan.
public struct WiFiNetwork: Sendable, Hashable, Codable {
    /// The name as text; empty for a hidden network, or if its 0 to 32 bytes are zeros.
    public var ssid: String
    /// How ``ssid`` was read from these bytes.
    package var encoding: NameEncoding
    /// The address of the access point.
    public var bssid: DeviceAddress
    /// Centre frequency, MHz.
    public var frequency: Int
    /// Received signal strength, dBm.
    package var signal: Int
    /// The security that it announces.
    public var security: WiFiSecurity
    /// The capabilities of its RSN element (IEEE 802.11-2020, 9.4.2.24.4); nil if it has none, or if they are unknown.
    package var rsnCapabilities: UInt16?
    /// Whether it encrypts some frames with TKIP, which is not secure.
    package var usesTKIP: Bool

    package init(
        ssid: String, bssid: DeviceAddress, frequency: Int, signal: Int, security: WiFiSecurity,
        encoding: NameEncoding = .utf8, rsnCapabilities: UInt16? = nil, usesTKIP: Bool = false
    ) {
        self.usesTKIP = usesTKIP
        self.ssid = ssid
        self.encoding = encoding
        self.bssid = bssid
        self.frequency = frequency
        self.signal = signal
        self.security = security
        self.rsnCapabilities = rsnCapabilities
    }

    /// Whether it offers SAE and also announces no protection of management frames, which SAE demands (WPA3
    /// Specification 3.4, 2.2).
    package var lacksProtectedFrames: Bool {
        [.wpa3, .wpa2wpa3].contains(security) && rsnCapabilities.map { $0 & 0x80 == 0 } == true
    }
}

/// The name and the key of a network, for joining it.
public struct WiFiCredentials: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The name of the network.
    public var ssid: String
    /// How the phone proves that it may join.
    public var security: WiFiSecurity
    /// 8 to 63 characters or 64 hexadecimal digits; nil for an open network.
    public var passphrase: String?
    /// How the bytes of the name on the air make ``ssid``.
    public var encoding: NameEncoding
    /// Whether the network hides its name, so that the phone has to ask for it.
    public var isHidden: Bool
    /// For a WPA2-Enterprise network.
    public var login: EnterpriseLogin?

    /// Makes credentials; the properties say what each value means.
    public init(
        ssid: String, security: WiFiSecurity, passphrase: String? = nil, encoding: NameEncoding = .utf8,
        isHidden: Bool = false, login: EnterpriseLogin? = nil
    ) {
        self.isHidden = isHidden
        self.login = login
        self.ssid = ssid
        self.encoding = encoding
        self.security = security
        self.passphrase = passphrase
    }

    /// Leaves out the passphrase, to keep it out of logs.
    public var description: String { "\(ssid) (\(security))" }
}

/// A network that the board has joined.
public struct WiFiLink: Sendable, Hashable, Codable {
    /// The name of the network.
    public var ssid: String
    package var bssid: DeviceAddress
    /// The key management in use, by the supplicant's name: `WPA2-PSK`, `SAE`, `OWE`, `WPA2/IEEE 802.1X/EAP`, `NONE`.
    public var keyManagement: String
    /// The board's own IPv4 address in dotted form.
    public var address: String
    /// The IPv4 address of the router. On a network of the accessory, this is the accessory.
    public var router: String
    /// Whether management frames are protected (IEEE 802.11w).
    public var protectsManagement: Bool

    package init(
        ssid: String, bssid: DeviceAddress, keyManagement: String, address: String, router: String,
        protectsManagement: Bool = false
    ) {
        self.protectsManagement = protectsManagement
        self.ssid = ssid
        self.bssid = bssid
        self.keyManagement = keyManagement
        self.address = address
        self.router = router
    }
}
