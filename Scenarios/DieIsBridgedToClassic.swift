import AccessorySetupKit
import BoardProtocol
import CoreBluetooth
import DiceApp
import DieLab
import DieProtocol
import Foundation
import HIL
import RadioModel

/// A die with transport bridging is paired once, by LE; its classic link is encrypted with the key that came of that.
let dieIsBridgedToClassic = Scenario(
    "A die that is paired by LE is bridged to classic Bluetooth without a second pairing", .tags(.pairing),
    .covers("K12", "A2")
) { lab in
    var configuration = DieConfiguration.die(named: "Die 7")
    configuration.isDualMode = true
    let die = try await lab.accessory.powerOn(configuration)
    // The die tells of phones that open its own channel.
    lab.phone.policy.bridgingPort = DieChannel.port
    let app = try await lab.phone.launch(DiceApp.self)
    let descriptor = ASDiscoveryDescriptor()
    descriptor.bluetoothServiceUUID = CBUUID(string: DieGATT.service)
    descriptor.supportedOptions = [.bluetoothPairingLE, .bluetoothTransportBridging]

    lab.phone.person.will(.pick("Die 7"), .confirmPasskey)
    let accessory = try await lab.step("pair and bridge", within: .seconds(20)) {
        try await app.addDie(describedBy: descriptor)
    }
    lab.expect(
        app.events.map(\.eventType),
        equals: [
            .activated, .pickerDidPresent, .pickerSetupPairing, .pickerSetupBridging, .accessoryAdded,
            .pickerDidDismiss,
        ], "the app hears of pairing, then of bridging")
    let link = try await die.bridge(within: .seconds(2))
    lab.expect(link.isEncrypted, "the die's end of the classic link is encrypted")
    lab.expect(link.key.isSecureConnections && link.key.isAuthenticated, "with a key as strong as the LE bond's")
    lab.expect(
        accessory.bluetoothTransportBridgingIdentifier, equals: Data(die.address.bytes),
        "the accessory tells the die's classic address")

    let packets = try await lab.air.capturedHCI(of: .host)
    let handle = packets.classicHandle
    lab.expect(handle != nil, "a classic link came up")
    lab.expect(packets.contains { $0.isEncryption(of: handle) }, "the phone's controller encrypted it")
    lab.expect(!packets.contains(where: \.isClassicPairing), "nothing was paired over it")
    lab.expect(lab.phone.shownNumbers.count, equals: 1, "the person compared one number")

    // LE is as it was.
    try await lab.step("connect", within: .seconds(10)) { try await app.connect(accessory) }
    try await lab.step("subscribe", within: .seconds(5)) { try await app.watchRolls() }
    let roll = try await lab.step("roll", within: .seconds(2)) {
        try await die.roll(5)
        return try await app.nextRoll()
    }
    lab.expect(roll?.face, equals: 5, "the die's rolls arrive over LE")
}

extension Die {
    /// The classic link as the die's own kernel tells it.
    fileprivate func bridge(within limit: Duration) async throws -> BridgeLink {
        let event = try await event(within: limit, waitingFor: "the die to be bridged") {
            if case .bridged = $0 { true } else { false }
        }
        guard case .bridged(let link) = event else { preconditionFailure("the log gave an event that does not match") }
        return link
    }
}

extension [HCIPacket] {
    /// Of the first Connection Complete event: status 0, handle in two bytes.
    fileprivate var classicHandle: [UInt8]? {
        for case .event(0x03, let parameters) in self where parameters.count >= 3 && parameters[0] == 0 {
            return [UInt8](parameters[1..<3])
        }
        return nil
    }
}

extension HCIPacket {
    /// Encryption Change, of either version: status 0, the handle, and on.
    fileprivate func isEncryption(of handle: [UInt8]?) -> Bool {
        guard case .event(let code, let parameters) = self, code == 0x08 || code == 0x59, parameters.count >= 4 else {
            return false
        }
        return parameters[0] == 0 && Array(parameters[1..<3]) == handle && parameters[3] != 0
    }

    /// IO Capability Request and Response, User Confirmation Request, Simple Pairing Complete, PIN Code Request.
    fileprivate var isClassicPairing: Bool {
        guard case .event(let code, _) = self else { return false }
        return [0x16, 0x31, 0x32, 0x33, 0x36].contains(code)
    }
}
