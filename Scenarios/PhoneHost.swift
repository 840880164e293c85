import AccessorySetupKit
import CoreBluetooth
import DiceApp
import HIL
import HILAudit
import Synchronization

/// An accessory that leaves a write unanswered. The phone waits as long as ATT says, and then gives up the link.
let silenceCostsTheLink = Scenario(
    "An accessory that never answers a write loses its link after 30 s, and the app hears it",
    .tags("field", .robustness), .needs(.air), .covers("C6", "C25"), .budget(.seconds(60)),
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
    lab.expect(
        probe.told.events.suffix(2).first, equals: .written(CBError.unknown.rawValue),
        "the write fails before the app hears of the link's end")
    try await lab.expect(firmware, "the write is answered") { probe.told.contains(.event(.written(nil))) }
    _ = try await lab.step("connect again", within: .seconds(15)) { try await probe.connect(peripheral.identifier) }
}

/// The link is lost at each step of a pairing. Neither end keeps half a bond, and the next attempt succeeds.
let linkIsLostInPairing = Scenario(
    "A link lost at any step of a pairing fails the set-up, and the next attempt pairs",
    .tags(.faults, .robustness, .pairing), .needs(.air), .covers("K10", "K12"), .budget(.seconds(120))
) { lab in
    let (die, app) = try await lab.newDie()
    let steps: [(BoardRole, SMPCode)] = [
        (.host, .pairingRequest), (.accessory, .pairingResponse), (.host, .publicKey), (.accessory, .publicKey),
        (.accessory, .pairingConfirm), (.host, .pairingRandom), (.accessory, .pairingRandom), (.host, .dhKeyCheck),
        (.accessory, .dhKeyCheck),
    ]
    for (sender, step) in steps {
        lab.phone.person.will(.pick("Die 7"))
        try await lab.air.withFault(.linkLoss(.bluetooth, at: .smp(step).sent(by: sender))) {
            try await lab.fails(
                "lose the link at \(step) of \(sender)", with: .connectionFailed,
                "the app hears that the connection failed", within: .seconds(30)
            ) { try await app.addDie() }
        }
        lab.expect(app.session.accessories.isEmpty, "lost at \(step) of \(sender): no accessory is authorised")
        lab.expect(!die.isBonded, "lost at \(step) of \(sender): the die has no bond")
    }
    try await lab.pick(in: app, "pair", within: .seconds(15))
    lab.expect(try await die.events.next(.bonded).isSecureConnections, "the key was made by LE Secure Connections")
}

/// The app ends while its picker connects. Nobody waits for the link any more, and one that stayed would keep the accessory
/// off the air.
let appEndsWhileConnecting = Scenario(
    "An app that ends while its picker connects leaves no link, and its next launch sets the accessory up",
    .tags(.faults, .robustness, .pairing), .budget(.seconds(60))
) { lab in
    var (die, app) = try await lab.newDie()
    for round in 1...8 {
        let mark = lab.phone.log.mark
        lab.phone.person.will(.pick("Die 7"))
        let adding = Task { [app] in _ = try? await app.addDie() }
        try await lab.step("pick \(round)", within: .seconds(10)) {
            try await lab.phone.shows(.settingUp, since: mark)
        }
        lab.phone.terminateApp()
        adding.cancel()
        app = try await lab.phone.launch(DiceApp.self)
    }
    try await lab.pick(in: app, "pair", within: .seconds(10))
    lab.expect(try await die.events.next(.bonded).isSecureConnections, "die and phone have a bond")
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

/// An accessory that can neither show nor take a number: only the person can say whether it is hers.
let personIsAskedToPair = Scenario(
    "A pairing without a number waits for the person, who may refuse it", .tags(.pairing), .covers("C19"),
    .budget(.seconds(60))
) { lab in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(.lamp(pairing: .justWorks), pairing: false)
    lab.phone.person.will(.deny, at: .pairing)
    peripheral.readValue(for: try peripheral.found("FF02"))
    try await lab.step("refuse", within: .seconds(10)) {
        try await probe.next(.value(Data(), CBATTError.Code.insufficientEncryption.rawValue))
    }
    // BlueZ, as the accessory, hears the refusal and ends the link.
    try await lab.step("lose the link", within: .seconds(10)) { try await probe.next(.disconnected) }
    lab.expect(lamp.events.events.contains { $0.isBond }, equals: false, "refused: no bond is made")

    _ = try await lab.step("connect again", within: .seconds(10)) { try await probe.connect(peripheral.identifier) }
    lab.phone.person.will(.allow, at: .pairing)
    peripheral.readValue(for: try peripheral.found("FF02"))
    try await lab.step("agree", within: .seconds(10)) { try await probe.next(.value(Data("Lamp".utf8), nil)) }
    try await lab.step("bond", within: .seconds(5)) { try await lamp.events.next(.bonded) }
    lab.expect(lab.phone.shownScreens.count { $0.kind == .pairing }, equals: 2, "the person was asked twice")
}

/// The accessory ends a pairing while the person still reads the phone's prompt.
let pairingEndsUnderItsPrompt = Scenario(
    "An accessory that ends a pairing closes the phone's prompt, and the phone says why", .tags(.pairing, .robustness),
    .covers("K12"), .budget(.seconds(30))
) { lab in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
    lab.phone.person.isWilling = false
    peripheral.readValue(for: try peripheral.found("FF02"))
    try await lab.step("be asked", within: .seconds(10)) { try await lab.phone.shows(.passkey) }
    // Pairing Failed, because of Numeric Comparison Failed.
    try await lab.phone.bluetooth.raw.pretend(Data([0x05, 0x0C]), on: RawPacket.securityManager, from: lamp.address)
    let reason = try await lab.step("fail", within: .seconds(10)) { try await lab.phone.log.next(.pairingFailed) }
    lab.expect(reason, contains: "Numeric Comparison Failed (0x0C)", "the reason")
    lab.expect(reason, contains: "by the peer", "who ended it")
    try await lab.becomes("the prompt is gone", within: .seconds(5)) { lab.phone.screen.isEmpty }
    try await probe.next(.refusalOrEnd)
}

/// The accessory sends what no accessory sends, between the answers for which the phone waits.
let phoneOutlivesItsAccessory = Scenario(
    "A phone whose accessory sends damaged and unasked packets keeps its bond, and uses the accessory afterwards",
    .tags(.robustness, .pairing), .covers("C25"), .budget(.seconds(120)), over: Axis("layer", AttackLayer.allCases)
) { lab, layer in
    let (lamp, _, probe, first) = try await lab.connectedLamp()
    var peripheral = first
    var packets = AttackGenerator(layer, seed: 1)
    for number in 1...2000 {
        let packet = packets.next()
        // The phone, or BlueZ at what the phone answers, may end a link on which nonsense comes.
        if peripheral.state != .connected { peripheral = try await probe.connect(peripheral.identifier) }
        if number.isMultiple(of: 50) { peripheral.readValue(for: try peripheral.found("FF01")) }
        guard packet.bytes.count > 4, !packet.continues else { continue }
        let channel = UInt16(packet.bytes[2]) | UInt16(packet.bytes[3]) << 8
        try await lab.phone.bluetooth.raw.pretend(Data(packet.bytes[4...]), on: channel, from: lamp.address)
    }
    probe.end()
    let noticed = lab.phone.log.events.count {
        if case .radio(.noticed(lamp.address, _)) = $0.kind { true } else { false }
    }
    lab.expect(noticed > 20, "the phone has noticed more than 20 of the packets, not \(noticed)")
    let after = CentralProbe()
    let lampAgain = try await lab.step("connect", within: .seconds(20)) {
        try await after.connect(peripheral.identifier)
    }
    lampAgain.readValue(for: try lampAgain.found("FF02"))
    try await lab.step("read a value that is for its owner", within: .seconds(10)) {
        try await after.next(.value(Data("Lamp".utf8), nil))
    }
    lab.expect(lamp.events.events.count { $0.isBond }, equals: 1, "the phone paired once")
}

/// How an accessory answers the phone that subscribes to it.
enum SubscriptionAnswer: String, CaseIterable {
    /// The characteristic says that it notifies, and has no descriptor for that.
    case noDescriptor
    /// The descriptor refuses with an error code of the application.
    case refused
    /// The first notification comes before the answer.
    case early
}

/// The phone's host is told of another accessory than there is, packet by packet.
let subscriptionIsAnswered = Scenario(
    "An app that subscribes hears what its accessory answers, and each value", .tags(.robustness), .covers("C4"),
    .budget(.seconds(30)), over: Axis("answer", SubscriptionAnswer.allCases)
) { lab, answer in
    let raw = lab.phone.bluetooth.raw
    let written = Mutex<[UInt8]>([])
    let held = EventLog<RawPacket>()
    let isHolding = Atomic(false)
    try await raw.withFilter { packet in
        var bytes = [UInt8](packet.payload)
        switch (answer, packet.direction, bytes.first) {
        case (.noDescriptor, .received, 0x05):
            // Find Information Response: no attribute is a Client Characteristic Configuration.
            for place in bytes.indices.dropLast() where bytes[place] == 0x02 && bytes[place + 1] == 0x29 {
                bytes[place] = 0xFE
            }
            return .replace(Data(bytes))
        case (.refused, .sent, 0x12):
            written.withLock { $0 = Array(bytes[1...2]) }
            return .pass
        case (.refused, .received, 0x13):
            return .replace(Data([0x01, 0x12] + written.withLock { $0 } + [0x80]))
        case (.early, .received, 0x13) where isHolding.load(ordering: .relaxed):
            held.append(packet)
            return .hold
        default: return .pass
        }
    } during: {
        let (lamp, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
        let brightness = try peripheral.found("FF01")
        switch answer {
        case .noDescriptor, .refused:
            peripheral.setNotifyValue(true, for: brightness)
            let code = answer == .refused ? 0x80 : CBATTError.Code.attributeNotFound.rawValue
            try await lab.step("hear the answer", within: .seconds(10)) {
                try await probe.next(.notifying(false, code))
            }
        case .early:
            // The answer to the phone's own subscription, to Service Changed, has passed.
            isHolding.store(true, ordering: .relaxed)
            peripheral.setNotifyValue(true, for: brightness)
            let answer = try await lab.step("hold the answer", within: .seconds(10)) {
                try await held.first(from: 0) { _ in true }.event
            }
            let mark = lab.phone.log.mark
            try await lamp.notify([7], of: "FF01")
            try await lab.step("wait for the early value", within: .seconds(10)) {
                try await lab.phone.log.next(.heardValue, since: mark)
            }
            try await raw.release([answer])
            // An app hears first that it has subscribed.
            try await lab.step("hear the answer", within: .seconds(10)) { try await probe.next(.notifying(true, nil)) }
            try await lab.step("hear the value", within: .seconds(10)) {
                try await probe.next(.value(Data([7]), nil))
            }
        }
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

extension PeripheralEvent {
    fileprivate var isBond: Bool { if case .bonded = self { true } else { false } }
}

extension EventPattern where Event == PhoneEvent, Value == Data {
    /// The phone's radio has heard a notified value, which the app need not know yet.
    fileprivate static var heardValue: Self {
        Self("a notified value") { if case .radio(.valueChanged(_, _, let value)) = $0.kind { value } else { nil } }
    }
}
