import AccessorySetupKit
import CoreBluetooth
import HIL

/// An accessory that the phone is connected to does not advertise: an app that only scans does not find it.
///
/// Report: https://github.com/brilliantlabsAR/brilliant_sdk/pull/24
let connectedAccessoryIsFound = Scenario(
    "An app finds its accessory although the phone is connected to it already", .tags("field", .discovery),
    .covers("C21"), over: AppVersion.axis
) { lab, version in
    let (lamp, _, first, peripheral) = try await lab.connectedLamp()
    try await lamp.advertise(nil)
    let probe = CentralProbe()
    try await probe.next(.state(.poweredOn))
    try await lab.expect(version, "the app finds the accessory") {
        guard version == .broken else {
            let services = [CBUUID(string: GadgetApp.service)]
            return probe.central.retrieveConnectedPeripherals(withServices: services).map(\.identifier) == [
                peripheral.identifier
            ]
        }
        probe.central.scanForPeripherals(withServices: nil)
        defer { probe.central.stopScan() }
        do {
            try await probe.next(.discovered, within: .seconds(3))
            return true
        } catch is TimedOut { return false }
    }
    guard version == .mended else { return }
    let again = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(peripheral.identifier) }
    again.readValue(for: try again.found("FF01"))
    try await probe.next(.value(Data([50]), nil))
    first.central.cancelPeripheralConnection(peripheral)
    again.readValue(for: try again.found("FF01"))
    try await lab.step("read on the link of the second manager", within: .seconds(10)) {
        try await probe.next(.value(Data([50]), nil))
    }
}

/// An app that the system has ended and that is launched again. Its peripheral is still connected and subscribed, but the
/// broken app does not become its delegate again.
///
/// Report: https://github.com/Navideck/universal_ble/pull/247
let restoredAppHearsValues = Scenario(
    "An app that the system has ended hears its accessory's values after its next launch", .tags("field", .pairing),
    .covers("C20"), over: AppVersion.axis
) { lab, version in
    let lamp = try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add() }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let old = CentralProbe(restoreName: "gadgets")
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await old.connect(identifier) }
    peripheral.setNotifyValue(true, for: try peripheral.found("FF01"))
    try await old.next(.notifying(true, nil))

    lab.phone.terminateApp(bySystem: true)
    _ = try await lab.phone.launch(GadgetApp.self)
    let new = CentralProbe(restoreName: "gadgets")
    try await lab.step("restore", within: .seconds(5)) { try await new.next(.restored([identifier])) }
    try await new.next(.state(.poweredOn))
    let restored = try lab.require(
        new.central.retrievePeripherals(withIdentifiers: [identifier]).first, "the peripheral is restored")
    lab.expect(restored.state, equals: .connected, "the link is still up")
    lab.expect(try restored.found("FF01").isNotifying, "and the app is still subscribed")
    if version == .mended { restored.delegate = new }
    try await lamp.notify([60], of: "FF01")
    try await lab.expect(version, "the app hears the value") {
        do {
            try await new.next(.value(Data([60]), nil), within: .seconds(3))
            return true
        } catch is TimedOut { return false }
    }
}
