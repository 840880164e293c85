import HIL

package let silentAfterLoss = Scenario(
    "A lamp whose setup was cut off can be found again",
    .accessory(.lamp("SilentAfterLoss", ["python3", "lamp.py"], .mended)), over: Build.ofFirmware
) { lab, build in
    let lamp = try await lab.accessory.run(.lamp("SilentAfterLoss", ["python3", "lamp.py"], build))
    let app = try await lab.addedLamp()
    let answer = try await lab.step("send", within: .seconds(3)) { try await app.tell("on") }
    lab.expect(answer, equals: "ok", "the lamp takes the command")
    app.link.disconnect()
    try await lamp.prints("advertises again", within: .seconds(3))
}
