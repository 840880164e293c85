import AccessorySetupKit
import CoreBluetooth
import HIL

/// An accessory that leaves a write unanswered. The phone waits as long as ATT says, and then gives up the link.
let silenceCostsTheLink = Scenario(
    "An accessory that never answers a write loses its link after 30 s, and the app hears it",
    .tags("field", .robustness), .needs(.air), .covers("C6"), .budget(.seconds(60)),
    over: Firmware.axis
) { lab, firmware in
    let (_, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
    let brightness = try peripheral.found("FF01")
    guard firmware == .broken else {
        peripheral.writeValue(Data([10]), for: brightness, type: .withResponse)
        try await lab.step("write", within: .seconds(5)) { try await probe.next(.written(nil)) }
        return
    }
    try await lab.air.withFault(.dropped(.att(opcode: 0x13).sent(by: .accessory))) {
        let began = ContinuousClock.now
        peripheral.writeValue(Data([10]), for: brightness, type: .withResponse)
        try await lab.step("wait for the end", within: .seconds(45)) { try await probe.next(.disconnected) }
        let time = ContinuousClock.now - began
        lab.expect(time > .seconds(29) && time < .seconds(40), "the link ends after 30 s, not \(time)")
    }
    let end = lab.phone.log.events.compactMap {
        if case .radio(.disconnected(_, let reason)) = $0.kind { reason } else { nil }
    }
    lab.expect(end.last ?? "", contains: "FF01", "the reason names what had no answer")
    try await lab.expect(firmware, "the write is answered") { probe.told.contains(.event(.written(nil))) }
    _ = try await lab.step("connect again", within: .seconds(15)) { try await probe.connect(peripheral.identifier) }
}

/// The link is lost at each step of a pairing. Neither end keeps half a bond, and the next attempt succeeds.
let linkIsLostInPairing = Scenario(
    "A link lost at any step of a pairing fails the set-up, and the next attempt pairs",
    .tags(.faults, .robustness, .pairing), .needs(.air), .covers("K10", "K12"), .budget(.seconds(120))
) { lab in
    let (die, app) = try await lab.newDie()
    let steps: [SMPCode] = [.pairingResponse, .publicKey, .pairingConfirm, .pairingRandom, .dhKeyCheck]
    for step in steps {
        lab.phone.person.will(.pick("Die 7"))
        try await lab.air.withFault(.linkLoss(.bluetooth, at: .smp(step).sent(by: .accessory))) {
            try await lab.fails(
                "lose the link at \(step)", with: .connectionFailed, "the app hears that the connection failed",
                within: .seconds(30)
            ) { try await app.addDie() }
        }
        lab.expect(app.session.accessories.isEmpty, "lost at \(step): no accessory is authorised")
        lab.expect(!die.isBonded, "lost at \(step): the die has no bond")
    }
    try await lab.pick(in: app, "pair", within: .seconds(15))
    lab.expect(try await die.events.next(.bonded).isSecureConnections, "the key was made by LE Secure Connections")
}

/// The person removes an accessory whose app has just asked for values. The phone's host must stand this.
let accessoryIsRemovedInFlight = Scenario(
    "An accessory removed while its app subscribes, reads and writes leaves a phone that sets it up again",
    .tags(.robustness, .pairing), .covers("C2", "K17"), .budget(.seconds(60))
) { lab in
    let lamp = try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(GadgetApp.self)
    for round in 1...5 {
        lab.phone.person.will(.pick("Lamp 7"))
        let accessory = try await lab.step("pick, round \(round)", within: .seconds(10)) { try await app.add() }
        let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
        let probe = CentralProbe()
        let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
        let brightness = try peripheral.found("FF01")
        peripheral.setNotifyValue(true, for: brightness)
        peripheral.readValue(for: brightness)
        peripheral.writeValue(Data([UInt8(round)]), for: brightness, type: .withResponse)
        peripheral.readValue(for: try peripheral.found("FF02"))
        try await lab.step("remove", within: .seconds(10)) { try await app.session.removeAccessory(accessory) }
        try await lab.step("lose the link", within: .seconds(10)) { try await probe.next(.disconnected) }
        lab.expect(app.session.accessories.isEmpty, "round \(round): the accessory is gone")
        probe.end()
        try await lamp.forgetBonds()
    }
}

/// Experiments with the packets of the phone's host, as an attack makes them.
let packetsAreTried = Scenario(
    "Packets of the phone's Bluetooth host are held, changed, dropped and made by hand", .tags(.robustness),
    .budget(.seconds(30))
) { lab in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
    let raw = lab.phone.bluetooth.raw
    let brightness = try peripheral.found("FF01")

    // A changed answer: the app sees another value than the lamp has.
    try await raw.withFilter { packet in
        packet.direction == .received && packet.payload.first == 0x0B ? .replace(Data([0x0B, 99])) : .pass
    } during: {
        peripheral.readValue(for: brightness)
        try await lab.step("read a changed value", within: .seconds(5)) {
            try await probe.next(.value(Data([99]), nil))
        }
    }

    // A held answer comes when it is released.
    let answers = EventLog<RawPacket>()
    try await raw.withFilter { packet in
        guard packet.direction == .received && packet.payload.first == 0x0B else { return .pass }
        answers.append(packet)
        return .hold
    } during: {
        peripheral.readValue(for: brightness)
        try await lab.step("hold the answer", within: .seconds(5)) { try await answers.first(from: 0) { _ in true } }
        lab.expect(try await raw.held.count, equals: 1, "the answer is held")
        try await raw.release(raw.held)
        try await lab.step("read a late value", within: .seconds(5)) { try await probe.next(.value(Data([50]), nil)) }
    }

    // A request by hand: Read Request of a handle that no attribute has.
    let answer = try await raw.request(Data([0x0A, 0xEE, 0xEE]), of: lamp.address)
    lab.expect(Array(answer), equals: [0x01, 0x0A, 0xEE, 0xEE, 0x01], "the lamp knows no such handle")

    // The controller answers too: Read BD_ADDR.
    let (status, address) = try await raw.command(0x1009)
    lab.expect(status, equals: 0, "the controller answers")
    lab.expect(address.count, equals: 6, "it has an address")
}
