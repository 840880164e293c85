import RadioModel

/// A network for the access point of the accessory board.
public struct NetworkConfiguration: Sendable, Hashable, Codable {
    /// The name, 1 to 32 bytes in ``encoding``.
    public var ssid: String
    /// How the name becomes bytes. With `.windowsLatin1`, a name with an umlaut is not UTF-8, as with old routers.
    public var encoding: NameEncoding
    public var security: WiFiSecurity
    /// 8 to 63 characters; nil for an open network.
    public var passphrase: String?
    /// Whether a WPA2 network accepts only stations that protect management frames (IEEE 802.11w). WPA3 always does.
    public var requiresProtectedManagement: Bool
    /// 1 to 13 of the 2.4 GHz band; 36, 40, 44, 48, 149, 153, 157, 161 or 165 of the 5 GHz band.
    ///
    /// A board has one radio, so all its networks must use one channel.
    public var channel: Int

    public init(
        ssid: String, security: WiFiSecurity, passphrase: String? = nil, requiresProtectedManagement: Bool = false,
        channel: Int = 1, encoding: NameEncoding = .utf8
    ) {
        self.encoding = encoding
        self.channel = channel
        self.ssid = ssid
        self.security = security
        self.passphrase = passphrase
        self.requiresProtectedManagement = requiresProtectedManagement
    }
}
