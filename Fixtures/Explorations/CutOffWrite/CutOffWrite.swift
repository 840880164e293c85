import HIL

package let cutOffWrite = Scenario(
    "A lamp outlives a link that is lost in the middle of a long command",
    .accessory(.lampInC("CutOffWrite", .mended)), over: Build.ofFirmware
) { lab, build in
    try await lab.accessory.run(.lampInC("CutOffWrite", build))
    let app = try await lab.addedLamp()
    let answer = try await lab.step("send", within: .seconds(3)) {
        try await app.tell("scene: warm in the evening, bright in the day;")
    }
    lab.expect(answer, equals: "46 bytes", "the lamp takes the scene")
    app.link.disconnect()
}
