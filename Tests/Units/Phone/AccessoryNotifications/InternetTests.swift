import DieProgram
import DieProtocol
import Foundation
import HILPhone
import HILTiming
import TestSupport
import Testing

/// The companion app and the die when only the internet connects them.
@Suite struct InternetTests {
    /// A pair in the home network. The keys are also for the internet, and the die is connected to the relay.
    private func pair(
        suites: [DieConfiguration.CipherSuite] = DieConfiguration.CipherSuite.allCases
    ) async throws -> Pair {
        try await Pair.forwarding(
            to: DieConfiguration(name: "Die 7", cipherSuites: suites, relay: DieRelay.host)
        ) { try await $0.joinHome() }
    }

    private func reached(_ pair: Pair, _ isReached: Bool = true, from place: Int = 0) async throws {
        _ = try await pair.told.first(from: place, within: .seconds(300), waitingFor: "the relay") {
            $0 == .reachedRelay(isReached)
        }
    }

    @Test(
        "Without Bluetooth a notification arrives over the internet, and the relay cannot read it", .covers("S6", "T1"))
    func outOfReach() async throws {
        let pair = try await pair()
        try await reached(pair)
        pair.radio.remove(Pair.address)
        pair.post("far")
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.body == Pair.longBody)
        #expect(try await pair.ways(2) == [.bluetooth, .internet])
        let carried = pair.internet.carried.withLock { $0 }.reduce(Data()) { $0 + $1 }
        #expect(carried.count > Pair.longBody.utf8.count)
        #expect(carried.firstRange(of: Data("Dinner".utf8)) == nil)
        pair.powerOn()
        pair.post("back", "back")
        _ = try await pair.screen { $0.count == 3 }
    }

    @Test("Over the internet a notification arrives in its form for the internet: without pictures", .covers("T3"))
    func withoutPictures() async throws {
        let pair = try await pair()
        try await reached(pair)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("hil-\(UUID().uuidString).png")
        try Data(count: 3_000).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        for (name, count) in [("near", 2), ("far", 3)] {
            pair.post(name, attachments: [PhoneNotification.File(url: url, type: "public.png")])
            let shown = try await pair.screen { $0.count == count }
            #expect(shown.last?.pictures.count == (name == "near" ? 1 : 0))
            #expect(shown.last?.body == Pair.longBody)
            pair.radio.remove(Pair.address)
        }
        #expect(try await pair.ways(3) == [.bluetooth, .bluetooth, .internet])
    }

    @Test("An answer on the die reaches the app by push, once, also if the phone was offline", .covers("N5"))
    func answer() async throws {
        let pair = try await pair()
        try await reached(pair)
        pair.radio.remove(Pair.address)
        for name in ["far", "away"] { pair.post(name, actions: Pair.likable) }
        _ = try await pair.screen { $0.count == 3 }
        try pair.like("far")
        let place = try await pair.response(to: "far")
        try await pair.leaveHome()
        try pair.like("away")
        try await pair.joinHome()
        _ = try await pair.response(to: "away", from: place)
        #expect(pair.phone.notifications.responses.count == 2)
    }

    @Test("A die that has only P-256 uses no relay and gets notifications only over Bluetooth", .covers("S3"))
    func bluetoothOnly() async throws {
        let pair = try await pair(suites: [.p256])
        pair.phone.policy.notificationTries = 1
        try await pair.radio.setBluetoothPower(false)
        let place = pair.phone.notifications.events.count
        pair.post("far")
        _ = try await pair.failure(from: place)
        #expect(pair.internet.carried.withLock { $0.isEmpty })
        #expect(!pair.told.events.contains(.reachedRelay(true)))
    }

    @Test(
        "Without the relay a message fails after its retries; when the relay is back, the next one arrives",
        .covers("T1"))
    func relayGone() async throws {
        let pair = try await pair()
        try await reached(pair)
        pair.radio.remove(Pair.address)
        let (told, place) = (pair.told.count, pair.phone.notifications.events.count)
        pair.internet.setUp(false)
        try await reached(pair, false, from: told)
        pair.phone.policy.notificationRetryPause = .milliseconds(1)
        pair.post("lost")
        let why = try await pair.failure(from: place)
        #expect(why.contains("3 tried") && why.contains("transportUnavailable"), "\(why)")
        let back = pair.told.count
        pair.internet.setUp(true)
        try await reached(pair, from: back)
        pair.post("later")
        let shown = try await pair.screen { $0.count == 2 }
        #expect(shown.last?.identifier == "later")
        #expect(try await pair.ways(2) == [.bluetooth, .internet])
    }

    @Test("A die that leaves its relay is noticed at once; when it is back, the next message arrives", .covers("T1"))
    func dieAway() async throws {
        let pair = try await pair()
        try await reached(pair)
        try await pair.radio.setBluetoothPower(false)
        pair.post("there")
        _ = try await pair.screen { $0.count == 2 }
        let (told, place) = (pair.told.count, pair.phone.notifications.events.count)
        pair.internet.setDieThere(false)
        try await reached(pair, false, from: told)
        pair.phone.policy.notificationRetryPause = .milliseconds(1)
        pair.post("lost")
        let why = try await pair.failure(from: place)
        #expect(why.contains("transportUnavailable"), "\(why)")
        let back = pair.told.count
        pair.internet.setDieThere(true)
        try await reached(pair, from: back)
        pair.post("later")
        let shown = try await pair.screen { $0.count == 3 }
        #expect(shown.map(\.identifier) == ["before", "there", "later"])
    }
}
