import RadioModel

/// The configuration file of hostapd for one network.
///
/// The text contains the passphrase: only its owner may be able to read the file.
package struct AccessPointConfiguration: Sendable {
    /// The network interface of the access point: `wlan0`.
    package var interface: String
    /// The folder in which hostapd makes the interface's control socket.
    package var controlFolder: String
    /// The bytes of the network's name.
    package let name: [UInt8]
    package var security: WiFiSecurity
    /// 8 to 63 characters; nil for an open network.
    package var passphrase: String?
    /// Whether a WPA2 network accepts only stations that protect management frames.
    package var requiresProtectedManagement = false
    /// Whether the access point passes nothing from one station to another.
    package var isolatesStations = false
    /// Whether the access point offers Wi-Fi Protected Setup.
    package var hasWPS = false
    /// Whether a network with SAE announces no protection of management frames.
    package var lacksProtectedManagement = false
    /// Whether beacons leave out the name, and only a station that asks for it gets an answer.
    package var isHidden = false
    /// The server of a WPA2-Enterprise network; its security needs one.
    package var server: EnterpriseFiles?
    package var channel: WiFiChannel
    /// The time between beacons in units of 1.024 ms. This is half of the usual, so that stations find the network
    /// faster.
    package var beaconInterval = 50

    /// - Parameter channel: One of ``RadioModel/WiFiChannel/all``.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` for an invalid name, key or channel.
    package init(
        interface: String, controlFolder: String, ssid: String, in encoding: NameEncoding = .utf8,
        security: WiFiSecurity, passphrase: String?, channel: Int = 1
    ) throws(RadioError) {
        self.channel = try WiFiChannel(channel)
        name = try WiFiRules.check(ssid: ssid, in: encoding, security: security, passphrase: passphrase)
        self.interface = interface
        self.controlFolder = controlFolder
        self.security = security
        self.passphrase = passphrase
    }

    /// The text of the file.
    package var text: String {
        let lines = [
            "interface=\(interface)", "driver=nl80211", "ctrl_interface=\(controlFolder)",
            // Written as digits, so that no byte of a name can end the line.
            "ssid2=\(Hex.text(name))", "hw_mode=\(channel.is5GHz ? "a" : "g")", "channel=\(channel.number)",
            "beacon_int=\(beaconInterval)",
            // A busy machine may delay an acknowledgement. That is no reason to disconnect a station.
            "disassoc_low_ack=0",
        ]
        let isolation = isolatesStations ? ["ap_isolate=1"] : []
        let hiding = isHidden ? ["ignore_broadcast_ssid=1"] : []
        let setup = hasWPS ? ["wps_state=2", "eap_server=1", "config_methods=push_button"] : []
        return (lines + isolation + hiding + setup + securityLines).map { $0 + "\n" }.joined()
    }

    private var securityLines: [String] {
        switch security {
        case .open: return []
        case .enhancedOpen: return ["wpa=2", "rsn_pairwise=CCMP", "wpa_key_mgmt=OWE", "ieee80211w=2"]
        case .wpa2Enterprise:
            return ["wpa=2", "rsn_pairwise=CCMP", "wpa_key_mgmt=WPA-EAP", "ieee8021x=1"] + (server?.lines ?? [])
        case .wpa1, .wpa1wpa2, .wpa2, .wpa3, .wpa2wpa3: return passphrase.map(lines(passphrase:)) ?? []
        }
    }

    private func lines(passphrase: String) -> [String] {
        // A station with the wrong key never answers. Fewer retries, a second apart, show this sooner.
        let rsn = ["wpa=2", "rsn_pairwise=CCMP", "wpa_pairwise_update_count=3"]
        let key = [WiFiRules.isRawKey(passphrase) ? "wpa_psk=\(passphrase)" : "wpa_passphrase=\(passphrase)"]
        // Only group 19. Both hash-to-element and hunting-and-pecking, because stations differ.
        let sae = ["sae_groups=19", "sae_pwe=2"]
        let psk = ["wpa_key_mgmt=WPA-PSK", "wpa_pairwise_update_count=3", "wpa_pairwise=TKIP"]
        switch security {
        case .open, .enhancedOpen, .wpa2Enterprise: return []
        case .wpa1: return key + psk + ["wpa=1"]
        case .wpa1wpa2: return key + psk + ["wpa=3", "rsn_pairwise=CCMP"]
        case .wpa2 where requiresProtectedManagement:
            return rsn + key + ["wpa_key_mgmt=WPA-PSK-SHA256", "ieee80211w=2"]
        case .wpa2: return rsn + key + ["wpa_key_mgmt=WPA-PSK"]
        case .wpa3 where lacksProtectedManagement: return rsn + key + sae + ["wpa_key_mgmt=SAE", "ieee80211w=0"]
        case .wpa2wpa3 where lacksProtectedManagement:
            return rsn + key + sae + ["wpa_key_mgmt=WPA-PSK SAE", "ieee80211w=0"]
        case .wpa3: return rsn + key + sae + ["wpa_key_mgmt=SAE", "ieee80211w=2"]
        case .wpa2wpa3:
            return rsn + key + sae + ["wpa_key_mgmt=WPA-PSK SAE", "ieee80211w=1", "sae_require_mfp=1"]
        }
    }
}
