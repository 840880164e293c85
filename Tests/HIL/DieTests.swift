import BoardProtocol
import RadioModel
import StubRig
import Testing
import Timing

@testable import HIL

@MainActor
struct DieTests {
    @Test("The screen gives each notification once, in order, however late it is asked")
    func screen() async throws {
        let test = try TestLab()
        let die = try await test.lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
        let first = ShownNotification(identifier: "1", title: "Kim", body: "Dinner?")
        let second = ShownNotification(identifier: "2", title: "Lee", body: "Yes")
        let changed = ShownNotification(identifier: "1", title: "Kim", body: "Dinner at 8?")
        test.accessory.tell(.die(.screen([first]), on: .first))
        test.accessory.tell(.die(.screen([first, second]), on: .first))
        test.accessory.tell(.die(.screen([changed, second]), on: .first))
        #expect(try await die.screen.next(within: .seconds(10)) == first)
        #expect(try await die.screen.next(within: .seconds(10)) == second)
        #expect(try await die.screen.next(within: .seconds(10)) == changed)
        #expect(die.screen.shown == [changed, second])
    }

    @Test("What a die told before it was switched on anew is not told again")
    func events() async throws {
        let test = try TestLab()
        let first = try await test.lab.accessory.powerOn(.die(named: "Die 7"))
        test.accessory.tell(.die(.rollSubscription(true), on: .first))
        try await first.event(within: .seconds(10), waitingFor: "a subscription") { $0 == .rollSubscription(true) }
        let second = try await test.lab.accessory.powerOn(.die(named: "Die 7"))
        test.accessory.tell(.die(.rollSubscription(false), on: .first))
        try await second.event(within: .seconds(10), waitingFor: "an event") { _ in true }
        #expect(second.events.events == [.rollSubscription(false)])
    }

    @Test("Each of several dice has its own events, and a ninth is refused")
    func several() async throws {
        let test = try TestLab()
        let first = try await test.lab.accessory.powerOn(.die(named: "Die 7"))
        let second = try await test.lab.accessory.powerOn(.die(named: "Die 7"), adapter: 1)
        #expect([first, second].map(\.address) == [0, 1].map { StubAgent.address(of: $0) })
        test.accessory.tell(.die(.rollSubscription(true), on: 1))
        test.accessory.tell(.die(.passkeyShown(7), on: .first))
        test.accessory.tell(.die(.passkeyShown(8), on: 1))
        let shown: @Sendable (DieEvent) -> Bool = { event in if case .passkeyShown = event { true } else { false } }
        #expect(
            try await second.event(within: .seconds(10), waitingFor: "its number", where: shown) == .passkeyShown(8))
        #expect(
            try await first.event(within: .seconds(10), waitingFor: "its number", where: shown) == .passkeyShown(7))
        #expect(second.events.events == [.rollSubscription(true), .passkeyShown(8)])
        #expect(first.events.events == [.passkeyShown(7)])
        let refused = await #expect(throws: RadioError.self) {
            try await test.lab.accessory.powerOn(.die(named: "Die 9"), adapter: 8)
        }
        #expect("\(try #require(refused))".contains("8 accessories at most"))
    }
}
