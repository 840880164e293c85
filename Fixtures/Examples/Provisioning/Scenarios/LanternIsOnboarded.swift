import HIL
import LanternApp

let lanternIsOnboarded = Scenario(
    "A new lantern is found, asked who it is, and joins the home's network",
    .tags(.smoke, .discovery, .wifi), .accessory(.lantern, startsWithBoard: true), .needs(.homeNetwork),
    .explores(recovery: { lab in try await lab.setUpAgain() }),
    over: Axis("security", [WiFiSecurity.wpa2, .wpa2wpa3])
) { lab, security in
    try await lab.homeNetwork.open(security: security)
    let (lantern, app) = try await lab.addedLantern()
    lab.expect(app.link.state, equals: .authorized, "a lantern without a button takes credentials")
    let info = try await lab.step("info", within: .seconds(5)) { try await app.link.ask(.deviceInfo) }
    lab.expect(info, equals: ["lantern-os", "1.4.0", "Linux", "Lantern"], "it reports its details")
    try await lab.step("identify", within: .seconds(5)) {
        _ = try await app.link.ask(.identify)
        try await lantern.prints("blinking")
    }

    try await lab.provision(app)
    app.link.disconnect()
    let advertised = try await lab.step("listen", within: .seconds(10)) { try await app.link.advertisedState() }
    lab.expect(advertised, equals: .provisioned, "its advertisement says so as well")
    let isInTheLog = lantern.lines.contains { $0.text.contains(lab.homeNetwork.passphrase) }
    lab.expect(!isInTheLog, "the lantern does not print the passphrase")
}
