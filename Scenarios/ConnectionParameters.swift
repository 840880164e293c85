import AccessorySetupKit
import CoreBluetooth
import HIL

let accessoryAsksForParameters = Scenario(
    "An accessory's connection parameters are accepted within Apple's limits; beyond them the phone keeps its own",
    .tags(.pairing), .covers("C14"), over: Firmware.axis
) { lab, firmware in
    let wanted =
        firmware == .mended
        ? ConnectionParameters(milliseconds: 45...60, latency: 4, timeout: .seconds(4))
        : ConnectionParameters(milliseconds: 100...200, latency: 40, timeout: .seconds(32))
    let mark = lab.phone.log.mark
    let (lamp, _, probe, peripheral) = try await lab.connectedLamp(
        .lamp { $0.connectionParameters = wanted }, pairing: false)
    let request = RadioEvent.parametersRequested(lamp.address, wanted)
    try await lab.step("ask", within: .seconds(10)) { try await lab.phone.log.next(.radio(request), since: mark) }
    peripheral.readValue(for: try peripheral.found("FF01"))
    try await probe.next(.value(Data([50]), nil))
    try await lab.expect(firmware, "the phone accepts them") {
        !lab.phone.log.events.contains { if case .warning("C14", _) = $0.kind { true } else { false } }
    }
}
