import CoreBluetooth
import HIL

/// An app waits for the answer to a write when the link ends. Core Bluetooth gives none, so that an app that does not take
/// the end of the link for one waits for ever.
///
/// Report: https://github.com/google/nearby/pull/4524
let writeEndsWithItsLink = Scenario(
    "An app whose link ends in the middle of a write goes on", .tags("field", .robustness), .needs(.air),
    .covers("C25"),
    over: AppVersion.axis
) { lab, app in
    let (_, _, probe, peripheral) = try await lab.connectedLamp(pairing: false)
    let brightness = try peripheral.found("FF01")
    let mark = probe.told.mark
    // Write Response.
    let answer = Traffic.att(opcode: 0x13).sent(by: .accessory)
    try await lab.air.withFault(.linkLoss(.bluetooth, at: answer)) {
        peripheral.writeValue(Data([80]), for: brightness, type: .withResponse)
        peripheral.readValue(for: brightness)
        try await lab.step("lose the link", within: .seconds(10)) { try await probe.next(.disconnected) }
    }
    let written = EventPattern<CentralProbe.Callback, Void>("the write's answer") {
        if case .written = $0 { () } else { nil }
    }
    let isAnswered = probe.told.contains(written, since: mark)
    let hasEnded = probe.told.contains(.disconnected, since: mark)
    try await lab.expect(app, "the app's write has ended") { app == .mended ? isAnswered || hasEnded : isAnswered }
    let calls = probe.told.count(EventPattern("a call of the delegate") { _ in () }, since: mark)
    lab.expect(calls, equals: 1, "the app hears of the link's end, and of nothing else")
}
