import RadioModel
import Testing

@testable import HILWiFi

@Suite struct ConfigurationTests {
    static func accessPoint(
        _ security: WiFiSecurity, ssid: String = "Die 7", passphrase: String? = "swordfish"
    ) throws -> [Substring] {
        let configuration = try AccessPointConfiguration(
            interface: "wlan0", controlFolder: "/run/hostapd", ssid: ssid, security: security, passphrase: passphrase)
        return configuration.text.split(separator: "\n")
    }

    @Test func accessPointHasTheSettingsOfEachSecurity() throws {
        let wpa2 = try Self.accessPoint(.wpa2)
        #expect(wpa2.contains("wpa_key_mgmt=WPA-PSK") && wpa2.contains("rsn_pairwise=CCMP"))
        let wpa3 = try Self.accessPoint(.wpa3)
        #expect(wpa3.contains("wpa_key_mgmt=SAE") && wpa3.contains("ieee80211w=2"))
        let mixed = try Self.accessPoint(.wpa2wpa3)
        #expect(mixed.contains("wpa_key_mgmt=WPA-PSK SAE") && mixed.contains("sae_require_mfp=1"))
        var protected = try AccessPointConfiguration(
            interface: "wlan0", controlFolder: "/run", ssid: "a", security: .wpa2, passphrase: "swordfish")
        protected.requiresProtectedManagement = true
        #expect(protected.text.contains("wpa_key_mgmt=WPA-PSK-SHA256\nieee80211w=2\n"))
        let open = try Self.accessPoint(.open, passphrase: nil)
        #expect(!open.contains { $0.hasPrefix("wpa") })
    }

    @Test func accessPointUsesItsChannel() throws {
        func lines(_ channel: Int) throws -> [Substring] {
            try AccessPointConfiguration(
                interface: "wlan0", controlFolder: "/run", ssid: "a", security: .open, passphrase: nil, channel: channel
            ).text.split(separator: "\n")
        }
        #expect(try lines(13).filter { $0.hasPrefix("hw_mode") || $0.hasPrefix("ch") } == ["hw_mode=g", "channel=13"])
        #expect(
            try lines(149).filter { $0.hasPrefix("hw_mode") || $0.hasPrefix("ch") } == ["hw_mode=a", "channel=149"])
        for none in [0, 14, 34, 52, 100, 150] { #expect(throws: RadioError.self) { try lines(none) } }
        #expect(WiFiChannel.all.map(\.frequency).prefix(2) == [2412, 2417])
        #expect(WiFiChannel.all.map(\.frequency).suffix(10).first == 2472)
        #expect(try WiFiChannel(36).frequency == 5180 && WiFiChannel(165).frequency == 5825)
    }

    @Test("A network can keep its stations from each other, and by default does not")
    func isolation() throws {
        var configuration = try AccessPointConfiguration(
            interface: "wlan1", controlFolder: "/run/hil/ap", ssid: "Home", security: .open, passphrase: nil)
        #expect(!configuration.text.contains("ap_isolate"))
        configuration.isolatesStations = true
        #expect(configuration.text.contains("\nap_isolate=1\n"))
    }

    @Test("A name becomes the bytes of its encoding, of which there are 32 at most")
    func encodedNames() throws {
        let credentials = WiFiCredentials(ssid: "Küche ½€", security: .open, encoding: .windowsLatin1)
        let settings = try SupplicantNetwork(credentials).settings
        #expect(settings.first { $0.name == "ssid" }?.value == "4BFC63686520BD80")
        let name = String(repeating: "ü", count: 32)
        func lines(_ name: String, _ encoding: NameEncoding) throws -> [Substring] {
            try AccessPointConfiguration(
                interface: "wlan0", controlFolder: "/run", ssid: name, in: encoding, security: .open, passphrase: nil
            ).text.split(separator: "\n")
        }
        #expect(try lines(name, .windowsLatin1).contains("ssid2=" + String(repeating: "FC", count: 32)[...]))
        #expect(throws: RadioError.self) { try lines(name, .utf8) }
        #expect(throws: RadioError.self) { try lines("Кухня", .windowsLatin1) }
    }

    /// A name or a key must not add a line to hostapd's file, or a word to a command of the supplicant.
    @Test func namesAndKeysCannotAddSettings() throws {
        let lines = try Self.accessPoint(.wpa2, ssid: "a\nwpa=0\u{0}\"")
        #expect(lines.filter { $0.hasPrefix("wpa=") } == ["wpa=2"])
        #expect(throws: RadioError.self) { try Self.accessPoint(.wpa2, passphrase: "swordfish\nwpa=0") }
        let network = try SupplicantNetwork(WiFiCredentials(ssid: "a b\n", security: .wpa2, passphrase: #"sword"fish"#))
        let settings = Dictionary(uniqueKeysWithValues: network.settings.map { ($0.name, $0.value) })
        #expect(settings["ssid"] == "6120620A")
        #expect(settings["psk"] == #""sword"fish""#)
    }

    @Test func supplicantHasTheSettingsOfEachSecurity() throws {
        func settings(_ security: WiFiSecurity, _ passphrase: String?) throws -> [String: String] {
            let credentials = WiFiCredentials(ssid: "Die 7", security: security, passphrase: passphrase)
            let network = try SupplicantNetwork(credentials, frequencies: [2412, 2437])
            return Dictionary(uniqueKeysWithValues: network.settings.map { ($0.name, $0.value) })
        }
        let wpa3 = try settings(.wpa3, "swordfish")
        #expect(wpa3["key_mgmt"] == "SAE" && wpa3["ieee80211w"] == "2" && wpa3["psk"] == nil)
        #expect(wpa3["scan_freq"] == "2412 2437")
        let raw = String(repeating: "a1", count: 32)
        #expect(try settings(.wpa2, raw)["psk"] == raw)
        #expect(try settings(.open, nil)["key_mgmt"] == "NONE")
    }

    /// W2: 8 to 63 characters, or 64 hexadecimal digits; a name of 1 to 32 bytes.
    @Test(arguments: [
        ("", WiFiSecurity.wpa2, Optional("swordfish")), (String(repeating: "é", count: 17), .wpa2, "swordfish"),
        ("a", .wpa2, "short12"), ("a", .wpa2, String(repeating: "x", count: 64)), ("a", .wpa2, nil),
        ("a", .open, "swordfish"), ("a", .wpa3, String(repeating: "0", count: 64)), ("a", .wpa2, "swördfish"),
    ])
    func refusesWhatNoNetworkCanHave(ssid: String, security: WiFiSecurity, passphrase: String?) {
        #expect(throws: RadioError.self) {
            try WiFiRules.check(ssid: ssid, security: security, passphrase: passphrase)
        }
    }
}
