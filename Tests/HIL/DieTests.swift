import BoardProtocol
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
}
