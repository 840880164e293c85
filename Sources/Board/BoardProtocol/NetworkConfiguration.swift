import RadioModel

/// A network for the access point of the accessory board.
public struct NetworkConfiguration: Sendable, Hashable, Codable {
    /// The name, 1 to 32 bytes in ``encoding``.
    public var ssid: String
    /// How the name becomes bytes. With `.windowsLatin1`, a name with an umlaut is not UTF-8, as with old routers.
    public var encoding: NameEncoding
    /// How stations prove that they may join.
    public var security: WiFiSecurity
    /// 8 to 63 characters; nil for an open network.
    public var passphrase: String?
    /// Whether a WPA2 network accepts only stations that protect management frames (IEEE 802.11w). WPA3 always does.
    public var requiresProtectedManagement: Bool
    /// 1 to 13 of the 2.4 GHz band; 36, 40, 44, 48, 149, 153, 157, 161 or 165 of the 5 GHz band.
    ///
    /// A board has one radio, so all its networks must use one channel.
    public var channel: Int
    /// Whether its beacons leave out the name.
    public var isHidden = false
    /// Whether a network with SAE announces no protection of management frames, which a faulty access point does.
    public var lacksProtectedManagement = false
    /// Whether it offers Wi-Fi Protected Setup, by a button.
    package var hasWPS = false
    /// Whether it passes nothing from one station to another.
    package var isolatesStations = false
    /// The server of a WPA2-Enterprise network; nil for other networks.
    package var server: EnterpriseServer?
    /// The accessory's own IPv4 address on the network, in dotted form, and that of its DHCP server's router: `192.168.4.1`.
    /// The mask has 24 bits. Nil for one that the board chooses.
    public var address: String?

    /// Makes a network; the properties say what each value means.
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
