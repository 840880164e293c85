import Foundation
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// Radios that are off, or are switched off while the picker is open: rule K18.
@Suite struct PickerPowerTests {
    private let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!
    private let seven = DeviceAddress("9C:5A:81:00:00:07")!
    private let bond = Bond(isSecureConnections: true, isAuthenticated: true)
    private let hint = "Turn on Bluetooth in Settings to find accessories."

    private func machine(
        supports: DiscoveryDescriptor.SupportOptions = .bluetoothPairingLE,
        change: (inout PickerMachine.Configuration) -> Void = { _ in }
    ) -> PickerMachine {
        var descriptor = DiscoveryDescriptor()
        descriptor.serviceUUID = service
        descriptor.supportedOptions = supports
        let item = PickerItem(name: "Bluetooth Die", descriptor: descriptor)
        let identifier = UUID()
        var configuration = PickerMachine.Configuration(
            items: [item], timeout: .seconds(30), policy: HostPolicy(), identifier: { _ in identifier })
        change(&configuration)
        return PickerMachine(configuration)
    }

    private var heard: PickerMachine.Input {
        .heard(Advertisement(address: seven, name: "Die 7", serviceUUIDs: [service], rssi: -60))
    }

    /// The last screen that the inputs show.
    private func screen(_ machine: inout PickerMachine, _ inputs: PickerMachine.Input...) -> Screen? {
        inputs.flatMap { machine.handle($0) }
            .compactMap { if case .show(let screen) = $0 { screen } else { nil } }.last
    }

    @Test("A picker that opens with Bluetooth off says so until it is on", .covers("K18"))
    func offAtFirst() {
        var machine = machine { $0.isBluetoothOn = false }
        #expect(screen(&machine, .start)?.lines == [hint])
        #expect(machine.handle(heard).isEmpty, "the event is from before the radio was switched off")
        #expect(screen(&machine, .bluetoothPower(true))?.lines == [])
        #expect(screen(&machine, heard)?.entries.map(\.detail) == ["Die 7"])
    }

    @Test("After Bluetooth was off, an accessory is offered only when it is heard again", .covers("K18"))
    func offMeanwhile() {
        var machine = machine()
        _ = screen(&machine, .start, heard)
        #expect(screen(&machine, .bluetoothPower(false))?.entries == [])
        #expect(machine.handle(.person(.pick("Die 7"))).isEmpty, "an accessory that is not shown cannot be picked")
        #expect(screen(&machine, .bluetoothPower(true))?.entries == [])
        #expect(screen(&machine, heard)?.entries.map(\.detail) == ["Die 7"])
        #expect(screen(&machine, .person(.pick("Die 7")))?.kind == .settingUp)
    }

    @Test("An accessory that the app accepted comes back with the app's name for it", .covers("K18", "F2"))
    func filtered() throws {
        var machine = machine { $0.filters = true }
        let found = [PickerMachine.Input.start, heard].flatMap { machine.handle($0) }
        let record = try #require(
            found.compactMap { if case .discover(let record, _) = $0 { record } else { nil } }.first)
        let item = PickerItem(name: "Seven", descriptor: DiscoveryDescriptor())
        _ = screen(&machine, .update([FilteredItem(accessory: record.id, item: item)]))
        #expect(screen(&machine, .bluetoothPower(false), .bluetoothPower(true))?.entries == [])
        #expect(screen(&machine, heard)?.entries.map(\.title) == ["Seven"])
    }

    @Test("Only the radio that an item needs is mentioned, and only its loss hides the entries", .covers("K18"))
    func otherRadio() {
        var wifi = DiscoveryDescriptor()
        wifi.ssidPrefix = "Die-"
        let network = WiFiNetwork(ssid: "Die-7", bssid: seven, frequency: 2412, signal: -40, security: .wpa2)
        var machine = machine { $0.items = [PickerItem(name: "Wi-Fi Die", descriptor: wifi)] }
        _ = screen(&machine, .start, .scanned([network]))
        #expect(screen(&machine, .bluetoothPower(false))?.entries.count == 1)
        let off = screen(&machine, .wifiPower(false))
        #expect(off?.entries == [] && off?.lines == ["Turn on Wi-Fi in Settings to find accessories."])
        #expect(machine.handle(.scanned([network])).isEmpty)
        #expect(screen(&machine, .wifiPower(true), .scanned([network]))?.entries.count == 1)
    }

    @Test("Pairing and bridging fail when the radio goes off, and leave no bond", .covers("K18", "K10"))
    func pairing() {
        var pairing = machine()
        _ = screen(&pairing, .start, heard, .person(.pick("Die 7")))
        let effects = pairing.handle(.bluetoothPower(false))
        let error = SetupError(.connectionFailed, "Bluetooth was switched off")
        #expect(effects.prefix(2) == [.abandon(seven), .tell(.pickerSetupFailed, nil, error)])
        #expect(pairing.handle(.paired(.success(bond))).isEmpty, "a late answer changes nothing")
        #expect(pairing.handle(.person(.done)).contains(.complete(error)))

        var bridging = machine(supports: [.bluetoothPairingLE, .bluetoothTransportBridging])
        _ = screen(&bridging, .start, heard, .person(.pick("Die 7")), .paired(.success(bond)))
        #expect(bridging.handle(.bluetoothPower(false)).contains(.tell(.pickerSetupFailed, nil, error)))
    }

    @Test("The other radio changes nothing, nor does a repeated report, nor anything after setup", .covers("K18"))
    func nothing() {
        var machine = machine()
        _ = screen(&machine, .start, heard, .person(.pick("Die 7")))
        #expect(machine.handle(.wifiPower(false)).isEmpty)
        #expect(machine.handle(.bluetoothPower(true)).isEmpty)
        #expect(screen(&machine, .paired(.success(bond)))?.kind == .setupComplete)
        #expect(machine.handle(.bluetoothPower(false)).isEmpty, "the accessory is set up")
    }
}
