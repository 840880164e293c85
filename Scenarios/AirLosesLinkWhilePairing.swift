import AccessorySetupKit
import DiceApp
import HIL

/// A link that is lost with the die's public key ends the set-up with an error; the next attempt makes a bond.
let airLosesLinkWhilePairing = Scenario(
    "A link lost while pairing is told as connectionFailed, and the next attempt pairs",
    .tags(.faults, .robustness, .pairing), .covers("K10", "K12"), .budget(.seconds(60))
) { lab in
    let die = try await lab.accessory.powerOn(.die(named: "Die 7"))
    let app = try await lab.phone.launch(DiceApp.self)

    lab.phone.person.will(.pick("Die 7"))
    try await lab.air.withFault(.linkLoss(.bluetooth, at: .smp(.publicKey).sent(by: .accessory))) {
        try await lab.expect(
            throwing: ASError.self, "the app hears that the connection failed", where: { $0.code == .connectionFailed }
        ) {
            _ = try await lab.step("pair in vain", within: .seconds(20)) { try await app.addDie() }
        }
    }
    lab.expect(app.session.accessories.isEmpty, "no accessory is authorised")
    lab.expect(!die.isBonded, "the die has no bond")

    lab.phone.person.will(.pick("Die 7"))
    try await lab.step("pair", within: .seconds(15)) { try await app.addDie() }
    let bond = try await die.bond(within: .seconds(2))
    lab.expect(bond.isSecureConnections, "the key was made by LE Secure Connections")
}
