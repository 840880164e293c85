import AccessorySetupKit
import CoreBluetooth
import HIL

/// New hardware advertises another service, and the app's descriptor does not find it.
///
/// Report: https://github.com/OpenStrap/edge/issues/237
let newHardwareIsFound = Scenario(
    "New hardware is found by the released app, because it still advertises the old service",
    .tags("field", .discovery), .covers("D5", "K2"), over: Firmware.axis
) { lab, firmware in
    lab.phone.policy.discoveryTimeout = .seconds(3)
    let lamp = Peripheral.lamp { lamp in
        let services = firmware == .broken ? ["FF30"] : ["FF30", GadgetApp.service]
        lamp.advertising = PeripheralAdvertising(
            name: lamp.name, serviceUUIDs: services.compactMap { BluetoothUUID($0) })
    }
    try await lab.accessory.powerOn(lamp)
    let app = try await lab.phone.launch(GadgetApp.self)
    try await lab.expect(firmware, "the accessory is set up") {
        do { return try await app.add().state == .authorized } catch ASError.discoveryTimeout { return false }
    }
}

/// An LE-only accessory that advertises as one with classic Bluetooth. The phone of the report never noticed; hosts
/// with BlueZ tried classic Bluetooth, and failed.
///
/// Reports: https://github.com/pollen-robotics/reachy_mini/pull/1397, https://github.com/coredevices/PebbleOS/issues/1439
let flagsSayLEAlone = Scenario(
    "An accessory without classic Bluetooth says so in its advertisement", .tags("field", .discovery), .covers("D11"),
    over: Firmware.axis
) { lab, firmware in
    let lamp = Peripheral.lamp { lamp in
        lamp.advertising = PeripheralAdvertising(
            name: lamp.name, serviceUUIDs: [GadgetApp.service].compactMap { BluetoothUUID($0) },
            claimsClassic: firmware == .broken)
    }
    try await lab.accessory.powerOn(lamp)
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    _ = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    try await lab.expect(firmware, "the phone does not warn") {
        !lab.phone.log.events.contains { if case .warning("D11", _) = $0.kind { true } else { false } }
    }
}
