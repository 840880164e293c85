import BoardProtocol
import DieLab
import DieProtocol
import HILTiming
import RadioModel
import StubRig
import Testing

@MainActor
struct DieHandleTests {
    @Test("The screen returns each notification once, in order, however late it is called")
    func screen() async throws {
        let stand = try await DieStand()
        let die = try await stand.lab.accessory.powerOn(.die(named: "Die 7", security: .wpa2))
        let first = ShownNotification(identifier: "1", title: "Kim", body: "Dinner?")
        let second = ShownNotification(identifier: "2", title: "Lee", body: "Yes")
        let changed = ShownNotification(identifier: "1", title: "Kim", body: "Dinner at 8?")
        try stand.tell(.screen([first]))
        try stand.tell(.screen([first, second]))
        try stand.tell(.screen([changed, second]))
        #expect(try await die.screen.next(within: .seconds(300)) == first)
        #expect(try await die.screen.next(within: .seconds(300)) == second)
        #expect(try await die.screen.next(within: .seconds(300)) == changed)
        #expect(die.screen.shown == [changed, second])
    }

    @Test("Events from before a die was switched on again are not returned")
    func events() async throws {
        let stand = try await DieStand()
        let first = try await stand.lab.accessory.powerOn(.die(named: "Die 7"))
        try stand.tell(.rollSubscription(true))
        try await first.events.next(.event(.rollSubscription(true)))
        let second = try await stand.lab.accessory.powerOn(.die(named: "Die 7"))
        try stand.tell(.rollSubscription(false))
        try await second.events.next(.any("an event"))
        #expect(second.events.events == [.rollSubscription(false)])
    }

    @Test("The story contains each event of each die once, and all of them when the lab is closed")
    func story() async throws {
        let stand = try await DieStand()
        try await stand.lab.accessory.powerOn(.die(named: "Die 7"))
        try await stand.lab.accessory.powerOn(.die(named: "Die 7"))
        let last = try await stand.lab.accessory.powerOn(.die(named: "Die 8"), adapter: 1)
        try stand.tell(.passkeyShown(7))
        try stand.tell(.keysForgotten, on: 1)
        try await last.events.next(.any("its event"))
        await stand.lab.close()
        #expect(stand.story == ["die 0: passkey shown: 7", "die 1: keys forgotten"])
    }
}
