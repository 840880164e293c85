import HIL
import LanternApp

let buttonAuthorizes = Scenario(
    "A lantern with a button takes credentials only for some seconds after a press", .tags(.wifi),
    .accessory(.lanternWithButton), .needs(.homeNetwork), .needs(.hook(.press))
) { lab in
    try await lab.homeNetwork.open()
    let (lantern, app) = try await lab.addedLantern(.lanternWithButton)
    lab.expect(app.link.state, equals: .authorizationRequired, "it waits for its button")
    try await lab.step("too early", within: .seconds(10)) {
        try await lab.expect(throwing: Improv.Refusal.self, "the app hears it", where: { $0 == .notAuthorized }) {
            try await app.provision(ssid: lab.homeNetwork.ssid, passphrase: lab.homeNetwork.passphrase)
        }
    }
    try await lantern.press()
    try await lab.becomes("the app knows of the press") { app.link.state == .authorized }
    try await lab.becomes("the app knows that it was too long ago") { app.link.state == .authorizationRequired }
    lab.expect(lab.homeNetwork.events.all(.joined).isEmpty, "the lantern is not in the home's network")

    try await lantern.press()
    try await lab.becomes("the app knows of the second press") { app.link.state == .authorized }
    try await lab.provision(app)
}
