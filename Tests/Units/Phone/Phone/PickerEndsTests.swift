import Foundation
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// Every state of a picker ends, whatever link, pairing, person, radio and app do, and in whatever order (K10, K11).
@Suite struct PickerEndsTests {
    private static let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!
    private static let device = DeviceAddress("9C:5A:81:00:00:07")!
    private static let bond = Bond(isSecureConnections: true, isAuthenticated: true)

    /// A machine with what it has asked for.
    private struct Run {
        var machine: PickerMachine
        var effects: [PickerMachine.Effect] = []
        var inputs: [String] = []

        mutating func handle(_ input: PickerMachine.Input) {
            inputs.append("\(input)".prefix(60).description)
            effects += machine.handle(input)
        }

        /// The waits and the timer that have begun and whose end was not told.
        mutating func fireAll() {
            let due = effects.compactMap { effect -> PickerMachine.Input? in
                switch effect {
                case .startWait(_, let wait): .overdue(wait)
                case .startTimer: .timedOut
                default: nil
                }
            }
            for input in due { handle(input) }
        }

        var record: UUID? {
            effects.reversed().lazy.compactMap { effect in
                if case .tell(.accessoryAdded, let record?, _) = effect { record.id } else { nil }
            }.first
        }

        var screen: Screen? {
            effects.reversed().lazy.compactMap { if case .show(let screen) = $0 { screen } else { nil } }.first
        }

        func count(_ matches: (PickerMachine.Effect) -> Bool) -> Int { effects.count(where: matches) }
    }

    private static func machine(_ numbers: inout SeededNumbers) -> PickerMachine {
        var descriptor = DiscoveryDescriptor()
        descriptor.serviceUUID = service
        descriptor.supportedOptions = [
            [], .bluetoothPairingLE, [.bluetoothPairingLE, .bluetoothTransportBridging],
        ].randomElement(using: &numbers)!
        let options: [PickerItem.SetupOptions] = [
            [], .rename, .confirmAuthorization, [.confirmAuthorization, .rename],
        ]
        let item = PickerItem(
            name: "Bluetooth Die", descriptor: descriptor, setupOptions: options.randomElement(using: &numbers)!)
        var policy = HostPolicy()
        policy.pickerEnd = HostPolicy.PickerEnd.allCases.randomElement(using: &numbers)!
        policy.bridgingFailureFailsSetup = Bool.random(using: &numbers)
        return PickerMachine(
            PickerMachine.Configuration(
                items: [item], timeout: Bool.random(using: &numbers) ? .seconds(30) : nil, policy: policy,
                identifier: { _ in UUID() }))
    }

    private static func input(_ run: Run, _ numbers: inout SeededNumbers) -> PickerMachine.Input {
        let id = run.record ?? UUID()
        let other = DeviceAddress("9C:5A:81:00:00:08")!
        let inputs: [PickerMachine.Input] = [
            .heard(Advertisement(address: device, name: "Die 7", serviceUUIDs: [service], rssi: -40)),
            .heard(Advertisement(address: device, name: "Die 7", serviceUUIDs: [service], rssi: -50)),
            .person(.pick("Die 7")), .person(.pick("Die 7")), .person(.cancel), .person(.done),
            .person(.rename("Seven")),
            .paired(.success(bond)), .paired(.failure(.pairingFailed("Authentication Failed"))),
            .linkLost(device, reason: "the supervision timeout"), .linkLost(other, reason: "elsewhere"),
            .pairingBegan(device), .bridged(.success(ClassicLink(address: other, key: bond, keySize: 16))),
            .bridged(.failure(.pairingFailed("no key"))), .finished(id, AuthorizationSettings()),
            .finished(id, AuthorizationSettings(bridgingIdentifier: Data(other.bytes))), .failed(id),
            .bluetoothPower(false), .bluetoothPower(true), .wifiPower(false), .timedOut, .discoveryFinished,
            .overdue(run.machine.lastWait - 1),
        ]
        return inputs.randomElement(using: &numbers)!
    }

    @Test(
        "Whatever happens, a picker that nobody answers ends, with one completion and its event", .covers("K10", "K11"))
    func everyOrder() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var numbers = SeededNumbers(seed: seed)
        for round in 0..<3000 {
            var run = Run(machine: Self.machine(&numbers))
            run.handle(.start)
            for _ in 0..<Int.random(in: 0...14, using: &numbers) { run.handle(Self.input(run, &numbers)) }
            // Nothing more comes from the radio. Each wait ends.
            run.fireAll()
            let name = Comment(rawValue: "seed \(seed), round \(round): \(run.inputs)")
            switch run.machine.phase {
            case .pairing, .bridging: Issue.record("it waits for the radio for ever", sourceLocation: #_sourceLocation)
            default: break
            }
            // The person closes whatever is shown.
            for _ in 0..<3 {
                guard let screen = run.screen else { break }
                run.handle(.person(screen.controls.contains(.done) ? .done : .cancel))
            }
            if case .ended = run.machine.phase {} else { Issue.record("it has not ended: \(name)") }
            #expect(run.count { if case .complete = $0 { true } else { false } } == 1, name)
            #expect(run.count { $0 == .close } == 1 && run.count { $0 == .tell(.pickerDidDismiss) } == 1, name)
            let failures = run.count { if case .tell(.pickerSetupFailed, _, _?) = $0 { true } else { false } }
            let pages = run.count { if case .show(let screen) = $0 { screen.kind == .setupFailed } else { false } }
            #expect(failures == pages, name)
        }
    }

    @Test(
        "A link that drops while pairing ends the set-up a moment later, unless the pairing is answered", .covers("K10")
    )
    func lostLink() {
        func run(_ last: PickerMachine.Input?) -> [PickerMachine.Effect] {
            var numbers = SeededNumbers(seed: 1)
            var machine = Self.machine(&numbers)
            while !machine.searchedItems[0].descriptor.supportedOptions.needPairing
                || !machine.searchedItems[0].setupOptions.isEmpty
            {
                machine = Self.machine(&numbers)
            }
            var run = Run(machine: machine)
            for input: PickerMachine.Input in [
                .start,
                .heard(Advertisement(address: Self.device, name: "Die 7", serviceUUIDs: [Self.service], rssi: -40)),
                .person(.pick("Die 7")), .linkLost(Self.device, reason: "the supervision timeout"),
            ] { run.handle(input) }
            if let last { run.handle(last) }
            #expect(run.count { if case .startWait(.seconds(5), _) = $0 { true } else { false } } == 1)
            run.fireAll()
            return run.effects
        }
        let errors = run(nil).compactMap { effect -> String? in
            if case .tell(.pickerSetupFailed, _, let error?) = effect { error.description } else { nil }
        }
        #expect(errors.count == 1 && errors[0].contains("the link was lost while pairing: the supervision timeout"))
        let answered = run(.paired(.failure(.pairingFailed("Authentication Failed"))))
        #expect(answered.contains { "\($0)".contains("Authentication Failed") })
        #expect(!answered.contains { "\($0)".contains("the link was lost") })
    }
}
