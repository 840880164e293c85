import BoardProtocol
import DieProgram
import DieProtocol
import Foundation
import HILPhone
import HILTiming
import Synchronization
import TestSupport
import Testing

/// The companion app and the die with both Bluetooth and the die's own network.
@Suite struct LocalNetworkTests {
    /// A pair on the die's network. The keys are also for that network.
    private func pair() async throws -> Pair {
        let network = NetworkConfiguration(ssid: "Die 7", security: .open)
        return try await Pair.forwarding(to: DieConfiguration(name: "Die 7", networks: [network])) {
            try await $0.joinNetwork()
        }
    }

    private func screens(_ pair: Pair) -> Int {
        pair.told.events.filter { if case .screen = $0 { true } else { false } }.count
    }

    @Test("Without Bluetooth a notification arrives over the die's network, encrypted", .covers("S6", "T1"))
    func outOfReach() async throws {
        let pair = try await pair()
        pair.radio.remove(Pair.address)
        pair.post("far")
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.body == Pair.longBody)
        #expect(try await pair.ways(2) == [.bluetooth, .localNetwork])
        let carried = pair.air.withLock { $0 }.reduce(Data()) { $0 + $1 }
        #expect(carried.firstRange(of: Data("Dinner".utf8)) == nil)
        pair.powerOn()
        pair.post("back", "back")
        _ = try await pair.screen { $0.count == 3 }
    }

    @Test(
        "An answer on the die goes over its network, or over Bluetooth when the phone is connected again",
        .covers("N5"))
    func answer() async throws {
        let pair = try await pair()
        pair.radio.remove(Pair.address)
        for name in ["one", "two"] { pair.post(name, actions: Pair.likable) }
        _ = try await pair.screen { $0.count == 3 }
        try pair.like("one")
        let place = try await pair.response(to: "one")
        // The answered notification is removed.
        #expect(try await pair.ways(4).last == .localNetwork)
        let down = pair.phone.notifications.events.count
        pair.powerOn()
        _ = try await pair.phone.notifications.events.first(
            from: down, within: .seconds(300), waitingFor: "the link to be back"
        ) { $0.kind == .linkChanged(isUp: true) }
        pair.post("back")
        _ = try await pair.screen { $0.last?.identifier == "back" }
        #expect(try await pair.ways(5).last == .bluetooth)
        pair.radio.removeNetwork(ssid: "Die 7")
        try pair.like("two")
        _ = try await pair.response(to: "two", from: place)
    }

    @Test(
        "If Bluetooth is lost during a message or its receipt, the message arrives once over the network",
        .covers("T2"),
        arguments: [false, true])
    func lostOnTheWay(withReceipt: Bool) async throws {
        let pair = try await pair()
        let before = screens(pair)
        let segments = Mutex(0)
        pair.carries.withLock { carries in
            carries = { [weak pair] characteristic, value in
                guard characteristic == DieGATT.notifications else { return true }
                // A receipt is one segment, first and last; the phone's message has many.
                let isReceipt = value[value.startIndex] & 3 == 3
                let count = segments.withLock { count in
                    count += 1
                    return count
                }
                guard withReceipt ? isReceipt : count == 3 else { return true }
                pair?.radio.remove(Pair.address)
                return false
            }
        }
        pair.post("lost")
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.body == Pair.longBody)
        #expect(try await pair.ways(2) == [.bluetooth, .localNetwork])
        #expect(screens(pair) == before + 1)
    }
}
