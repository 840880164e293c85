import AccessorySetupKit
import DiceApp
import HIL

extension Lab {
    /// Sets up two dice in one app. Each has a probe that receives its rolls.
    func twoDice() async throws -> (
        app: DiceApp, dice: [Die], accessories: [ASAccessory], probes: [CentralProbe]
    ) {
        let dice = [
            try await accessory.powerOn(.die(named: "Die 7")),
            try await accessory.powerOn(.die(named: "Die 8"), adapter: 1),
        ]
        let app = try await phone.launch(DiceApp.self)
        var (accessories, probes) = ([ASAccessory](), [CentralProbe]())
        for die in dice {
            let accessory = try await pick(.address(die.address), in: app, "set up \(die.name)", within: .seconds(15))
            expect(try await die.events.next(.bonded).isAuthenticated, "\(die.name) has a bond")
            accessories.append(accessory)
        }
        for (die, accessory) in zip(dice, accessories) {
            let identifier = try require(accessory.bluetoothIdentifier, "the accessory has an identifier")
            let probe = CentralProbe()
            try await step("watch \(die.name)", within: .seconds(15)) { try await probe.watchRolls(of: identifier) }
            probes.append(probe)
        }
        return (app, dice, accessories, probes)
    }
}
