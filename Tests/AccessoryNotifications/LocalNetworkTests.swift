import BoardProtocol
import DieProtocol
import Foundation
import Phone
import ReferenceAccessory
import RuleCoverage
import Synchronization
import Testing
import Timing

/// The companion app and the die where Bluetooth is not the only way between them.
@Suite struct LocalNetworkTests {
    private static let body = String(repeating: "Dinner at eight? ", count: 200)

    /// A pair on the die's network, with keys that are for it too.
    private func pair(suites: [DieConfiguration.CipherSuite] = DieConfiguration.CipherSuite.allCases) async throws
        -> Pair
    {
        var die = Die()
        let network = NetworkConfiguration(ssid: "Die 7", security: .open)
        _ = try die.perform(.powerOn(DieConfiguration(name: "Die 7", networks: [network], cipherSuites: suites)))
        let pair = try await Pair(accessory: die)
        try await pair.joinNetwork()
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("before", "before"))
        _ = try await pair.screen { $0.count == 1 }
        #expect(try await ways(pair, 1) == [.bluetooth])
        return pair
    }

    private func notification(_ identifier: String, _ body: String = body) -> PhoneNotification {
        PhoneNotification(app: "com.example.chat", identifier: identifier, title: "Kim", body: body)
    }

    /// The transports of the first deliveries.
    private func ways(_ pair: Pair, _ count: Int) async throws -> [ForwardingTransport] {
        var (place, found) = (0, [ForwardingTransport]())
        while found.count < count {
            let next = try await pair.phone.notifications.events.first(
                from: place, within: .seconds(20), waitingFor: "a delivery"
            ) { if case .delivered = $0.kind { true } else { false } }
            place = next.next
            if case .delivered(_, _, let way) = next.event.kind { found.append(way) }
        }
        return found
    }

    private func screens(_ pair: Pair) -> Int {
        pair.told.events.filter { if case .screen = $0 { true } else { false } }.count
    }

    @Test("Out of Bluetooth's reach it arrives over the die's network, and is nowhere on it", .covers("S6", "T1"))
    func outOfReach() async throws {
        let pair = try await pair()
        pair.radio.remove(Pair.address)
        pair.phone.notifications.post(notification("far"))
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.body == Self.body)
        #expect(try await ways(pair, 2) == [.bluetooth, .localNetwork])
        let carried = pair.air.withLock { $0 }.reduce(Data()) { $0 + $1 }
        #expect(carried.firstRange(of: Data("Dinner".utf8)) == nil)
        pair.powerOn()
        pair.phone.notifications.post(notification("back", "back"))
        _ = try await pair.screen { $0.count == 3 }
    }

    @Test(
        "What is answered on the die goes back over its network, and over Bluetooth once a phone is there",
        .covers("N5"))
    func answer() async throws {
        let pair = try await pair()
        let actions = [PhoneNotification.Action(identifier: "like", title: "Like", type: .background)]
        func respond(to name: String, from place: Int) async throws -> Int {
            try pair.perform(.respond(DieResponse(source: "com.example.chat", notification: name, action: "like")))
            let response = try await pair.phone.notifications.responses.first(
                from: place, within: .seconds(20), waitingFor: "the response")
            #expect(response.event.notification.notificationIdentifier == name)
            return response.next
        }
        pair.radio.remove(Pair.address)
        for name in ["one", "two"] {
            var notification = notification(name)
            notification.actions = actions
            pair.phone.notifications.post(notification)
        }
        _ = try await pair.screen { $0.count == 3 }
        let place = try await respond(to: "one", from: 0)
        // The one that was answered is removed.
        #expect(try await ways(pair, 4).last == .localNetwork)
        let down = pair.phone.notifications.events.count
        pair.powerOn()
        _ = try await pair.phone.notifications.events.first(
            from: down, within: .seconds(20), waitingFor: "the link to be back"
        ) { $0.kind == .linkChanged(isUp: true) }
        pair.phone.notifications.post(notification("back"))
        _ = try await pair.screen { $0.last?.identifier == "back" }
        #expect(try await ways(pair, 5).last == .bluetooth)
        pair.radio.removeNetwork(ssid: "Die 7")
        _ = try await respond(to: "two", from: place)
    }

    @Test(
        "Lost in the middle, or with its receipt, it arrives over the network, and once", .covers("T2"),
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
        pair.phone.notifications.post(notification("lost"))
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.body == Self.body)
        #expect(try await ways(pair, 2) == [.bluetooth, .localNetwork])
        #expect(screens(pair) == before + 1)
    }
}
