import AccessorySetupKit
import CoreBluetooth
import HIL

/// The boot loader of an accessory has another address than its firmware: the app was authorised for the firmware only.
///
/// Report: https://github.com/nordicsemi/IOS-DFU-Library/issues/542
let bootLoaderIsReached = Scenario(
    "An app finds its accessory's boot loader, because it has the same address", .tags("field", .discovery),
    .needs(.adapters), .covers("C2", "C3"), over: Firmware.axis
) { lab, firmware in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
    try await lamp.powerOff()
    try await lab.step("lose the link", within: .seconds(15)) { try await probe.next(.disconnected) }
    let bootLoader = Peripheral.peripheral(
        named: "DfuTarg", services: [.service("FE59", [.characteristic("FF0A", [.write, .notify])])], pairing: .none)
    try await lab.accessory.powerOn(bootLoader, adapter: firmware == .broken ? 1 : .first)
    probe.central.scanForPeripherals(withServices: [CBUUID(string: "FE59")])
    try await lab.expect(firmware, "the app finds the boot loader") {
        do { return try await probe.next(.discovered, within: .seconds(4)) == peripheral.identifier } catch is TimedOut
        {
            return false
        }
    }
    probe.central.stopScan()
}

/// An app that waits before it connects again. Its wait does not end while it is suspended; an attempt to connect would.
///
/// Report: https://github.com/ryanbr/noop/issues/1413
let suspendedAppConnectsAgain = Scenario(
    "A suspended app is connected again when its accessory comes back", .tags("field", .pairing), .covers("C13"),
    over: AppVersion.axis
) { lab, version in
    let lamp = try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    // The app may run this long after its link is lost, and the broken one waits longer.
    lab.phone.policy.backgroundTime = .milliseconds(500)
    let link = ReconnectingApp(pause: version == .broken ? .seconds(2) : nil)
    try await lab.step("connect", within: .seconds(10)) { try await link.connect(identifier) }
    lab.phone.suspendApp()
    let mark = link.events.mark
    try await lamp.powerOff()
    try await lab.step("lose the link", within: .seconds(15)) {
        try await link.events.next(.event(.disconnected), since: mark)
        if version == .broken { try await link.events.next(.event(.asked), since: mark) }
        try await lab.becomes("the app is suspended again", within: .seconds(5)) {
            lab.phone.app?.isSuspended == true
        }
    }
    try await lab.accessory.powerOn(.lamp())
    try await lab.expect(version, "the app is connected while it is in the background") {
        do {
            try await link.events.next(.event(.connected), since: mark, within: .seconds(6))
            return true
        } catch is TimedOut { return false }
    }
    lab.phone.resumeApp()
    try await lab.step("connect in the foreground", within: .seconds(15)) {
        try await link.events.next(.event(.connected), since: mark)
    }
}

/// A change of the connection's parameters that the accessory's radio misses: it ends the link with Instant Passed,
/// 0x28, and the phone hears nothing more.
///
/// Reports: https://github.com/espressif/esp-idf/issues/14053, https://github.com/bluez/bluez/issues/1315
let linkOutlivesNewParameters = Scenario(
    "The link outlives a change of its connection parameters; an app whose link ended connects again",
    .tags("field", .pairing), .needs(.air), .covers("C14", "C6"), over: Firmware.axis
) { lab, firmware in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
    let identifier = peripheral.identifier
    let mark = lamp.events.mark
    let change: @MainActor @Sendable () async throws -> Void = {
        try await lab.phone.bluetooth.changeParameters(
            of: identifier, to: ConnectionParameters(milliseconds: 30...45, timeout: .seconds(2)))
    }
    if firmware == .mended {
        try await lab.air.withFault(.noticed(.parameterUpdate)) {
            try await change()
            peripheral.readValue(for: try peripheral.found("FF01"))
            try await probe.next(.value(Data([50]), nil))
        }
    } else {
        try await lab.air.withFault(.dropped(.parameterUpdate)) {
            try await change()
            try await lamp.events.next(.disconnected, since: mark, within: .seconds(10))
        }
    }
    try await lab.expect(firmware, "the link is still up") {
        do {
            try await probe.next(.disconnected, within: .seconds(firmware == .broken ? 10 : 3))
            return false
        } catch is TimedOut { return true }
    }
    guard firmware == .broken else { return }
    lab.expect(
        probe.told.contains(
            .event(.disconnected(identifier, CBError.Code.connectionTimeout.rawValue, isReconnecting: false))),
        "for the app the link has timed out")
    _ = try await lab.step("connect again", within: .seconds(15)) { try await probe.connect(identifier) }
}

/// An accessory that is renamed in its advertisement only: the phone keeps showing the name that it read before.
///
/// Report: https://github.com/espressif/esp-idf/issues/7647
let newNameIsShown = Scenario(
    "An app sees the new name of its accessory after the next connection", .tags("field", .discovery), .covers("C11"),
    over: Firmware.axis
) { lab, firmware in
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
    try await lab.phone.log.next(.note(of: "Bluetooth", containing: "reading of the name (2A00) of Lamp 7"))
    lab.expect(peripheral.name, equals: "Lamp 7", "the name is known")
    probe.central.cancelPeripheralConnection(peripheral)
    try await lab.step("disconnect", within: .seconds(10)) { try await probe.next(.disconnected) }

    if firmware == .mended { try await lamp.setLinkName("Desk lamp") }
    try await lamp.advertise(
        PeripheralAdvertising(name: "Desk lamp", serviceUUIDs: [GadgetApp.service].compactMap { BluetoothUUID($0) }))
    let again = try await lab.step("connect again", within: .seconds(15)) {
        _ = try await probe.find()
        return try await probe.connect(peripheral.identifier)
    }
    try await lab.expect(firmware, "the app sees the new name") {
        do {
            try await lab.becomes("the name is the new one", within: .seconds(2)) { again.name == "Desk lamp" }
            return true
        } catch { return again.name == "Desk lamp" }
    }
}

/// How an accessory handles a service table that changed while the phone was away, and whether it is bonded.
private enum TableChange: String, CaseIterable {
    case brokenWithBond, brokenWithoutBond, mendedWithBond, mendedWithoutBond

    var firmware: Firmware { self == .brokenWithBond || self == .brokenWithoutBond ? .broken : .mended }
    var hasBond: Bool { self == .brokenWithBond || self == .mendedWithBond }
}

/// New firmware brings new services, but no Service Changed to announce them: the phone keeps using the old ones.
///
/// Report: https://github.com/ukBaz/python-bluezero/issues/405
let newServicesAreDiscovered = Scenario(
    "An app discovers services that were added while its accessory was away", .tags("field", .pairing), .needs(.air),
    .covers("C12", "C7", "C4"), over: Axis("table", TableChange.allCases)
) { lab, change in
    let (lamp, _, probe, peripheral) = try await lab.without(serviceChanged: change.firmware == .broken) {
        try await lab.connectedLamp(pairing: change.hasBond)
    }
    probe.central.cancelPeripheralConnection(peripheral)
    try await lab.step("disconnect", within: .seconds(10)) { try await probe.next(.disconnected) }
    try await lamp.replaceServices([
        .service("FF10", [.characteristic("FF11", [.read], value: [2])]),
        .service(GadgetApp.service, [.characteristic("FF01", [.read], value: [1])]),
    ])
    let again = try await lab.step("connect again", within: .seconds(15)) {
        try await probe.connect(peripheral.identifier)
    }
    try await lab.expect(change.firmware, "the app discovers the new services") {
        (try? again.found("FF11")) != nil
    }
}
