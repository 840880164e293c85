import AccessorySetupKit
import CoreBluetooth
import HIL

/// After a wrong number the accessory is gone: it no longer advertises, so nobody can try again.
///
/// Report: https://github.com/Avi0n/MeshCoreOne/issues/84
let wrongNumberCanBeMended = Scenario(
    "After a wrong number the accessory is offered again, and the right number sets it up",
    .tags("field", .pairing), .covers("K10", "K14", "K19"), over: Firmware.axis
) { lab, firmware in
    let lamp = try await lab.accessory.powerOn(.lamp(pairing: .showsPasskey))
    let app = try await lab.phone.launch(GadgetApp.self)
    let picker = Task { try await app.add() }
    lab.phone.person.will(.pick("Lamp 7"))
    let number = try await lab.step("read the number", within: .seconds(15)) {
        try await lab.phone.shows(.passkeyEntry)
        return try await lamp.events.next(.showsPasskey)
    }
    lab.phone.person.will(.enterPasskey((number + 1) % 1_000_000))
    try await lab.fails("enter a wrong one", with: .connectionFailed, "the app gets the error", within: .seconds(20)) {
        try await picker.value
    }
    if firmware == .broken { try await lamp.advertise(nil) }
    let mark = lamp.events.mark
    lab.phone.policy.discoveryTimeout = .seconds(4)
    try await lab.expect(firmware, "the accessory is set up") {
        let again = Task { try await app.add() }
        if firmware == .mended {
            lab.phone.person.will(.pick("Lamp 7"))
            let number = try await lamp.events.next(.showsPasskey, since: mark, within: .seconds(15))
            lab.phone.person.will(.enterPasskey(number))
        }
        do { return try await again.value.state == .authorized } catch ASError.discoveryTimeout { return false }
    }
}

/// The picker sets an accessory up without pairing. Its number is asked for later, and is wrong: it stays set up, so no
/// picker offers it again.
///
/// Report: https://github.com/Avi0n/MeshCoreOne/pull/84
let wrongNumberLeavesNoAccessory = Scenario(
    "After a wrong number for an accessory that was set up before, the app removes it, and the person can try again",
    .tags("field", .pairing), .covers("K14", "K19", "A5"), over: AppVersion.axis
) { lab, version in
    let lamp = try await lab.accessory.powerOn(.lamp(pairing: .showsPasskey))
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe()
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    peripheral.readValue(for: try peripheral.found("FF02"))
    let number = try await lab.step("read the number", within: .seconds(15)) {
        try await lab.phone.shows(.passkeyEntry)
        return try await lamp.events.next(.showsPasskey)
    }
    lab.phone.person.will(.enterPasskey((number + 1) % 1_000_000))
    try await lab.step("hear that it was wrong", within: .seconds(15)) { try await probe.next(.refusalOrEnd) }
    lab.expect(app.session.accessories.count, equals: 1, "the accessory is still set up")

    if version == .mended {
        try await lab.step("remove it", within: .seconds(10)) { try await app.session.removeAccessory(accessory) }
    }
    try await lab.expect(version, "the accessory is offered again") { try await lab.isOffered(in: app) }
}

/// A number that is changed over the link: the accessory restarts before it has answered, and forgets its bond.
///
/// Report: https://github.com/Avi0n/MeshCoreOne/issues/77
let numberIsChanged = Scenario(
    "After its number was changed over the link, the accessory is used again without another setup",
    .tags("field", .pairing), .covers("C4", "C10", "K19"), over: Firmware.axis
) { lab, firmware in
    let lamp = Peripheral.lamp(pairing: .showsPasskey) { lamp in
        lamp.services[0].characteristics.append(
            .characteristic("FF03", [.write], needs: .encrypted).onWrite { access, _ in
                if firmware == .broken { try await access.peripheral.forgetBonds() }
            })
    }
    let on = try await lab.accessory.powerOn(lamp)
    let app = try await lab.phone.launch(GadgetApp.self)
    let picker = Task { try await app.add() }
    lab.phone.person.will(.pick("Lamp 7"))
    let number = try await lab.step("read the number", within: .seconds(15)) {
        try await lab.phone.shows(.passkeyEntry)
        return try await on.events.next(.showsPasskey)
    }
    lab.phone.person.will(.enterPasskey(number))
    let accessory = try await lab.step("set up", within: .seconds(20)) { try await picker.value }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe()
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }

    peripheral.writeValue(Data("654321".utf8), for: try peripheral.found("FF03"), type: .withResponse)
    if firmware == .mended {
        try await probe.next(.written(nil))
        try await on.disconnect()
    }
    try await lab.step("lose the link", within: .seconds(10)) { try await probe.next(.disconnected) }
    try await lab.expect(firmware, "the app uses the accessory with its new number") {
        try await lab.isUsable(identifier, by: probe)
    }
}

/// An accessory that loses its bond with every link: the phone keeps its own, and can no longer connect.
///
/// Report: https://github.com/Avi0n/MeshCoreOne/issues/302
let bondIsKept = Scenario(
    "A disconnected accessory is connected again; if it lost its bond, the app hears that",
    .tags("field", .pairing), .covers("C10"), over: Firmware.axis
) { lab, firmware in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp()
    let identifier = peripheral.identifier
    probe.central.cancelPeripheralConnection(peripheral)
    try await lab.step("disconnect", within: .seconds(10)) { try await probe.next(.disconnected) }
    if firmware == .broken { try await lamp.forgetBonds() }

    try await lab.expect(firmware, "the app connects again") { try await lab.isUsable(identifier, by: probe) }
    guard firmware == .broken else { return }
    lab.expect(
        probe.told.contains(.event(.failed(identifier, CBError.Code.peerRemovedPairingInformation.rawValue))),
        "the app hears why")
}

/// A factory reset that also changes the identity key: the phone waits for an accessory that it cannot recognise.
///
/// Reports: https://github.com/OneKeyHQ/hardware-js-sdk/pull/953, https://github.com/PhilipsHue/flutter_reactive_ble/issues/809
let resetIsNoticed = Scenario(
    "An app hears that its accessory was reset to factory settings, and need not wait for it",
    .tags("field", .pairing), .covers("C5", "C10"), over: Firmware.axis
) { lab, firmware in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(.lamp { $0.hasPrivateAddress = true })
    let identifier = peripheral.identifier
    try await lamp.forgetBonds(renewingIdentity: firmware == .broken)
    try await lab.step("lose the link", within: .seconds(15)) { try await probe.next(.disconnected) }
    try await lab.expect(firmware, "the app hears that the accessory has lost its bond") {
        do {
            _ = try await probe.connect(identifier, within: .seconds(8))
            return false
        } catch let error as CBError {
            return error.code == .peerRemovedPairingInformation
        } catch is TimedOut { return false }
    }
}

/// An accessory that asks to be paired at every connection, although nothing that the app uses is protected.
///
/// Report: https://github.com/ukBaz/python-bluezero/issues/335
let personIsNotAskedAgain = Scenario(
    "An accessory whose app needs no pairing does not make the phone ask the person at every connection",
    .tags("field", .pairing), .covers("K19", "C4"), over: Firmware.axis
) { lab, firmware in
    try await lab.accessory.powerOn(.lamp { $0.pairing.asksWhenConnected = firmware == .broken })
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe()
    if firmware == .broken {
        // A refusal ends the link, before or after the app hears that it is connected.
        lab.phone.policy.connectionTries = 1
        lab.phone.person.will(.refusePasskey, at: .passkey)
        let mark = lab.phone.log.mark
        let attempt = Task { _ = try? await probe.connect(identifier, within: .seconds(20)) }
        try await lab.step("lose the link", within: .seconds(15)) {
            try await lab.phone.log.next(.disconnected, since: mark)
        }
        attempt.cancel()
        _ = await attempt.value
        lab.expect(lab.phone.shownNumbers.count, equals: 1, "the person was asked")
    } else {
        for round in 1...2 {
            lab.expect(try await lab.isUsable(identifier, reading: "FF01", by: probe), "the app reads, \(round)")
        }
    }
    try await lab.expect(firmware, "the person is not asked to pair") { lab.phone.shownNumbers.isEmpty }
}
