import RadioModel

/// One network for wpa_supplicant, as the values of `SET_NETWORK`.
package struct SupplicantNetwork: Sendable {
    package var credentials: WiFiCredentials
    /// Where to look for it, MHz; empty for every channel.
    package var frequencies: [Int]

    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for a name or a key that no network can have.
    package init(_ credentials: WiFiCredentials, frequencies: [Int] = []) throws(RadioError) {
        try WiFiRules.check(
            ssid: credentials.ssid, security: credentials.security, passphrase: credentials.passphrase)
        self.credentials = credentials
        self.frequencies = frequencies
    }

    /// Names and values, in the order in which to set them. `psk` and `sae_password` are secret.
    package var settings: [(name: String, value: String)] {
        var settings = [("ssid", Hex.text(credentials.ssid.utf8)), ("key_mgmt", keyManagement)]
        let isProtected = credentials.security != .open
        if isProtected {
            settings += [("proto", "RSN"), ("pairwise", "CCMP"), ("group", "CCMP")]
            // 0 no protected management frames, 1 where the network can, 2 not without.
            settings.append(("ieee80211w", credentials.security == .wpa3 ? "2" : "1"))
        }
        if !frequencies.isEmpty {
            let list = frequencies.map { "\($0)" }.joined(separator: " ")
            settings += [("scan_freq", list), ("freq_list", list)]
        }
        if let passphrase = credentials.passphrase {
            let isRawKey = WiFiRules.isRawKey(passphrase)
            // The supplicant reads to the last quotation mark, so one inside needs no escape.
            if credentials.security != .wpa3 { settings.append(("psk", isRawKey ? passphrase : "\"\(passphrase)\"")) }
            if credentials.security != .wpa2, !isRawKey { settings.append(("sae_password", "\"\(passphrase)\"")) }
        }
        return settings
    }

    private var keyManagement: String {
        switch credentials.security {
        case .open: "NONE"
        case .wpa2: "WPA-PSK WPA-PSK-SHA256"
        case .wpa3: "SAE"
        case .wpa2wpa3: "SAE WPA-PSK WPA-PSK-SHA256"
        }
    }
}
