import BoardProtocol
import Foundation
import HILTiming
import HostRadio
import PeripheralModel
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// The person's permission for each accessory, with accessories that a test plays.
@Suite("Share System Notifications", .timeLimit(.minutes(1)))
struct NotificationSharingTests {
    private static let lamp = DeviceAddress("02:00:00:00:02:B0")!
    private static let watch = DeviceAddress("02:00:00:00:02:B1")!
    private static let message = PhoneNotification(
        app: "com.example.chat", identifier: "1", title: "Kim", body: "Dinner at 8?")
    private let radio = InMemoryRadio()
    private let phone: Phone

    init() {
        phone = Phone(radio: radio, clock: ManualClock())
        phone.personality = .iPhone16
    }

    private func subscribe(_ device: DeviceAddress, _ isOn: Bool = true) {
        radio.tell(.subscription(isOn, OwnServices.notificationSource, by: device))
    }

    /// A device asks for the title of the first notification.
    private func ask(_ number: Int, by device: DeviceAddress) async throws -> PeripheralAnswer {
        let request = PeripheralRequest(
            number: number, place: OwnServices.controlPoint, written: Data([0, 1, 0, 0, 0, 1, 9, 0]), phone: device,
            offset: 0, mtu: 185)
        radio.tell(.requested(.init(request)))
        let answered = EventPattern<PeripheralRadioCommand, PeripheralAnswer>("the answer") {
            if case .answer(number, let answer) = $0 { answer } else { nil }
        }
        return try await radio.peripheralCommands.first(answered, since: .start, within: .seconds(300)).value
    }

    /// Waits until a device was notified so many values of the Notification Source, and returns them.
    private func notified(_ device: DeviceAddress, _ count: Int) async throws -> [Data] {
        func all() -> [Data] {
            radio.peripheralCommands.events.compactMap {
                if case .notify(let value, OwnServices.notificationSource, device) = $0 { value } else { nil }
            }
        }
        try await radio.peripheralCommands.wait(for: "\(count) notifications") { all().count >= count }
        return all()
    }

    private func wait(for text: String) async throws {
        _ = try await phone.log.first(within: .seconds(300), waitingFor: text) {
            if case .note("notifications", let what) = $0.kind { what.contains(text) } else { false }
        }
    }

    private var questions: Int { phone.shownScreens.count { $0.kind == .notificationSharing } }

    @Test(
        "The person is asked when an accessory subscribes; then it gets what is there, and what comes", .covers("C23"))
    func allowed() async throws {
        phone.notifications.post(Self.message)
        subscribe(Self.lamp)
        #expect(try await notified(Self.lamp, 1) == [Data([0, 0x14, 0, 1, 1, 0, 0, 0])])
        let question = try #require(phone.shownScreens.first)
        #expect(question.kind == .notificationSharing && question.title.contains("Receive Your iPhone Notifications?"))
        #expect(try await ask(1, by: Self.lamp) == .written(nil))
        phone.notifications.post(PhoneNotification(app: "com.example.chat", identifier: "2", title: "Lee"))
        #expect(try await notified(Self.lamp, 2).last == Data([0, 0x10, 0, 2, 2, 0, 0, 0]))
        subscribe(Self.lamp, false)
        subscribe(Self.lamp)
        _ = try await notified(Self.lamp, 4)
        #expect(questions == 1)
    }

    @Test(
        "While the person has not decided, commands are refused with Write Not Permitted and nothing is notified",
        .covers("C23"))
    func undecided() async throws {
        phone.person.isWilling = false
        phone.notifications.post(Self.message)
        subscribe(Self.lamp)
        #expect(try await ask(1, by: Self.lamp) == .refused(0x03))
        #expect(try await notified(Self.lamp, 0).isEmpty && questions == 1)
        phone.person.will(.allow, at: .notificationSharing)
        #expect(try await notified(Self.lamp, 1).count == 1)
        #expect(try await ask(2, by: Self.lamp) == .written(nil))
    }

    @Test("A refusal holds until Settings changes it, and Settings takes the permission back", .covers("C23"))
    func settings() async throws {
        phone.person.will(.deny, at: .notificationSharing)
        subscribe(Self.lamp)
        try await wait(for: "may not receive")
        subscribe(Self.lamp, false)
        subscribe(Self.lamp)
        phone.notifications.post(Self.message)
        #expect(try await ask(1, by: Self.lamp) == .refused(0x03) && questions == 1)
        let address = Self.lamp.description
        phone.person.will(.shareInSettings(address, true))
        #expect(try await notified(Self.lamp, 1) == [Data([0, 0x14, 0, 1, 1, 0, 0, 0])])
        #expect(try await ask(2, by: Self.lamp) == .written(nil))
        let mark = phone.log.mark
        phone.person.will(.shareInSettings(address, false))
        _ = try await phone.log.first(.event(ofNote: "may not receive"), since: mark, within: .seconds(300))
        #expect(try await ask(3, by: Self.lamp) == .refused(0x03))
        phone.notifications.remove(Self.message.identifier)
        #expect(try await ask(4, by: Self.lamp) == .refused(0x03))
        #expect(try await notified(Self.lamp, 1).count == 1, "the removal is not notified")
        let page = try #require(phone.shownScreens.last { $0.kind == .sharing })
        #expect(page.entries.map(\.detail) == ["On"] && page.entries.map(\.title) == [address])
    }

    @Test("Each accessory has its own permission, and its own answers", .covers("C23"))
    func several() async throws {
        phone.person.will(.deny, at: .notificationSharing)
        subscribe(Self.lamp)
        try await wait(for: "may not receive")
        subscribe(Self.watch)
        phone.notifications.post(Self.message)
        _ = try await notified(Self.watch, 1)
        #expect(try await ask(1, by: Self.lamp) == .refused(0x03))
        #expect(try await ask(2, by: Self.watch) == .written(nil))
        #expect(try await notified(Self.lamp, 0).isEmpty)
        func answered() -> [DeviceAddress?] {
            radio.peripheralCommands.events.compactMap { command -> DeviceAddress?? in
                if case .notify(_, OwnServices.dataSource, let device) = command { .some(device) } else { nil }
            }
        }
        try await radio.peripheralCommands.wait(for: "the answer") { !answered().isEmpty }
        #expect(answered() == [Self.watch], "the answer goes to nobody else")
    }

    @Test("A question closes with its link, and is asked again", .covers("C23"))
    func lostLink() async throws {
        phone.person.isWilling = false
        subscribe(Self.lamp)
        #expect(try await ask(1, by: Self.lamp) == .refused(0x03))
        radio.tell(.disconnected(Self.lamp))
        try await phone.log.wait(for: "the question to close") { phone.screen.isEmpty }
        subscribe(Self.lamp)
        try await phone.log.wait(for: "the question") { !phone.screen.isEmpty }
        #expect(questions == 2)
    }

    @Test("The permission stays with a device that is known by its identity address now", .covers("C23"))
    func identity() async throws {
        let identity = DeviceAddress("02:00:00:00:02:B9")!
        subscribe(Self.lamp)
        try await wait(for: "may receive")
        radio.emit(.addressChanged(Self.lamp, to: identity))
        _ = try await phone.log.first(within: .seconds(300), waitingFor: "the address") {
            $0.kind.isOf(.addressChanged(Self.lamp, to: identity))
        }
        phone.notifications.post(Self.message)
        _ = try await notified(identity, 1)
        #expect(try await ask(1, by: identity) == .written(nil))
        #expect(try await ask(2, by: Self.lamp) == .written(nil), "an event that was on its way")
    }

    @Test("Deleting the bond forgets the permission", .covers("C23"))
    func forgotten() async throws {
        subscribe(Self.lamp)
        try await wait(for: "may receive")
        try await phone.forget(Self.lamp)
        #expect(try await ask(1, by: Self.lamp) == .refused(0x03))
        subscribe(Self.lamp)
        try await phone.log.wait(for: "the second question") { questions == 2 }
    }

    @Test(
        "By policy the person is asked when the accessory is paired, and the refusal has another code", .covers("C23"))
    func policies() async throws {
        phone.policy.sharingPrompt = .whenPaired
        phone.policy.unsharedCommandError = 0x08
        phone.notifications.post(Self.message)
        subscribe(Self.lamp)
        #expect(try await ask(1, by: Self.lamp) == .refused(0x08) && questions == 0)
        radio.emit(.bonded(Self.lamp, Bond(isSecureConnections: true, isAuthenticated: false)))
        try await wait(for: "may receive")
        #expect(try await ask(2, by: Self.lamp) == .written(nil) && questions == 1)
    }
}

extension PhoneEvent.Kind {
    fileprivate func isOf(_ event: RadioEvent) -> Bool { if case .radio(event) = self { true } else { false } }
}

extension EventPattern where Event == PhoneEvent, Value == Void {
    fileprivate static func event(ofNote text: String) -> Self {
        Self(text) { if case .note("notifications", let what) = $0.kind, what.contains(text) { () } else { nil } }
    }
}
