/// How a network keeps strangers out.
public enum WiFiSecurity: String, Sendable, Hashable, Codable, CaseIterable {
    /// No key at all.
    case open
    /// WPA2-Personal: PSK, CCMP.
    case wpa2
    /// WPA3-Personal: SAE, with protected management frames required.
    case wpa3
    /// WPA2 and WPA3 on one network.
    case wpa2wpa3
}

/// A network as heard in a scan.
public struct WiFiNetwork: Sendable, Hashable, Codable {
    /// As text where its 0 to 32 bytes are UTF-8, else empty, as that of a network which hides.
    public var ssid: String
    public var bssid: DeviceAddress
    /// Centre frequency, MHz.
    public var frequency: Int
    /// Received signal strength, dBm.
    public var signal: Int
    public var security: WiFiSecurity

    public init(ssid: String, bssid: DeviceAddress, frequency: Int, signal: Int, security: WiFiSecurity) {
        self.ssid = ssid
        self.bssid = bssid
        self.frequency = frequency
        self.signal = signal
        self.security = security
    }
}

/// What a phone needs to join a network.
public struct WiFiCredentials: Sendable, Hashable, Codable, CustomStringConvertible {
    public var ssid: String
    public var security: WiFiSecurity
    /// 8 to 63 characters or 64 hexadecimal digits; nil for an open network.
    public var passphrase: String?

    public init(ssid: String, security: WiFiSecurity, passphrase: String? = nil) {
        self.ssid = ssid
        self.security = security
        self.passphrase = passphrase
    }

    /// Without the passphrase, so that no log holds it.
    public var description: String { "\(ssid) (\(security))" }
}

/// A joined network.
public struct WiFiLink: Sendable, Hashable, Codable {
    public var ssid: String
    public var bssid: DeviceAddress
    /// The key management that was agreed on, as the supplicant names it: `WPA2-PSK`, `SAE`, `NONE`.
    public var keyManagement: String
    /// Our IPv4 address in dotted form.
    public var address: String
    /// The router's IPv4 address (the accessory's own, on its network).
    public var router: String
    /// Whether management frames are protected (IEEE 802.11w).
    public var protectsManagement: Bool

    public init(
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
