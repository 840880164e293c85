import BoardProtocol
import Foundation
import HILRecord
import HILTiming
import RadioModel
import StubRig
import Testing

@testable import HIL

@MainActor
struct AccessoryLinkTests {
    private func notes(_ test: TestLab) -> [AccessoryNote] {
        test.events.compactMap { if case .accessory(let note) = $0 { note } else { nil } }
    }

    @Test("Each of several accessories has its own events, and a ninth is refused")
    func several() async throws {
        let test = try TestLab()
        let first = try await test.lab.accessory.powerOn(.lamp(named: "Lamp 7"))
        let second = try await test.lab.accessory.powerOn(.lamp(named: "Lamp 7"), adapter: 1)
        #expect([first, second].map(\.address) == [0, 1].map { StubAgent.address(of: $0) })
        test.accessory.tell(LampEvent.hums.told(on: 1))
        test.accessory.tell(LampEvent.shines(7).told())
        test.accessory.tell(LampEvent.shines(8).told(on: 1))
        #expect(try await second.link.events.next(.shines) == 8)
        #expect(try await first.link.events.next(.shines) == 7)
        #expect(second.link.events.events == [.hums, .shines(8)])
        #expect(first.link.events.events == [.shines(7)])
        let refused = await #expect(throws: RadioError.self) {
            try await test.lab.accessory.powerOn(.lamp(named: "Lamp 9"), adapter: 8)
        }
        #expect("\(try #require(refused))".contains("8 accessories at most"))
    }

    @Test("The record has each event with a line once, with the link's peer, and is complete when the lab is closed")
    func story() async throws {
        let test = try TestLab()
        let phone = try #require(DeviceAddress("02:00:00:00:01:B0"))
        try await test.lab.accessory.powerOn(.lamp(named: "Lamp 7"))
        // Two links to one accessory, as after a restart.
        let lamp = try await test.lab.accessory.powerOn(.lamp(named: "Lamp 7"))
        for event in [LampEvent.connected(phone), .hums, .shines(7)] { test.accessory.tell(event.told()) }
        try await lamp.link.events.next(.event(.shines(7)))
        await test.lab.close()
        #expect(
            notes(test) == [
                AccessoryNote(
                    accessory: "lamp", adapter: .first,
                    AccessoryLine("connected(\(phone))", kind: "connected", link: phone)),
                AccessoryNote(accessory: "lamp", adapter: .first, AccessoryLine("shines(7)")),
            ])
        #expect(test.failures.isEmpty)
    }

    @Test("Bytes that are not an event are the rig's fault, and the next event is recorded")
    func unreadable() async throws {
        let test = try TestLab()
        let lamp = try await test.lab.accessory.powerOn(.lamp(named: "Lamp 7"))
        test.accessory.tell(.accessory(Data(#"{"secret":1}"#.utf8), of: "lamp", on: .first))
        test.accessory.tell(LampEvent.shines(7).told())
        try await lamp.link.events.next(.event(.shines(7)))
        await test.lab.close()
        #expect(test.failures.map(\.kind) == [.rig])
        let message = try #require(test.failures.first?.message)
        #expect(message.contains("sent 12 bytes that cannot be read") && !message.contains("secret"))
        #expect(notes(test).count == 1)
    }
}
