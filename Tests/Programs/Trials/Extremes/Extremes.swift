import CoreBluetooth
import Foundation
import HIL
import HILTiming

extension Room {
    /// Much of one thing, which takes minutes, and what must fail.
    static let extremes = Room("extremes") {
        [
            NamedScenario("lampIsConnectedOften", file: "Extremes.swift", lampIsConnectedOften),
            NamedScenario("everyValueArrives", file: "Extremes.swift", everyValueArrives),
            NamedScenario("lampAnswersTooLate", file: "Extremes.swift", lampAnswersTooLate),
        ]
    }
}

/// An app with permission for Bluetooth, which needs no picker.
final class TrialApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        return AppBundle(identifier: "com.example.trials", folder: "\(folder)/App")
    }

    init() async throws {}
}

extension Lab {
    /// Switches a lamp on. Returns an app's central manager that has found it, and the lamp's identifier for the app.
    fileprivate func foundLamp(
        _ schedule: PeripheralSchedule? = nil
    ) async throws -> (probe: CentralProbe, identifier: UUID) {
        let brightness = Peripheral.Characteristic.characteristic(
            "FF01", [.read, .notify], value: [50], schedule: schedule)
        try await accessory.powerOn(.peripheral(named: "Lamp 7", services: [.service("FF00", [brightness])]))
        phone.person.will(.allow, at: .bluetoothPermission)
        _ = try await phone.launch(TrialApp.self)
        let probe = CentralProbe()
        let identifier = try await step("scan", within: .seconds(10)) { try await probe.scan() }
        return (probe, identifier)
    }
}

let lampIsConnectedOften = Scenario(
    "An app connects a thousand times in a row, reads each time, and its phone does not grow", .budget(.seconds(600))
) { lab in
    let (probe, identifier) = try await lab.foundLamp()
    var sizes: [Int] = []
    for round in 1...1000 {
        try await lab.step("round \(round)", within: .seconds(10)) {
            let peripheral = try await probe.connect(identifier)
            peripheral.readValue(for: try peripheral.found("FF01"))
            try await probe.next(.value(Data([50]), nil))
            probe.central.cancelPeripheralConnection(peripheral)
            try await probe.next(.disconnected(identifier, nil, isReconnecting: false))
        }
        if round.isMultiple(of: 250) { sizes.append(residentMemory()) }
    }
    // What grows is the record: about a dozen events of each round.
    lab.expect(sizes[3] - sizes[1] < 16 << 10, "500 more connections take less than 16 MiB: \(sizes) KiB")
}

let everyValueArrives = Scenario(
    "Of 6,000 values that a lamp notifies at full speed, the app hears each one, in order", .budget(.seconds(300))
) { lab in
    let count = 6000
    // A thousand in a second are more than the link carries.
    let schedule = PeripheralSchedule.every(.milliseconds(1), (0..<count).map(encoded), repeats: false)
    let (probe, identifier) = try await lab.foundLamp(schedule)
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    peripheral.setNotifyValue(true, for: try peripheral.found("FF01"))
    try await lab.step("hear \(count) values", within: .seconds(240)) {
        for number in 0..<count {
            let value = try await probe.next(.value, within: .seconds(60))
            lab.expect(value == encoded(number), "value \(number) comes once and in order: \([UInt8](value))")
        }
    }
}

let lampAnswersTooLate = Scenario(
    "A lamp answers a read when its phone has gone, which brings bluetoothd down: the lamp's failure"
) { lab in
    let (asked, isGone) = (EventLog<Void>(), EventLog<Void>())
    let slow = Peripheral.Characteristic.characteristic("FF01", [.read]).onRead { _ in
        asked.append(())
        _ = try await isGone.first(within: .seconds(20), waitingFor: "the end of the link")
        return Data([50])
    }
    let lamp = try await lab.accessory.powerOn(
        .peripheral(named: "Lamp 7", services: [.service("FF00", [slow])]))
    lab.phone.person.will(.allow, at: .bluetoothPermission)
    _ = try await lab.phone.launch(TrialApp.self)
    let probe = CentralProbe()
    let identifier = try await lab.step("scan", within: .seconds(10)) { try await probe.scan() }
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    try await lab.step("leave during a read", within: .seconds(10)) {
        peripheral.readValue(for: try peripheral.found("FF01"))
        _ = try await asked.first(within: .seconds(5), waitingFor: "the read")
        probe.central.cancelPeripheralConnection(peripheral)
        try await lamp.events.next(.disconnected)
    }
    isGone.append(())
    try await lab.step("bring bluetoothd down", within: .seconds(10)) {
        while lab.failures.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
    }
}

private func encoded(_ number: Int) -> Data { Data([UInt8(number >> 8), UInt8(number & 0xFF)]) }

/// What this process has in memory, in KiB (proc_pid_statm(5), in pages of 4 KiB).
private func residentMemory() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
}
