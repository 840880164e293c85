import HIL

package let halfCredentials = Scenario(
    "A lamp takes credentials that come in parts, also after a link that was lost in the middle",
    .accessory(.lamp("HalfCredentials", ["python3", "lamp.py"], .mended)), over: Build.ofFirmware
) { lab, build in
    let lamp = try await lab.accessory.run(.lamp("HalfCredentials", ["python3", "lamp.py"], build))
    let app = try await lab.addedLamp()
    let answer = try await lab.step("send", within: .seconds(3)) {
        try await app.tell(#"{"ssid": "Home", "passphrase": "a quiet evening"}"#)
    }
    lab.expect(answer, equals: "ok", "the lamp takes the credentials")
    app.link.disconnect()
    try await lamp.prints("disconnected", within: .seconds(3))
}
