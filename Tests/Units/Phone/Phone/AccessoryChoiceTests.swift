import Foundation
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// How a person chooses one of several accessories, also if their names are the same.
@Suite struct AccessoryChoiceTests {
    private let phone = Phone(radio: InMemoryRadio(), clock: ManualClock())
    private let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!
    private let first = DeviceAddress("9C:5A:81:00:00:07")!
    private let second = DeviceAddress("9C:5A:81:00:00:08")!

    private func entry(_ name: String, _ address: DeviceAddress? = nil, _ signal: Int? = nil) -> Screen.Entry {
        Screen.Entry(title: "Bluetooth Die", detail: name, address: address, signal: signal)
    }

    private func picker(_ entries: Screen.Entry...) -> Screen {
        Screen(.picker, title: "Finding Accessories", entries: entries, controls: [.pick, .cancel])
    }

    private func machine() -> PickerMachine {
        var descriptor = DiscoveryDescriptor()
        descriptor.serviceUUID = service
        descriptor.supportedOptions = .bluetoothPairingLE
        return PickerMachine(
            PickerMachine.Configuration(
                items: [PickerItem(name: "Bluetooth Die", descriptor: descriptor)], timeout: .seconds(30),
                policy: HostPolicy(), identifier: { UUID(uuidString: "00000000-0000-0000-0000-\($0.bytes.text)")! }))
    }

    private func heard(_ address: DeviceAddress, _ name: String = "Die 7", rssi: Int = -60) -> PickerMachine.Input {
        .heard(Advertisement(address: address, name: name, serviceUUIDs: [service], rssi: rssi))
    }

    /// The actions that the presenters of the screens receive.
    private func answers(to actions: PersonAction..., on screens: [Screen]) -> [PersonAction] {
        let answers = EventLog<PersonAction>()
        phone.person.isWilling = false
        for action in actions { phone.person.will(action) }
        for screen in screens {
            let token = phone.display.present(screen) { answers.append($0) }
            phone.display.dismiss(token)
        }
        return answers.events
    }

    // MARK: Matching entries

    @Test("A name chooses the first accessory with this name over the air, else the first with this name in the app")
    func byName() {
        let screen = picker(entry("Die 8"), entry("Die 7", first), entry("Die 7", second))
        #expect(screen.index(of: .named("Die 7")) == 1)
        #expect(screen.index(of: .named("Bluetooth Die")) == 0)
        #expect(screen.index(of: .named("Die 9")) == nil)
    }

    @Test("Numbers count from 1, and a number beyond the last entry fits none")
    func byNumber() {
        let screen = picker(entry("Die 7", first), entry("Die 7", second))
        #expect((-1...3).map { screen.index(of: .number($0)) } == [nil, nil, 0, 1, nil])
        #expect(screen.index(of: .number(.min)) == nil)
    }

    @Test("An address chooses one device, whatever its name is")
    func byAddress() {
        let screen = picker(entry("Die 7", first), entry("Die 7", second))
        #expect(screen.index(of: .address(second)) == 1)
        #expect(screen.index(of: .address(DeviceAddress("9C:5A:81:00:00:09")!)) == nil)
    }

    @Test("Signals are compared once enough accessories are heard; of equal signals the first is chosen")
    func bySignal() {
        let screen = picker(entry("a", nil, -60), entry("b"), entry("c", nil, -40), entry("d", nil, -40))
        #expect(screen.index(of: .strongest(of: 3)) == 2)
        #expect(screen.index(of: .weakest(of: 3)) == 0)
        #expect(screen.index(of: .strongest(of: 4)) == nil, "only three of the four have a signal")
        #expect(screen.index(of: .weakest(of: 0)) == nil)
    }

    // MARK: The person

    @Test("The person waits for the second accessory of a name, and the screen's presenter is told which one it is")
    func person() {
        let alone = picker(entry("Die 7", first, -60))
        let both = picker(entry("Die 7", first, -60), entry("Die 7", second, -40))
        for choice in [AccessoryChoice.number(2), .address(second), .strongest(of: 2)] {
            #expect(answers(to: .pick(choice), on: [alone, both]) == [.pick(.number(2))], "\(choice)")
        }
        #expect(answers(to: .pick("Die 7"), on: [both]) == [.pick(.number(1))])
        #expect(phone.person.unfinished.isEmpty)
    }

    @Test("A choice that never fits reports what was on the screen, with addresses and signals")
    func unfinished() throws {
        let screen = picker(entry("Die 7", first, -60), entry("Die 7", second))
        let actions: [PersonAction] = [.pick(.address(DeviceAddress("9C:5A:81:00:00:09")!)), .pick("Die 9")]
        for action in actions { phone.person.will(action) }
        _ = phone.display.present(screen) { _ in }
        let texts = phone.person.unfinished.map(\.description)
        try #require(texts.count == 2)
        #expect(texts[0].contains("was to pick 9C:5A:81:00:00:09, which never became possible"))
        #expect(texts[0].contains("‹Bluetooth Die (Die 7), \(first), -60 dBm›"))
        #expect(texts[1].contains("pick “Die 9”"))
        #expect(texts[1].contains("‹Bluetooth Die (Die 7), \(second)›"), "entries with one name show their addresses")
    }

    @Test(
        "A choice that can never fit is reported with the reason, and the person does nothing else instead",
        arguments: [AccessoryChoice.number(0), .number(-3), .strongest(of: 0), .weakest(of: -1)])
    func nonsense(choice: AccessoryChoice) throws {
        phone.person.will(.pick(choice))
        _ = phone.display.present(picker(entry("Die 7", first, -60))) { action in
            Issue.record("the person did \(action)")
        }
        let text = try #require(phone.person.unfinished.first).description
        #expect(text.contains("which makes no sense"))
        #expect(text.contains("at least 1") || text.contains("counted from 1"))
    }

    @Test("A changed signal is not recorded as a new screen, but a person who waits for it acts")
    func signals() {
        let answers = EventLog<PersonAction>()
        phone.person.isWilling = false
        let token = phone.display.present(picker(entry("Die 7", first, -60), entry("Die 7", second))) {
            answers.append($0)
        }
        phone.person.will(.pick(.weakest(of: 2)))
        phone.display.update(token, to: picker(entry("Die 7", first, -60), entry("Die 7", second, -70)))
        #expect(answers.events == [.pick(.number(2))])
        #expect(phone.shownScreens.count == 1)
    }

    // MARK: The picker

    @Test("Two accessories with one name are two entries, and the phone pairs with the chosen one", .covers("K1"))
    func sameName() {
        var machine = machine()
        _ = [.start, heard(first), heard(second, rssi: -40)].map { machine.handle($0) }
        #expect(machine.picker.entries.map(\.address) == [first, second])
        #expect(machine.picker.entries.map(\.signal) == [-60, -40])
        #expect(machine.handle(.person(.pick(.number(2)))).contains(.pair(second)))
    }

    @Test("Accessories that appear or disappear between the tap and its effect do not change the choice")
    func race() throws {
        var machine = machine()
        _ = [.start, heard(first, ""), heard(second, "Die 8")].map { machine.handle($0) }
        for choice in [AccessoryChoice.named("Die 8"), .number(2), .address(second)] {
            var machine = machine
            let chosen = machine.picker.resolved(.pick(choice))
            _ = machine.handle(heard(first, "Die 8"))
            #expect(machine.handle(.person(chosen)).contains(.pair(second)), "\(choice)")
        }
        let chosen = machine.picker.resolved(.pick(.number(1)))
        machine.staleEntries = [try #require(machine.entries.first?.id)]
        #expect(machine.picker.entries.count == 1)
        #expect(machine.handle(.person(chosen)).isEmpty, "number 1 is another accessory now, which was not chosen")
    }

    @Test("The picker is shown again when the order of the signals changes, not for each signal report")
    func signalOrder() {
        var machine = machine()
        _ = [.start, heard(first, rssi: -60), heard(second, rssi: -70)].map { machine.handle($0) }
        #expect(machine.handle(heard(second, rssi: -65)).isEmpty)
        #expect(machine.handle(heard(second, rssi: -50)) == [.show(machine.picker)])
        #expect(machine.picker.index(of: .strongest(of: 2)) == 1)
        #expect(machine.picker.entries.map(\.signal) == [-60, -50])
    }

    @Test("A willing person picks the first accessory, even if another one also has its name")
    func willing() throws {
        var machine = machine()
        _ = [.start, heard(first, ""), heard(second, "Bluetooth Die")].map { machine.handle($0) }
        let willing = try #require(machine.picker.willing)
        #expect(machine.handle(.person(willing)).contains(.pair(first)))
    }
}

extension [UInt8] {
    fileprivate var text: String { map { String(format: "%02X", $0) }.joined() }
}
