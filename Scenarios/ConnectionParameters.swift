import CoreBluetooth
import HIL

let accessoryAsksForParameters = Scenario(
    "An accessory requests connection parameters beyond Apple's limits: the phone warns, and refuses them",
    .tags(.pairing), .needs(.air), .covers("C14")
) { lab in
    let mark = lab.phone.log.mark
    // The phone's Connection Parameter Update Response: refused.
    let refusal = Traffic.containing([6, 0, 5, 0, 0x13]).and(.containing([2, 0, 1, 0])).sent(by: .host)
    try await lab.air.withFault(.noticed(refusal)) {
        let (lamp, _, probe, peripheral) = try await lab.connectedLamp(
            .lamp { $0.connectionInterval = 20...25 }, pairing: false)
        let asked = ConnectionParameters(milliseconds: 20...25, timeout: .milliseconds(720))
        try await lab.step("ask", within: .seconds(10)) {
            try await lab.phone.log.next(.radio(.parametersRequested(lamp.address, asked)), since: mark)
        }
        peripheral.readValue(for: try peripheral.found("FF01"))
        try await probe.next(.value(Data([50]), nil))
    }
    let warnings = lab.phone.log.events.compactMap {
        if case .warning("C14", let text) = $0.kind { text } else { nil }
    }
    lab.expect(warnings.count, equals: 1, "the phone warns once")
    lab.expect(
        warnings.first ?? "", contains: "the shortest interval must be a multiple of 15.0 ms",
        "the warning names the rule's number")
}
