import AccessorySetupKit
import BoardProtocol
import DiceApp
import DieProtocol
import Foundation
import HIL
import RadioModel

extension Lab {
    /// Launches the dice app and brings its first die to where a new owner has it: picked, paired, authorised.
    func pairedDie(named name: String) async throws -> (app: DiceApp, accessory: ASAccessory) {
        let app = try await phone.launch(DiceApp.self)
        phone.person.will(.pick(name))
        let accessory = try await step("pick and pair", within: .seconds(10)) { try await app.addDie() }
        return (app, accessory)
    }

    /// Asks the die on the joined network for its last roll.
    func askDieOverIP() async throws -> Roll {
        let answer = try await phone.network.exchange(Data(DieService.question.utf8), port: DieService.port)
        return try DieService.Answer(decoding: String(decoding: answer, as: UTF8.self)).roll
    }
}

extension Die {
    /// The bond that the die has made, as its own kernel tells it.
    func bond(within limit: Duration) async throws -> Bond {
        let event = try await event(within: limit, waitingFor: "the die to be bonded") {
            if case .bonded = $0 { true } else { false }
        }
        guard case .bonded(_, let bond) = event else {
            preconditionFailure("the log gave an event that does not match")
        }
        return bond
    }

    /// Whether the die told that it made a bond.
    var isBonded: Bool {
        events.events.contains { if case .bonded = $0 { true } else { false } }
    }
}
