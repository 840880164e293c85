import BoardProtocol
import RadioModel

// The accessory in the home's network.
extension AuditCheck {
    static let home = [
        AuditCheck("wifi.credentials", .setUp) { scene in
            let home = scene.lab.homeNetwork
            guard home.wasOpened, home.security != .open else {
                return .doesNotApply("no home's network is in the scenario")
            }
            let air = ClearText(try await scene.capture())
            // The master key opens the network, too.
            let master = Hex.text(FourWayHandshake.masterKey(of: home.passphrase, ssid: home.ssid))
            let leaks = [(home.passphrase, "the home's passphrase"), (master, "the home's master key")].flatMap {
                scene.lab.leaks(of: $0.0, named: $0.1, on: air)
            }
            scene.note(
                "the home's passphrase and its master key were looked for in all frames, advertisements and outputs, "
                    + "as text, in hexadecimal digits and in Base64: \(leaks.isEmpty ? "they are nowhere" : "found")")
            return leaks.first.map { .breached($0) } ?? .holds
        }
    ]
}
