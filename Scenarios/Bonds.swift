import AccessorySetupKit
import CoreBluetooth
import HIL

/// The end of a bond that has lost its key.
enum BondLoss: String, CaseIterable {
    case nobody
    /// The phone still has the key.
    case accessory
    /// The person has removed the accessory and picks it again. The accessory still has the key.
    case phone
}

/// The end that wants the new link to be encrypted.
enum BondStarter: String, CaseIterable {
    /// The app reads a protected value.
    case phone
    /// The accessory sends a Security Request (Core Specification, volume 3, part H, 3.6.7).
    case accessory
}

/// What a link meets after a bond, whatever has happened in between: the app was launched again, Bluetooth was off and on, both.
let bondOutlivesAppAndPower = Scenario(
    "A bond outlives its app and the phone's power; an end that has lost it pairs anew, or the app hears so",
    .tags(.pairing, .robustness), .covers("C2", "C10", "K17"), .budget(.seconds(90)),
    over: Axis("lostBy", BondLoss.allCases), Axis("startedBy", BondStarter.allCases)
) { lab, loser, starter in
    let lamp = try await lab.accessory.powerOn(.lamp())
    var launched = try await lab.phone.launch(GadgetApp.self)
    for (isLaunchedAgain, isSwitched) in [(false, false), (true, false), (false, true), (true, true)] {
        let before = launched
        let accessory = try await lab.bonded(lamp, before)
        let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
        if loser == .accessory { try await lamp.forgetBonds() }
        if loser == .phone {
            try await lab.step("remove", within: .seconds(10)) { try await before.session.removeAccessory(accessory) }
        }
        if isLaunchedAgain {
            lab.phone.terminateApp()
            launched = try await lab.phone.launch(GadgetApp.self)
        }
        let app = launched
        if isSwitched {
            try await lab.switchBluetooth(false)
            try await lab.switchBluetooth(true)
        }

        let bonds = lab.phone.log.all(.bonded).count
        let shown = lab.phone.shownNumbers.count
        switch loser {
        case .nobody:
            lab.expect(try await lab.reads(identifier, of: lamp, startedBy: starter), "the app reads the lamp's name")
            lab.expect(lab.phone.log.all(.bonded).count, equals: bonds, "nobody pairs again")
            lab.expect(lab.phone.shownNumbers.count, equals: shown, "the person is not asked again")
        case .accessory:
            try await lab.step("hear of the lost bond", within: .seconds(15)) {
                do {
                    _ = try await lab.reads(identifier, of: lamp, startedBy: starter)
                    lab.expect(false, "the app reads nothing without a key")
                } catch let error as CBError { lab.expect(error.code, equals: .peerRemovedPairingInformation, "why") }
            }
            lab.expect(lab.phone.log.all(.bonded).count, equals: bonds, "a lost bond is not made anew unasked")
            let old = try lab.require(app.session.accessories.first, "the app still has the accessory")
            try await lab.step("remove", within: .seconds(10)) { try await app.session.removeAccessory(old) }
        case .phone:
            lab.expect(app.session.accessories.isEmpty, "the accessory is gone")
            lab.phone.person.will(.pick("Lamp 7"), .confirmPasskey)
            let again = try await lab.step("pick again", within: .seconds(10)) { try await app.add(pairing: false) }
            let its = try lab.require(again.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
            lab.expect(try await lab.reads(its, of: lamp, startedBy: starter), "the app reads the lamp's name")
            lab.expect(lab.phone.log.all(.bonded).count, equals: bonds + 1, "the phone pairs anew")
            try await lab.step("remove", within: .seconds(10)) { try await app.session.removeAccessory(again) }
            try await lamp.forgetBonds()
        }
    }
}

extension Lab {
    /// The lamp of the app, which is bonded with the phone and not connected.
    fileprivate func bonded(_ lamp: RunningPeripheral, _ app: GadgetApp) async throws -> ASAccessory {
        if let accessory = app.session.accessories.first { return accessory }
        let start = lamp.events.mark
        phone.person.will(.pick("Lamp 7"), .confirmPasskey)
        let accessory = try await step("pick and pair", within: .seconds(10)) { try await app.add() }
        // A lamp that ends the link before it has the phone's keys has no bond.
        try await step("bond", within: .seconds(5)) { try await lamp.events.next(.bonded, since: start) }
        let mark = phone.log.mark
        try await lamp.disconnect()
        try await step("lose the link", within: .seconds(5)) {
            try await self.phone.log.next(.disconnected, since: mark)
        }
        return accessory
    }

    /// Connects an app, and reads the lamp's protected name.
    ///
    /// - Throws: `CBError` if the link fails or ends instead.
    fileprivate func reads(
        _ identifier: UUID, of lamp: RunningPeripheral, startedBy starter: BondStarter
    ) async throws -> Bool {
        let probe = CentralProbe()
        defer { probe.end() }
        let peripheral = try await probe.connect(identifier)
        if starter == .accessory {
            // With bonding and Secure Connections, and protection against a man in the middle.
            try await phone.bluetooth.raw.pretend(
                Data([0x0B, 0x0D]), on: RawPacket.securityManager, from: lamp.address)
        }
        peripheral.readValue(for: try peripheral.found("FF02"))
        let value = try await probe.next(.valueOrEnd).get()
        probe.central.cancelPeripheralConnection(peripheral)
        try await probe.next(.disconnected, within: .seconds(10))
        return value == Data("Lamp".utf8)
    }
}

extension EventPattern where Event == CentralProbe.Callback, Value == Result<Data, CBError> {
    /// A value that was read, or the end of the link.
    fileprivate static var valueOrEnd: Self {
        Self("a value or the end of the link") {
            switch $0 {
            case .value(let value, nil): .success(value)
            case .disconnected(_, let code, _): .failure(CBError(CBError.Code(rawValue: code ?? 0) ?? .unknown))
            default: nil
            }
        }
    }
}
