import HIL
import LanternApp

let outOfRange = Scenario(
    "A person who walks away in the middle of a command can begin again", .tags(.wifi, .robustness),
    .accessory(.lantern), .needs(.homeNetwork, .distance)
) { lab in
    try await lab.homeNetwork.open()
    let (_, app) = try await lab.addedLantern()
    let identifier = try lab.require(app.identifier, "the app knows the lantern")
    let command = Improv.Command.sendWiFi(ssid: lab.homeNetwork.ssid, passphrase: lab.homeNetwork.passphrase)
    let parts = Improv.parts(of: try lab.require(command.packet, "the command can be sent"))
    let answer = Task { try await app.link.send([parts[0]]) }
    try await lab.air.separate()
    try await lab.step("lose the link", within: .seconds(20)) {
        do {
            _ = try await answer.value
            lab.expect(false, "the app hears that the link is lost")
        } catch { lab.expect(error as? LanternError, equals: .disconnected, "the app hears that the link is lost") }
    }
    try await lab.air.setDistance(1)
    try await lab.step("come back", within: .seconds(20)) { try await app.link.connect(to: identifier) }
    lab.expect(app.link.state, equals: .authorized, "the lantern waits for credentials")
    try await lab.provision(app)
}
