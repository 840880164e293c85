import RadioModel
import Testing

@testable import HILWiFi

/// The events are from wpa_supplicant 2.10 on a board.
@Suite struct JoinProgressTests {
    static func verdict(_ lines: [String], by security: WiFiSecurity = .wpa2) -> JoinProgress.Verdict? {
        var progress = JoinProgress(ssid: "A", network: 1, security: security)
        for line in lines {
            if let event = ControlEvent("<3>" + line), let verdict = progress.accept(event) { return verdict }
        }
        return nil
    }

    @Test func joined() {
        let lines = [
            "SME: Trying to authenticate with 02:00:00:00:00:00 (SSID='A' freq=2412 MHz)",
            "CTRL-EVENT-DISCONNECTED bssid=02:00:00:00:00:77 reason=3 locally_generated=1",
            "CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:00:77 completed [id=0 id_str=]",
        ]
        #expect(Self.verdict(lines) == nil, "that was another network")
        #expect(
            Self.verdict(lines + ["CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:00:00 completed [id=1 id_str=]"])
                == .joined)
    }

    @Test(arguments: [
        "CTRL-EVENT-DISCONNECTED bssid=02:00:00:00:00:00 reason=15",
        #"CTRL-EVENT-SSID-TEMP-DISABLED id=1 ssid="A" auth_failures=1 duration=10 reason=WRONG_KEY"#,
        "CTRL-EVENT-AUTH-REJECT 02:00:00:00:00:77 auth_type=3 auth_transaction=2 status_code=1",
        "CTRL-EVENT-AUTH-REJECT 02:00:00:00:00:77 auth_type=3 auth_transaction=2 status_code=15",
    ])
    func wrongPassphrase(line: String) {
        #expect(Self.verdict([line]) == .failed(.wrongPassphrase(ssid: "A")))
    }

    @Test("Without a passphrase, a handshake that ends is tried again, and blames none")
    func handshakeWithoutPassphrase() {
        let ended = "CTRL-EVENT-DISCONNECTED bssid=02:00:00:00:00:00 reason=15"
        let joined = "CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:00:00 completed [id=1 id_str=]"
        #expect(Self.verdict([ended, joined], by: .enhancedOpen) == .joined)
        #expect(
            Self.verdict([ended, ended], by: .enhancedOpen)
                == .failed(.associationFailed(ssid: "A", reason: "the access point ended the 4-way handshake")))
    }

    @Test func notFoundAfterThreeSearches() {
        let looks = [String](repeating: "CTRL-EVENT-NETWORK-NOT-FOUND ", count: 3)
        #expect(Self.verdict(Array(looks.prefix(2))) == nil)
        #expect(
            Self.verdict(looks)
                == .failed(.networkNotFound(ssid: "A")))
    }

    @Test func otherRefusalsDoNotBlameTheKey() {
        let full = "CTRL-EVENT-ASSOC-REJECT bssid=02:00:00:00:00:00 status_code=17"
        #expect(Self.verdict([full]) == nil)
        #expect(
            Self.verdict([full, full])
                == .failed(.associationFailed(ssid: "A", reason: "association was refused with status 17")))
        let disabled = #"CTRL-EVENT-SSID-TEMP-DISABLED id=0 ssid="A" auth_failures=1 duration=10 reason=WRONG_KEY"#
        #expect(Self.verdict([disabled]) == nil, "that was another network")
    }
}
