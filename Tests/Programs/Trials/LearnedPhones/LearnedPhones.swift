import CoreBluetooth
import Foundation
import HIL
import HILTiming

extension Room {
    /// Phones that captures describe, and a central that is no phone of ours.
    static let learnedPhones = Room("learned-phones") {
        [
            NamedScenario("stockCentralUsesBattery", file: "LearnedPhones.swift", stockCentralUsesBattery),
            NamedScenario("learnedPhoneIsPlayed", file: "LearnedPhones.swift", learnedPhoneIsPlayed),
        ]
    }
}

extension HostStack {
    /// The battery over Bumble.
    fileprivate static let battery = HostStack.hostStack(
        command: ["python3", "battery.py", "--socket", "{socket}"],
        environment: ["PYTHONPATH": "\(Files.checkout)/.build/tests-python"], workingFolder: Files.hostStacks,
        speaking: .unixSocket())
}

extension AccessoryProgram {
    /// BlueZ with a person at its own tool.
    fileprivate static let tool = AccessoryProgram(
        named: "central", command: ["bluetoothctl", "--agent", "KeyboardDisplay"],
        ready: .line(containing: "Agent registered"))
}

let stockCentralUsesBattery = Scenario(
    "Stock BlueZ with a person at bluetoothctl pairs with a battery, reads it, and hears its level",
    .needs(.hostStacks)
) { lab in
    let battery = try await lab.air.attach(.battery, named: "battery")
    // `advertising as 02:00:00:00:02:B8/P`: public.
    let address = String(try await battery.prints("advertising as ").prefix { $0 != "/" }.suffix(17))
    let central = try await lab.accessory.run(.tool)
    try await central.send("power on")
    try await central.send("scan le")
    try await lab.step("find", within: .seconds(10)) { try await central.prints("Battery 7") }
    try await central.send("scan off")
    try await central.send("pair \(address)")
    try await lab.step("pair", within: .seconds(20)) {
        try await central.prints("Request confirmation")
        try await central.send("yes")
        try await battery.prints("paired")
        // bluetoothd tells its services after `ServicesResolved: yes`, and before this.
        try await central.prints("Pairing successful")
    }
    try await central.send("gatt.select-attribute 00002a19-0000-1000-8000-00805f9b34fb")
    try await central.send("gatt.read")
    try await lab.step("read", within: .seconds(5)) { try await central.prints("64") }
    try await central.send("gatt.notify on")
    try await lab.step("subscribe", within: .seconds(5)) { try await central.prints("Notify started") }
    try await battery.send("level 42")
    try await lab.step("hear", within: .seconds(5)) { try await central.prints(" 2a ") }
    try await central.send("disconnect \(address)")
    try await lab.step("leave", within: .seconds(10)) { try await battery.prints("disconnected") }
    // A second link, with the bond.
    let mark = central.events.mark
    try await central.send("connect \(address)")
    try await lab.step("come back", within: .seconds(20)) {
        try await central.prints("ServicesResolved: yes", since: mark)
    }
    try await central.send("gatt.select-attribute 00002a19-0000-1000-8000-00805f9b34fb")
    try await central.send("gatt.read")
    try await lab.step("read again", within: .seconds(5)) { try await central.prints(" 2a ", since: mark) }
    try await central.send("disconnect \(address)")
    try await lab.step("leave again", within: .seconds(10)) {
        try await central.prints("ServicesResolved: no", since: mark)
    }
    let packets = try await lab.air.capturedHCI(of: .accessory)
    lab.expect(packets.packets(onChannel: 4).count > 20, "the capture has BlueZ's requests")
}

/// An app with permission for Bluetooth, which needs no picker.
final class LearnedApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        return AppBundle(identifier: "com.example.learned", folder: "\(folder)/App")
    }

    init() async throws {}
}

/// A phone that a capture describes.
private enum Learned: String, CaseIterable {
    case bumble, blueZ

    var personality: PhonePersonality { self == .bumble ? .bumble : .blueZ }
    /// Linux refuses a phone that asks for protection against a man in the middle, and neither shows nor asks anything.
    var mayPair: Bool { self == .blueZ }
}

let learnedPhoneIsPlayed = Scenario(
    "A lamp meets the phone of a capture: it is connected, paired and read as by that phone", .tags(.pairing),
    over: Axis("phone", Learned.allCases)
) { lab, phone in
    lab.phone.personality = phone.personality
    let name = Peripheral.Characteristic.characteristic(
        "FF02", [.read, .write], needs: .encrypted, value: Array("Lamp".utf8))
    // Its descriptor is behind it: where the phone looks for more shows how it goes on.
    let level = Peripheral.Characteristic.characteristic("FF01", [.read, .notify], value: [50])
    let lamp = try await lab.accessory.powerOn(
        .peripheral(named: "Lamp 7", services: [.service("FF00", [name, level])]))
    lab.phone.person.will(.allow, at: .bluetoothPermission)
    _ = try await lab.phone.launch(LearnedApp.self)
    if phone.mayPair { lab.phone.person.will(.confirmPasskey) }
    let probe = CentralProbe()
    let identifier = try await lab.step("scan", within: .seconds(10)) { try await probe.scan() }
    let value = Data("Lamp".utf8)
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    let first = try await lab.step("read", within: .seconds(10)) {
        peripheral.readValue(for: try peripheral.found("FF02"))
        return try await probe.next(.read)
    }
    lab.expect(first == value, equals: phone.mayPair, "the value needs a pairing")
    if phone.mayPair { try await lamp.events.next(.bonded) }
    probe.central.cancelPeripheralConnection(peripheral)
    try await lab.step("leave", within: .seconds(10)) { try await probe.next(.disconnected) }
    guard phone.mayPair else { return }
    let again = try await lab.step("connect again", within: .seconds(20)) { try await probe.connect(identifier) }
    let second = try await lab.step("read again", within: .seconds(10)) {
        again.readValue(for: try again.found("FF02"))
        return try await probe.next(.read)
    }
    lab.expect(second, equals: value, "the bond works on the next link")
    probe.central.cancelPeripheralConnection(again)
    try await lab.step("leave again", within: .seconds(10)) { try await probe.next(.disconnected) }
}

extension EventPattern where Event == CentralProbe.Callback, Value == Data {
    /// A read has ended; the value is the bytes, and empty if the accessory refused it.
    fileprivate static var read: Self {
        Self("the end of a read") { if case .value(let value, _) = $0 { value } else { nil } }
    }
}
