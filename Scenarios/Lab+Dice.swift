import AccessorySetupKit
import BoardProtocol
import DiceApp
import DieLab
import DieProtocol
import Foundation
import HIL
import Phone
import RadioModel
import Timing

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

    /// The numbers that its screen showed for comparison.
    var shownNumbers: [UInt32] {
        events.events.compactMap { if case .passkeyShown(let number) = $0 { number } else { nil } }
    }

    /// Whether the die told that it made a bond.
    var isBonded: Bool {
        events.events.contains { if case .bonded = $0 { true } else { false } }
    }
}

extension Phone {
    /// The bond that the phone has made, as the host board's kernel tells it.
    func bond(within limit: Duration) async throws -> Bond {
        let (event, _) = try await log.first(within: limit, waitingFor: "the phone to be bonded") {
            if case .radio(.bonded) = $0.kind { true } else { false }
        }
        guard case .radio(.bonded(_, let bond)) = event.kind else {
            preconditionFailure("the log gave an event that does not match")
        }
        return bond
    }

    /// What the phone keeps from apps: the radio's own reasons.
    var notes: [String] {
        log.events.compactMap { if case .note(_, let text) = $0.kind { text } else { nil } }
    }

    /// The numbers that its radio gave it to show for comparison.
    var shownNumbers: [UInt32] {
        log.events.compactMap { if case .radio(.confirmPasskey(_, let number)) = $0.kind { number } else { nil } }
    }
}
