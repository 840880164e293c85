import RadioModel

/// The settings of a network for wpa_supplicant, as values of `SET_NETWORK`.
package struct SupplicantNetwork: Sendable {
    package var credentials: WiFiCredentials
    /// Where to look for the network, as centre frequencies in MHz; empty for all channels.
    package var frequencies: [Int]
    private let name: [UInt8]
    private let files: LoginFiles?

    /// - Parameter files: The files of a login; needed for a WPA2-Enterprise network.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for an invalid name or key.
    package init(
        _ credentials: WiFiCredentials, frequencies: [Int] = [], files: LoginFiles? = nil
    ) throws(RadioError) {
        self.files = files
        name = try WiFiRules.check(
            ssid: credentials.ssid, in: credentials.encoding, security: credentials.security,
            passphrase: credentials.passphrase)
        self.credentials = credentials
        self.frequencies = frequencies
    }

    /// Names and values, to be set in this order. `psk` and `sae_password` are secret.
    package var settings: [(name: String, value: String)] {
        var settings = [("ssid", Hex.text(name)), ("key_mgmt", keyManagement)]
        if credentials.isHidden { settings.append(("scan_ssid", "1")) }
        switch credentials.security {
        case .open: break
        case .wpa1: settings += [("proto", "WPA"), ("pairwise", "TKIP"), ("group", "TKIP")]
        case .wpa1wpa2, .wpa2:
            settings += [("proto", "RSN"), ("pairwise", "CCMP TKIP"), ("group", "CCMP TKIP"), ("ieee80211w", "1")]
        case .enhancedOpen, .wpa3, .wpa2wpa3, .wpa2Enterprise:
            settings += [("proto", "RSN"), ("pairwise", "CCMP"), ("group", "CCMP")]
            // Protected management frames: 0 no, 1 if the network supports them, 2 required.
            let isRequired = [.wpa3, .enhancedOpen].contains(credentials.security)
            settings.append(("ieee80211w", isRequired ? "2" : "1"))
        }
        if let login = credentials.login, let files { settings += files.settings(of: login) }
        if !frequencies.isEmpty {
            let list = frequencies.map { "\($0)" }.joined(separator: " ")
            settings += [("scan_freq", list), ("freq_list", list)]
        }
        if let passphrase = credentials.passphrase {
            let isRawKey = WiFiRules.isRawKey(passphrase)
            // The supplicant reads up to the last quotation mark, so quotation marks inside need no escape.
            if credentials.security != .wpa3 { settings.append(("psk", isRawKey ? passphrase : "\"\(passphrase)\"")) }
            if [.wpa3, .wpa2wpa3].contains(credentials.security), !isRawKey {
                settings.append(("sae_password", "\"\(passphrase)\""))
            }
        }
        return settings
    }

    private var keyManagement: String {
        switch credentials.security {
        case .open: "NONE"
        case .enhancedOpen: "OWE"
        case .wpa1, .wpa1wpa2: "WPA-PSK"
        case .wpa2Enterprise: "WPA-EAP WPA-EAP-SHA256"
        case .wpa2: "WPA-PSK WPA-PSK-SHA256"
        case .wpa3: "SAE"
        case .wpa2wpa3: "SAE WPA-PSK WPA-PSK-SHA256"
        }
    }
}
