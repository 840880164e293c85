import HILPhone
import HILRecord
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HIL

/// Waits for the phone's screens and events.
struct PhoneWaitTests {
    private let clock = ManualClock()
    private let phone: Phone

    init() { phone = Phone(radio: InMemoryRadio(), clock: clock) }

    private static func picker(_ dice: Int) -> Screen {
        Screen(
            .picker, title: "Finding Accessories", lines: ["Hold it near."],
            entries: (0..<dice).map { Screen.Entry(title: "Die", detail: "Die \($0)") })
    }

    private static let passkey = Screen(.passkey, title: "Bluetooth Pairing Request", lines: ["012 345", "Confirm."])

    @Test("A wait finds the present screen, an earlier one, and one that comes later")
    func shown() async throws {
        let token = phone.display.present(Self.picker(1)) { _ in }
        #expect(try await phone.shows(.picker, within: .seconds(5)) == Self.picker(1))
        let second = phone.display.present(Self.passkey) { _ in }
        phone.display.dismiss(second)
        #expect(try await phone.shows(.passkey) == Self.passkey, "it was there since the phone's start")
        let more = Task { try await phone.shows(.picker, entries: 3) }
        phone.display.update(token, to: Self.picker(2))
        phone.display.update(token, to: Self.picker(3))
        #expect(try await more.value == Self.picker(3))
        #expect(try await phone.shows(.passkey, titled: "Bluetooth Pairing Request", line: "Confirm.") == Self.passkey)
        #expect(try await phone.shows("a picker of two", where: { $0.entries.count == 2 }) == Self.picker(2))
        let now = phone.screenMark
        #expect(
            try await phone.shows(.picker, since: now) == Self.picker(3), "what is there counts, what is gone does not")
    }

    @Test("The error tells the screens since the mark, and the one before it")
    func missing() async throws {
        let token = phone.display.present(Self.picker(0)) { _ in }
        phone.display.update(token, to: Self.picker(1))
        let mark = phone.log.mark
        let wait = Task { try await phone.shows(.passkey, line: "012 345", since: mark, within: .seconds(5)) }
        await clock.sleepers(atLeast: 1)
        phone.display.dismiss(token)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ScreenMissing.self) { try await wait.value }
        #expect(
            error?.description == "waited 5 s for the screen passkey with the line “012 345”; on the phone: "
                + "picker: Finding Accessories · Hold it near. · ‹Die (Die 0)› → nothing but the app")
        #expect(Failure.Kind(of: try #require(error)) == .product)
    }

    @Test("A screen with another title, another line or too few accessories does not match", arguments: 0..<3)
    func another(_ number: Int) async throws {
        _ = phone.display.present(Self.picker(1)) { _ in }
        let wait = Task {
            switch number {
            case 0: try await phone.shows(.picker, titled: "Finding", within: .seconds(1))
            case 1: try await phone.shows(.picker, line: "Hold it", within: .seconds(1))
            default: try await phone.shows(.picker, entries: 2, within: .seconds(1))
            }
        }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await #expect(throws: ScreenMissing.self) { try await wait.value }
    }

    @Test("A phone that showed nothing says so")
    func nothing() async throws {
        let wait = Task { try await phone.shows(.picker, within: .seconds(1)) }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: ScreenMissing.self) { try await wait.value }
        #expect(error?.description == "waited 1 s for the screen picker; on the phone: nothing but the app")
    }

    @Test("A wait for a screen to go ends at once if there is none, and tells which screen stays")
    func gone() async throws {
        try await phone.showsNo(.picker)
        let token = phone.display.present(Self.picker(1)) { _ in }
        let wait = Task { try await phone.showsNo(.picker, within: .seconds(5)) }
        await clock.sleepers(atLeast: 1)
        phone.display.dismiss(token)
        try await wait.value
        try await phone.showsNo(.picker)

        _ = phone.display.present(Self.passkey) { _ in }
        let stays = Task { try await phone.showsNo(.passkey, within: .seconds(5)) }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: ScreenMissing.self) { try await stays.value }
        #expect(error?.description.contains("waited 5 s for no screen passkey; on the phone: ") == true)
        #expect(error?.description.contains("passkey: Bluetooth Pairing Request · 012 345 · Confirm.") == true)
    }

    @Test("Events of the app and of the radio are found since a mark")
    func told() async throws {
        phone.record(.told("app", "accessoryAdded Die"))
        let mark = phone.log.mark
        #expect(try await phone.log.next(.told("accessoryAdded")) == "accessoryAdded Die")
        let again = Task {
            try await phone.log.next(.told("accessoryAdded"), since: mark, within: .seconds(5), clock: clock)
        }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        await #expect(throws: TimedOut(waitingFor: "the app to be told accessoryAdded", limit: .seconds(5))) {
            try await again.value
        }
        for isOn in [false, true, false] { phone.record(.radio(.bluetoothPower(isOn))) }
        try await phone.log.next(2, .bluetoothPower(false), since: mark)
    }
}
