import CoreBluetooth
import DiceApp
import DieProtocol
import HIL

/// Bluetooth that the person switches off while the app scans, connects, or waits for an answer: the app hears of the state
/// alone, as Core Bluetooth documents, and does all of it again once Bluetooth is on.
let bluetoothIsSwitchedOffInUse = Scenario(
    "Bluetooth switched off while an app scans, connects and reads is told as a state, and all works again once it is on",
    .tags(.robustness, .pairing), .covers("C1", "C2", "C4", "C6"), .budget(.seconds(90))
) { lab in
    try await lab.accessory.powerOn(.die(named: "Die 7"))
    let (_, accessory) = try await lab.pairedDie(named: "Die 7")
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the die has a Bluetooth identifier")
    let probe = CentralProbe()
    try await lab.step("be on", within: .seconds(5)) { try await probe.next(.state(.poweredOn)) }
    let peripheral = try lab.require(
        probe.central.retrievePeripherals(withIdentifiers: [identifier]).first, "the app is given the peripheral")

    @MainActor func comeOn(_ what: String) async throws {
        lab.expect(peripheral.state, equals: .disconnected, "off while \(what): the peripheral is disconnected")
        lab.expect(!probe.central.isScanning, "off while \(what): no scan goes on")
        let told = probe.told.count
        try await lab.switchBluetooth(true)
        try await lab.step("be on, off while \(what)", within: .seconds(5)) { try await probe.next(.state(.poweredOn)) }
        lab.expect(
            probe.told.events[told - 1], equals: .state(.poweredOff),
            "off while \(what): the app heard of the state last")
    }

    probe.central.scanForPeripherals(withServices: nil)
    try await lab.switchBluetooth(false)
    try await comeOn("scanning")
    lab.expect(try await probe.find(), equals: identifier, "a new scan finds the die")

    probe.central.connect(peripheral, options: nil)
    try await lab.switchBluetooth(false)
    try await comeOn("connecting")

    _ = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    peripheral.delegate = probe
    try await probe.discover(peripheral)
    // With the answer on its way. Before that it would be bluetoothd 5.82 on the die that is tried: it may abort where it gets to
    // a read of a link that is gone (gatt-database.c, att_get_device gives no device, whose path is told over D-Bus).
    let place = lab.phone.log.count
    try await lab.air.when(.att(opcode: 0x0B).sent(by: .accessory)) {
        try await lab.switchBluetooth(false)
    } during: {
        peripheral.readValue(for: try peripheral.found(DieGATT.owner.uuid))
        try await lab.phone.notices("Bluetooth to be off", since: place) { $0 == .bluetoothPower(false) }
    }
    try await comeOn("reading")

    _ = try await lab.step("connect again", within: .seconds(10)) { try await probe.connect(identifier) }
    try await probe.discover(peripheral)
    peripheral.readValue(for: try peripheral.found(DieGATT.owner.uuid))
    try await lab.step("read", within: .seconds(5)) {
        try await probe.next("the owner") { if case .value(_, nil) = $0 { true } else { false } }
    }
}
