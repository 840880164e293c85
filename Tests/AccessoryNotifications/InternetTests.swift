import BoardProtocol
import DieProtocol
import Foundation
import Phone
import ReferenceAccessory
import RuleCoverage
import Testing
import Timing

/// The companion app and the die where there is the internet between them, and nothing else.
@Suite struct InternetTests {
    private static let body = String(repeating: "Dinner at eight? ", count: 200)

    /// A pair at home, with keys that are for the internet too, and the die at the relay.
    private func pair(
        suites: [DieConfiguration.CipherSuite] = DieConfiguration.CipherSuite.allCases
    ) async throws -> Pair {
        var die = Die()
        _ = try die.perform(.powerOn(DieConfiguration(name: "Die 7", cipherSuites: suites, relay: DieRelay.host)))
        let pair = try await Pair(accessory: die)
        try await pair.joinHome()
        _ = try await pair.requestForwarding()
        pair.phone.notifications.post(notification("before", "before"))
        _ = try await pair.screen { $0.count == 1 }
        #expect(try await ways(pair, 1) == [.bluetooth])
        return pair
    }

    private func reached(_ pair: Pair, _ isReached: Bool = true, from place: Int = 0) async throws {
        _ = try await pair.told.first(from: place, within: .seconds(20), waitingFor: "the relay") {
            $0 == .reachedRelay(isReached)
        }
    }

    private func notification(
        _ identifier: String, _ body: String = body, actions: [PhoneNotification.Action] = []
    ) -> PhoneNotification {
        PhoneNotification(
            app: "com.example.chat", identifier: identifier, title: "Kim", body: body, actions: actions)
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

    @Test("Out of Bluetooth's reach it arrives over the internet, and the relay reads none of it", .covers("S6", "T1"))
    func outOfReach() async throws {
        let pair = try await pair()
        try await reached(pair)
        pair.radio.remove(Pair.address)
        pair.phone.notifications.post(notification("far"))
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.body == Self.body)
        #expect(try await ways(pair, 2) == [.bluetooth, .internet])
        let carried = pair.internet.carried.withLock { $0 }.reduce(Data()) { $0 + $1 }
        #expect(carried.count > Self.body.utf8.count)
        #expect(carried.firstRange(of: Data("Dinner".utf8)) == nil)
        pair.powerOn()
        pair.phone.notifications.post(notification("back", "back"))
        _ = try await pair.screen { $0.count == 3 }
    }

    @Test("Over the internet it comes as it was made for that: without pictures", .covers("T3"))
    func withoutPictures() async throws {
        let pair = try await pair()
        try await reached(pair)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("hil-\(UUID().uuidString).png")
        try Data(count: 3_000).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        for (name, count) in [("near", 2), ("far", 3)] {
            var notification = notification(name)
            notification.attachments = [PhoneNotification.File(url: url, type: "public.png")]
            pair.phone.notifications.post(notification)
            let shown = try await pair.screen { $0.count == count }
            #expect(shown.last?.pictures.count == (name == "near" ? 1 : 0))
            #expect(shown.last?.body == Self.body)
            pair.radio.remove(Pair.address)
        }
        #expect(try await ways(pair, 3) == [.bluetooth, .bluetooth, .internet])
    }

    @Test("What is answered on the die reaches the app by push, once, also after the phone was away", .covers("N5"))
    func answer() async throws {
        let pair = try await pair()
        try await reached(pair)
        pair.radio.remove(Pair.address)
        let actions = [PhoneNotification.Action(identifier: "like", title: "Like", type: .background)]
        pair.phone.notifications.post(notification("far", actions: actions))
        pair.phone.notifications.post(notification("away", actions: actions))
        _ = try await pair.screen { $0.count == 3 }
        try pair.perform(.respond(DieResponse(source: "com.example.chat", notification: "far", action: "like")))
        let first = try await pair.phone.notifications.responses.first(within: .seconds(20), waitingFor: "the response")
        #expect(first.event.notification.notificationIdentifier == "far")
        try await pair.leaveHome()
        try pair.perform(.respond(DieResponse(source: "com.example.chat", notification: "away", action: "like")))
        try await pair.joinHome()
        let second = try await pair.phone.notifications.responses.first(
            from: first.next, within: .seconds(20), waitingFor: "the response"
        )
        #expect(second.event.notification.notificationIdentifier == "away")
        #expect(pair.phone.notifications.responses.count == 2)
    }

    @Test("A die of P-256 alone is at no relay, and gets nothing but over Bluetooth", .covers("S3"))
    func bluetoothOnly() async throws {
        let pair = try await pair(suites: [.p256])
        pair.phone.policy.notificationTries = 1
        try await pair.radio.setBluetoothPower(false)
        let place = pair.phone.notifications.events.count
        pair.phone.notifications.post(notification("far"))
        _ = try await pair.phone.notifications.events.first(
            from: place, within: .seconds(20), waitingFor: "the failure"
        ) { if case .failed = $0.kind { true } else { false } }
        #expect(pair.internet.carried.withLock { $0.isEmpty })
        #expect(!pair.told.events.contains(.reachedRelay(true)))
    }

    @Test(
        "With the relay gone it is tried as often as any, then given up; the next one after its return arrives",
        .covers("T1"))
    func relayGone() async throws {
        let pair = try await pair()
        try await reached(pair)
        pair.radio.remove(Pair.address)
        let (told, place) = (pair.told.count, pair.phone.notifications.events.count)
        pair.internet.setUp(false)
        try await reached(pair, false, from: told)
        pair.phone.policy.notificationRetryPause = .milliseconds(1)
        pair.phone.notifications.post(notification("lost"))
        let failure = try await pair.phone.notifications.events.first(
            from: place, within: .seconds(20), waitingFor: "the failure"
        ) { if case .failed = $0.kind { true } else { false } }
        if case .failed(let why) = failure.event.kind {
            #expect(why.contains("3 tried") && why.contains("transportUnavailable"), "\(why)")
        }
        let back = pair.told.count
        pair.internet.setUp(true)
        try await reached(pair, from: back)
        pair.phone.notifications.post(notification("later"))
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.identifier == "later")
        #expect(try await ways(pair, 2) == [.bluetooth, .internet])
    }

    @Test("A die that is away from its relay is known to be so at once, and the next one arrives", .covers("T1"))
    func dieAway() async throws {
        let pair = try await pair()
        try await reached(pair)
        try await pair.radio.setBluetoothPower(false)
        pair.phone.notifications.post(notification("there"))
        _ = try await pair.screen { $0.count == 2 }
        let (told, place) = (pair.told.count, pair.phone.notifications.events.count)
        pair.internet.setDieThere(false)
        try await reached(pair, false, from: told)
        pair.phone.policy.notificationRetryPause = .milliseconds(1)
        pair.phone.notifications.post(notification("lost"))
        let failure = try await pair.phone.notifications.events.first(
            from: place, within: .seconds(20), waitingFor: "the failure"
        ) { if case .failed = $0.kind { true } else { false } }
        if case .failed(let why) = failure.event.kind { #expect(why.contains("transportUnavailable"), "\(why)") }
        let back = pair.told.count
        pair.internet.setDieThere(true)
        try await reached(pair, from: back)
        pair.phone.notifications.post(notification("later"))
        let shown = try await pair.screen { $0.count == 3 }
        #expect(shown.map(\.identifier) == ["before", "there", "later"])
    }
}
