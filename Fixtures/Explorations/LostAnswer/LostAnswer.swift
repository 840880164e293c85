import HIL

/// A lamp has one owner. It takes the app's key, and then the answer is lost.
package let lostAnswer = Scenario(
    "An app that did not hear that it owns a lamp can ask again",
    .accessory(.lampInC("LostAnswer", .mended)), .explores(recovery: { lab in try await lab.claimLamp() }),
    over: Build.ofFirmware
) { lab, build in
    let lamp = try await lab.accessory.run(.lampInC("LostAnswer", build))
    try await lab.claimLamp()
    // Its lines may come later than its answer.
    try await lamp.prints("answers: claimed", within: .seconds(3))
}

extension Lab {
    fileprivate func claimLamp() async throws {
        let app = try await phone.launch(LampApp.self)
        phone.person.will(.pick("Lamp"))
        try await step("claim", within: .seconds(5)) {
            try await app.setUpOrContinue {
                let answer = try await app.tell("claim 7d1f0c55a2e94b3866aa;")
                guard answer == "claimed" else { throw LampError.refused(answer) }
            }
        }
        app.link.disconnect()
    }
}
