import HIL
import LanternApp

let wrongPassphrase = Scenario(
    "A wrong passphrase is told, and the right one is accepted after it", .tags(.wifi), .accessory(.lantern),
    .needs(.homeNetwork)
) { lab in
    try await lab.homeNetwork.open()
    let (_, app) = try await lab.addedLantern()
    try await lab.step("wrong passphrase", within: .seconds(40)) {
        try await lab.expect(throwing: Improv.Refusal.self, "the app hears it", where: { $0 == .unableToConnect }) {
            try await app.provision(ssid: lab.homeNetwork.ssid, passphrase: "not the passphrase")
        }
    }
    lab.expect(app.link.state, equals: .authorized, "the app may try again")
    lab.expect(lab.homeNetwork.events.all(.joined).isEmpty, "the lantern is not in the home's network")
    try await lab.provision(app)
}
