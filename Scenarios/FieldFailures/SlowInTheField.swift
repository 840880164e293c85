import AccessorySetupKit
import CoreBluetooth
import HIL

/// An accessory that is busy and answers each request for its attributes late: the app is connected, but its time for
/// discovery runs out.
///
/// Report: https://github.com/jordanebelanger/SwiftyBluetooth/issues/17
let servicesAreFoundInTime = Scenario(
    "An app that is connected finds its accessory's services in time", .tags("field", .pairing), .needs(.air),
    .covers("C4"), over: Firmware.axis
) { lab, firmware in
    try await lab.accessory.powerOn(.lamp())
    let app = try await lab.phone.launch(GadgetApp.self)
    lab.phone.person.will(.pick("Lamp 7"))
    let accessory = try await lab.step("pick", within: .seconds(10)) { try await app.add(pairing: false) }
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe()
    try await probe.next(.state(.poweredOn))
    let peripheral = try lab.require(
        probe.central.retrievePeripherals(withIdentifiers: [identifier]).first, "the phone knows the lamp")
    peripheral.delegate = probe
    let body: @MainActor @Sendable () async throws -> Void = {
        let began = ContinuousClock.now
        probe.central.connect(peripheral)
        try await lab.step("connect", within: .seconds(25)) { try await probe.next(.connected(identifier)) }
        lab.expect(ContinuousClock.now - began < .seconds(3), "the app is connected before any late answer")
        try await lab.step("discover", within: .seconds(25)) { try await probe.discover(peripheral) }
        try await lab.expect(firmware, "the app knows the services 5 s after it began to connect") {
            ContinuousClock.now - began < .seconds(5)
        }
    }
    if firmware == .mended {
        try await body()
    } else {
        // Read By Type and Read By Group Type Response: the answers of discovery.
        let answers = Traffic.any([.att(opcode: 0x09), .att(opcode: 0x11)]).sent(by: .accessory)
        try await lab.air.withFault(.delayed(answers, by: .seconds(3)), firing: 3, body)
    }
    peripheral.readValue(for: try peripheral.found("FF01"))
    try await probe.next(.value(Data([50]), nil))
    probe.central.cancelPeripheralConnection(peripheral)
    try await probe.next(.disconnected)
}
