import AccessorySetupKit
import DiceApp
import HIL

/// Setting up a die and using it, as most scenarios do.
extension Lab {
    /// Switches a die on, and launches the dice app.
    func newDie(_ die: DieConfiguration = .die(named: "Die 7")) async throws -> (die: Die, app: DiceApp) {
        (try await accessory.powerOn(die), try await phone.launch(DiceApp.self))
    }

    /// Switches a die on, and lets the dice app set it up: picked, paired and authorised.
    func pairedDie(
        _ die: DieConfiguration = .die(named: "Die 7")
    ) async throws -> (die: Die, app: DiceApp, accessory: ASAccessory) {
        let on = try await accessory.powerOn(die)
        let (app, accessory) = try await pair(die.name)
        return (on, app, accessory)
    }

    /// Launches the dice app, and lets it set up the die with this name. The die is switched on already.
    func pair(
        _ name: String = "Die 7", within limit: Duration = .seconds(10)
    ) async throws -> (app: DiceApp, accessory: ASAccessory) {
        let app = try await phone.launch(DiceApp.self)
        return (app, try await pick(.named(name), in: app, within: limit))
    }

    /// Lets the person pick a die in the app's picker, and returns when it is set up.
    ///
    /// - Parameters:
    ///   - descriptor: How the die is found; nil for the app's own descriptor.
    ///   - pairing: Whether the picker pairs, if there is no descriptor.
    @discardableResult
    func pick(
        _ die: AccessoryChoice = .named("Die 7"), in app: DiceApp, _ step: String = "pick and pair",
        describedBy descriptor: ASDiscoveryDescriptor? = nil, within limit: Duration = .seconds(10),
        pairing: Bool = true
    ) async throws -> ASAccessory {
        phone.person.will(.pick(die))
        return try await self.step(step, within: limit) {
            guard let descriptor else { return try await app.addDie(pairing: pairing) }
            return try await app.addDie(describedBy: descriptor)
        }
    }

    /// Lets the app connect to its die and subscribe to the rolls.
    @discardableResult
    func watchRolls(
        of accessory: ASAccessory, in app: DiceApp, within limit: Duration = .seconds(5)
    ) async throws -> CBPeripheral {
        let peripheral = try await step("connect", within: limit) { try await app.connect(accessory) }
        try await step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
        return peripheral
    }

    /// Lets a die roll, and records whether the app gets the roll.
    func expectRoll(
        _ face: UInt8, of die: Die, in app: DiceApp, _ text: String, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line
    ) async throws {
        let roll = try await step("roll", within: .seconds(2), fileID: fileID, filePath: filePath, line: line) {
            try await die.roll(face)
            return try await app.nextRoll()
        }
        expect(roll?.face, equals: face, text, fileID: fileID, filePath: filePath, line: line)
    }

    /// Lets a die roll, asks it for its last roll over the joined network, and records whether the answer is right.
    func expectRollOverIP(
        _ face: UInt8, of die: Die, _ text: String, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        try await die.roll(face)
        let roll = try await step("ask over IP", within: .seconds(5), fileID: fileID, filePath: filePath, line: line) {
            try await self.askDieOverIP()
        }
        expect(roll.face, equals: face, text, fileID: fileID, filePath: filePath, line: line)
    }

    /// Lets the app join a network of the die by its name.
    func join(
        in app: DiceApp, _ step: String = "join", passphrase: String = "seven is a prime",
        within limit: Duration = .seconds(10)
    ) async throws {
        try await self.step(step, within: limit) { try await app.joinWiFi(ssid: "Die 7", passphrase: passphrase) }
    }

    /// Asks the die on the joined network for its last roll.
    func askDieOverIP() async throws -> Roll {
        let answer = try await phone.network.exchange(Data(DieService.question.utf8), port: DieService.port)
        return try DieService.Answer(decoding: String(decoding: answer, as: UTF8.self)).roll
    }
}

extension CentralProbe {
    /// Connects, and subscribes to the die's rolls.
    func watchRolls(of identifier: UUID) async throws {
        let peripheral = try await connect(identifier)
        peripheral.setNotifyValue(true, for: try peripheral.found(DieGATT.roll.uuid))
        try await next(.notifying(true, nil))
    }

    /// Waits for the next roll that the die notifies.
    func nextRoll() async throws -> Roll { try Roll(decoding: try await next(.value)) }
}
