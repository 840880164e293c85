import Foundation
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// The picker's state machine: rules K1, K2, K5, K8, K10 to K12, K14, D8, O1 to O3, A2, A3, F3.
@Suite struct PickerMachineTests {
    private let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!
    private let seven = DeviceAddress("9C:5A:81:00:00:07")!
    private let eight = DeviceAddress("9C:5A:81:00:00:08")!
    private let sevenID = UUID()
    private let eightID = UUID()
    private let bond = Bond(isSecureConnections: true, isAuthenticated: true)

    private func machine(
        options: PickerItem.SetupOptions = [], supports: DiscoveryDescriptor.SupportOptions = [],
        change: (inout PickerMachine.Configuration) -> Void = { _ in }
    ) -> PickerMachine {
        var descriptor = DiscoveryDescriptor()
        descriptor.serviceUUID = service
        descriptor.supportedOptions = supports
        let item = PickerItem(name: "Bluetooth Die", descriptor: descriptor, setupOptions: options)
        let ids = [seven: sevenID, eight: eightID]
        var configuration = PickerMachine.Configuration(
            items: [item], timeout: .seconds(30), policy: HostPolicy(), identifier: { ids[$0] ?? UUID() })
        change(&configuration)
        return PickerMachine(configuration)
    }

    private func heard(_ address: DeviceAddress, _ name: String?, rssi: Int? = -60) -> PickerMachine.Input {
        .heard(Advertisement(address: address, name: name, serviceUUIDs: [service], rssi: rssi))
    }

    /// The effects of the inputs, in order.
    private func run(_ machine: inout PickerMachine, _ inputs: PickerMachine.Input...) -> [PickerMachine.Effect] {
        inputs.flatMap { machine.handle($0) }
    }

    @Test("Each device has one entry, however often it is heard", .covers("K1"))
    func uniqueDevices() throws {
        var machine = machine()
        _ = run(&machine, .start, heard(seven, nil), heard(seven, "Die 7", rssi: -40), heard(eight, "Die 8"))
        #expect(machine.entries.map(\.name) == ["Die 7", "Die 8"])
        #expect(machine.picker.entries.map(\.title) == ["Bluetooth Die", "Bluetooth Die"])
        #expect(machine.handle(heard(seven, "Die 7", rssi: -50)).isEmpty, "nothing has changed")
        #expect(machine.handle(heard(seven, nil)).isEmpty, "the name stays")
    }

    @Test("A network with several access points is one entry", .covers("K1"))
    func uniqueNetworks() {
        var wifi = DiscoveryDescriptor()
        wifi.ssidPrefix = "Die-"
        var machine = machine { $0.items = [PickerItem(name: "Wi-Fi Die", descriptor: wifi)] }
        let networks = [1, 2].map { number in
            WiFiNetwork(
                ssid: "Die-7", bssid: DeviceAddress("02:00:00:00:00:0\(number)")!, frequency: 2412, signal: -40,
                security: .wpa2)
        }
        let effects = run(&machine, .start, .scanned(networks))
        #expect(effects.contains(.listen(bluetooth: false, wifi: true)))
        #expect(machine.entries.map(\.ssid) == ["Die-7"])
    }

    @Test("Accessories that the app already has are not offered, but a renamed network is", .covers("K14"))
    func knownAccessories() {
        var wifi = DiscoveryDescriptor()
        wifi.ssidPrefix = "Die-"
        var machine = machine { configuration in
            configuration.items.append(PickerItem(name: "Wi-Fi Die", descriptor: wifi))
            configuration.knownDevices = [sevenID]
            configuration.knownNetworks = ["Die-7"]
        }
        let networks = ["Die-7", "Die-renamed"].map {
            WiFiNetwork(ssid: $0, bssid: eight, frequency: 2412, signal: -40, security: .wpa2)
        }
        _ = run(&machine, .start, heard(seven, "Die 7"), .scanned(networks))
        #expect(machine.entries.map(\.name) == ["Die-renamed"])
    }

    @Test("Immediate range needs a strong mean of the last three signal reports", .covers("D8"))
    func immediateRange() {
        var machine = machine { $0.items[0].descriptor.range = .immediate }
        _ = run(&machine, .start, heard(seven, "Die 7", rssi: -40), heard(seven, "Die 7", rssi: -80))
        _ = machine.handle(heard(seven, "Die 7", rssi: -40))
        #expect(machine.entries.isEmpty, "the mean is -53 dBm")
        _ = run(&machine, heard(seven, "Die 7", rssi: -45), heard(seven, "Die 7", rssi: -50))
        #expect(machine.entries.count == 1)
        _ = machine.handle(heard(eight, "Die 8", rssi: nil))
        #expect(machine.entries.count == 1, "a report without a signal does not count")
    }

    @Test(
        "The picker ends with accessoryAdded, dismissal, completion; a policy swaps the last two", .covers("K11"),
        arguments: HostPolicy.PickerEnd.allCases)
    func endOrder(end: HostPolicy.PickerEnd) throws {
        var machine = machine { $0.policy.pickerEnd = end }
        let effects = run(
            &machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")), .person(.done), .person(.done))
        let outcome = effects.compactMap { effect -> String? in
            switch effect {
            case .tell(let kind, _, _): "\(kind)"
            case .complete(let error): error == nil ? "completion" : "error"
            default: nil
            }
        }
        let last = ["pickerDidDismiss", "completion"]
        let expected = end == .dismissalThenCompletion ? last : last.reversed()
        #expect(outcome == ["pickerDidPresent", "accessoryAdded"] + expected)
        #expect(
            effects.lastIndex(of: .close)! < effects.lastIndex(of: .tell(.pickerDidDismiss))!,
            "the app may open another picker in the event's handler")
    }

    @Test("Pairing is announced, and the authorised record has name, identifier and network", .covers("K12", "A1"))
    func pairing() throws {
        var machine = machine(supports: .bluetoothPairingLE) { $0.items[0].descriptor.ssid = "Die-7" }
        let start = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
        #expect(Array(start.suffix(2)) == [.tell(.pickerSetupPairing), .pair(seven)])
        #expect(start.contains(.stopListening))
        let effects = run(&machine, .paired(.success(bond)))
        guard case .authorize(let record) = effects.first else {
            Issue.record("nothing was authorised: \(effects)")
            return
        }
        #expect(record.displayName == "Bluetooth Die")
        #expect(record.bluetoothIdentifier == sevenID)
        #expect(record.ssid == "Die-7")
        #expect(record.state == .authorized)
    }

    @Test("A failed pairing is reported and shown, and ends with connectionFailed", .covers("K10"))
    func pairingFails() throws {
        var machine = machine(supports: .bluetoothPairingLE)
        _ = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
        let effects = run(&machine, .paired(.failure(.pairingFailed("refused"))), .person(.done))
        let error = SetupError(.connectionFailed, "pairing failed: refused")
        #expect(effects.contains(.tell(.pickerSetupFailed, nil, error)))
        #expect(effects.contains(.abandon(seven)), "the unfinished bond is deleted")
        #expect(effects.suffix(2) == [.tell(.pickerDidDismiss), .complete(error)])
        #expect(!effects.contains { if case .authorize = $0 { true } else { false } })
    }

    @Test("The picker times out only if nothing was found, and then says so", .covers("K2"))
    func timeout() {
        var machine = machine()
        let start = machine.handle(.start)
        #expect(start.contains(.startTimer(.seconds(30))))
        var other = machine
        let effects = run(&machine, .timedOut, .person(.done))
        #expect(effects.contains(.show(machine.nothingFound)))
        #expect(effects.contains(.complete(SetupError(.discoveryTimeout, "no accessory was found"))))
        #expect(effects.contains(.tell(.pickerDidDismiss)))
        #expect(run(&other, heard(seven, "Die 7"), .timedOut).count == 1, "only the entry is shown")
    }

    @Test("An unbounded discovery has no timer and ends when the app says so", .covers("F3"))
    func unbounded() {
        var machine = machine { $0.timeout = nil }
        #expect(!machine.handle(.start).contains { if case .startTimer = $0 { true } else { false } })
        #expect(machine.handle(.discoveryFinished).contains(.show(machine.nothingFound)))
    }

    @Test("The person can close the picker during discovery and during pairing", .covers("K5"))
    func cancel() {
        var machine = machine(supports: .bluetoothPairingLE)
        _ = machine.handle(.start)
        var pairing = machine
        let effects = machine.handle(.person(.cancel))
        #expect(effects.first == .stopListening)
        guard case .complete(let error) = effects.last else {
            Issue.record("no completion")
            return
        }
        #expect(error?.code == .userCancelled)
        _ = run(&pairing, heard(seven, "Die 7"), .person(.pick("Die 7")))
        #expect(pairing.handle(.person(.cancel)).first == .abandon(seven))
        #expect(pairing.handle(.paired(.success(bond))).isEmpty, "too late")
    }

    @Test("The person renames the accessory, and its network if the app says", .covers("O1"), arguments: [false, true])
    func rename(renamesSSID: Bool) {
        var machine = machine(options: .rename) { configuration in
            configuration.items[0].renamesSSID = renamesSSID
            configuration.items[0].descriptor.ssid = "Die-7"
        }
        let effects = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")), .person(.rename("Lucky")))
        #expect(effects.contains(.tell(.pickerSetupRename)))
        let record = effects.compactMap { if case .authorize(let record) = $0 { record } else { nil } }.last
        #expect(record?.displayName == "Lucky")
        #expect(record?.ssid == (renamesSSID ? "Lucky" : "Die-7"))
    }

    @Test("An accessory waits for the app, which finishes its authorisation with the SSID", .covers("O2", "A2", "O3"))
    func confirmAuthorization() throws {
        var machine = machine(options: [.confirmAuthorization, .finishInApp], supports: .bluetoothPairingLE)
        let picked = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
        #expect(!picked.contains(.pair(seven)), "the app starts pairing itself")
        guard case .tell(.accessoryAdded, let waiting?, nil) = picked.last else {
            Issue.record("\(picked)")
            return
        }
        #expect(waiting.state == .awaitingAuthorization)
        #expect(machine.handle(.finished(UUID(), AuthorizationSettings())).isEmpty, "another accessory")
        let settings = AuthorizationSettings(ssid: "Die-7")
        let effects = machine.handle(.finished(waiting.id, settings))
        guard case .authorize(let record) = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(record.id == waiting.id && record.state == .authorized)
        #expect(record.ssid == "Die-7" && record.bridgingIdentifier == nil)
        #expect(effects.contains(.tell(.accessoryChanged, record)))
        #expect("\(effects)".contains("Finish the setup in the app."), "O3")
    }

    @Test("An authorisation that the app fails is revoked, and the failure is shown", .covers("A3"))
    func failAuthorization() {
        var machine = machine(options: .confirmAuthorization)
        let picked = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
        guard case .tell(_, let waiting?, _) = picked.last else {
            Issue.record("\(picked)")
            return
        }
        let effects = machine.handle(.failed(waiting.id))
        #expect(effects.first == .revoke(waiting.id))
        #expect("\(effects)".contains("Setup Failed"))
    }

    @Test("Invalidation ends everything, and no event follows", .covers("K8"))
    func invalidation() {
        var machine = machine(supports: .bluetoothPairingLE)
        _ = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
        let effects = machine.handle(.invalidated)
        #expect(effects.first == .abandon(seven))
        #expect(effects.last == .tell(.invalidated))
        #expect(run(&machine, .paired(.success(bond)), .person(.cancel), .invalidated).isEmpty)
    }

    // MARK: Transport bridging

    private func link(keySize: Int) -> ClassicLink { ClassicLink(address: eight, key: bond, keySize: keySize) }

    @Test("After pairing the picker bridges, and the record has the classic address", .covers("K12", "A2"))
    func bridging() {
        var machine = machine(supports: [.bluetoothPairingLE, .bluetoothTransportBridging])
        _ = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
        let effects = machine.handle(.paired(.success(bond)))
        #expect(effects.contains(.tell(.pickerSetupBridging)) && effects.contains(.bridge(seven)))
        let ends = machine.handle(.bridged(.success(link(keySize: 16))))
        let added = ends.compactMap { if case .tell(.accessoryAdded, let record?, _) = $0 { record } else { nil } }
        #expect(added.map(\.bridgingIdentifier) == [Data(eight.bytes)])
        #expect(added.map(\.bluetoothIdentifier) == [sevenID])
    }

    @Test(
        "Setup fails if bridging fails or is not encrypted, unless the policy allows a failure",
        .covers("K12", "K10"))
    func failedBridging() {
        let failures: [Result<ClassicLink, RadioError>] = [
            .failure(.pairingFailed("no key")), .success(link(keySize: 0)),
        ]
        for failure in failures {
            var machine = machine(supports: .bluetoothTransportBridging)
            let picked = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
            #expect(picked.contains(.pair(seven)), "bridging needs the bond")
            _ = machine.handle(.paired(.success(bond)))
            let effects = machine.handle(.bridged(failure))
            #expect(effects.first == .abandon(seven))
            #expect(effects.contains { if case .tell(.pickerSetupFailed, _, _) = $0 { true } else { false } })
        }
        var lenient = machine(supports: .bluetoothTransportBridging) { $0.policy.bridgingFailureFailsSetup = false }
        _ = run(&lenient, .start, heard(seven, "Die 7"), .person(.pick("Die 7")), .paired(.success(bond)))
        let effects = lenient.handle(.bridged(.failure(.pairingFailed("no key"))))
        #expect(effects.contains { if case .tell(.accessoryAdded, _, _) = $0 { true } else { false } })
    }

    @Test("An app that finishes an authorisation with a bridging identifier has it bridged", .covers("A2", "K12"))
    func confirmedBridging() throws {
        /// A machine that bridges after the app has given the classic address of the die.
        func bridging() throws -> (machine: PickerMachine, record: AccessoryRecord) {
            var machine = self.machine(options: [.confirmAuthorization], supports: .bluetoothPairingLE)
            let picked = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
            guard case .tell(.accessoryAdded, let waiting?, nil) = picked.last else { throw CancellationError() }
            let settings = AuthorizationSettings(bridgingIdentifier: Data(eight.bytes))
            let effects = machine.handle(.finished(waiting.id, settings))
            #expect(effects.suffix(2) == [.tell(.pickerSetupBridging), .bridge(seven)])
            return (machine, waiting)
        }
        func isRevoked(_ effects: [PickerMachine.Effect], _ record: AccessoryRecord) -> Bool {
            effects.contains(.revoke(record.id)) && effects.contains(.abandon(seven))
        }
        var (machine, record) = try bridging()
        guard case .authorize(let done)? = machine.handle(.bridged(.success(link(keySize: 16)))).first else {
            Issue.record("it is not authorised")
            return
        }
        #expect(done.id == record.id && done.state == .authorized && done.bridgingIdentifier == Data(eight.bytes))

        let other = ClassicLink(address: seven, key: bond, keySize: 16)
        let failures: [Result<ClassicLink, RadioError>] = [
            .failure(.pairingFailed("no key")), .success(link(keySize: 0)), .success(other),
        ]
        for result in failures {
            (machine, record) = try bridging()
            #expect(isRevoked(machine.handle(.bridged(result)), record), "\(result)")
        }
        (machine, record) = try bridging()
        #expect(isRevoked(machine.handle(.person(.cancel)), record))
        (machine, record) = try bridging()
        #expect(isRevoked(machine.handle(.bluetoothPower(false)), record))
    }

    @Test(
        "A person who cancels during bridging leaves no bond; an input device is also paired", .covers("K12", "K5"))
    func cancelledBridging() {
        var machine = machine(supports: .bluetoothTransportBridging)
        _ = run(&machine, .start, heard(seven, "Die 7"), .person(.pick("Die 7")), .paired(.success(bond)))
        #expect(machine.handle(.person(.cancel)).first == .abandon(seven))
        var keyboard = self.machine(supports: .bluetoothHID)
        let effects = run(&keyboard, .start, heard(seven, "Die 7"), .person(.pick("Die 7")))
        #expect(effects.contains(.pair(seven)))
    }
}
