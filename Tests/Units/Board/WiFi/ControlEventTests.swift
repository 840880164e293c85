import Testing

@testable import HILWiFi

@Suite struct ControlEventTests {
    @Test func readsNameAndFields() throws {
        let event = try #require(
            ControlEvent(
                #"<3>CTRL-EVENT-SSID-TEMP-DISABLED id=4 ssid="Die 7" auth_failures=1 duration=10 reason=WRONG_KEY"#))
        #expect(event.name == "CTRL-EVENT-SSID-TEMP-DISABLED")
        #expect(event.number("id") == 4)
        #expect(event.field("ssid") == "Die 7")
        #expect(event.field("reason") == "WRONG_KEY")
        #expect(event.field("duration_ms") == nil)
        let connected = ControlEvent(
            "<3>CTRL-EVENT-CONNECTED - Connection to 02:00:00:00:00:00 completed [id=12 id_str=]")
        #expect(connected?.number("id") == 12)
        #expect(connected?.field("id_str") == "")
    }

    /// A network may have any name. Its name must not look like a field of the event.
    @Test func aNetworkNameIsNotTakenForAField() throws {
        let event = try #require(
            ControlEvent(#"<3>CTRL-EVENT-SSID-TEMP-DISABLED ssid="x\" reason=WRONG_KEY id=4" id=5 reason=CONN_FAILED"#))
        #expect(event.field("reason") == "CONN_FAILED")
        #expect(event.number("id") == 5)
    }

    @Test(arguments: ["", "OK", "FAIL\n", "<", "<>", "<a>CTRL", "<333>CTRL", "wpa_state=COMPLETED\n"])
    func answersAreNoEvents(_ text: String) {
        #expect(ControlEvent(text) == nil)
    }

    @Test func unfinishedQuotesDoNotTrap() {
        for text in [#"<3>A ssid=""#, #"<3>A ssid="\"#, "<3>A =", "<3>A [id=", "<3>", #"<3>A ssid="x"#] {
            let event = ControlEvent(text)
            _ = event?.field("ssid")
            _ = event?.number("id")
        }
    }

    @Test func statusLinesBecomeFields() {
        let fields = controlFields("bssid=02:00:00:00:00:00\nssid=a=b\nnonsense\nkey_mgmt=SAE\n")
        #expect(fields == ["bssid": "02:00:00:00:00:00", "ssid": "a=b", "key_mgmt": "SAE"])
    }

    /// Names of commands go into errors and logs, so they must not contain a key.
    @Test func commandsAreNamedWithoutTheirSecrets() {
        #expect(ControlSocket.name(of: #"SET_NETWORK 0 psk "swordfish""#) == "SET_NETWORK 0 psk")
        #expect(ControlSocket.name(of: "PASSPHRASE swordfish") == "PASSPHRASE")
    }
}
