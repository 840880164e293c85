import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import HILPhone
import HILTiming
import TestSupport
import Testing

/// Several messages are sent before the first of them is answered.
@Suite struct SeveralAtOnceTests {
    /// A phone whose transport extension does not answer the first `count` messages, and the secret that opens them.
    private func keeping(
        _ count: Int, of limit: Int = 4, _ transports: [AccessoryTransport] = [.bluetooth]
    ) async throws -> (stand: DeliveryStand, secret: SymmetricKey) {
        let stand = try await DeliveryStand()
        stand.phone.policy.notificationsInFlight = limit
        let secrets = try await stand.ready(transports)
        stand.script.state.withLock { $0.answers = [.bluetooth: Array(repeating: .keepSilent, count: count)] }
        return (stand, secrets.host)
    }

    private func post(_ titles: [String], to stand: DeliveryStand) {
        for title in titles {
            stand.phone.notifications.post(
                PhoneNotification(app: "com.example.chat", identifier: title, title: title))
        }
    }

    /// The extension answers the message with this index among those that it kept.
    private func answer(_ place: Int, _ result: AccessoryMessage.Result, _ stand: DeliveryStand) {
        stand.script.state.withLock { $0.kept[place] }(result)
    }

    private func texts(_ stand: DeliveryStand, _ secret: SymmetricKey) throws -> [String] {
        try stand.allSealed.map { try text($0, secret) }
    }

    @Test("As many messages as the policy allows are sent at the same time, in order", .covers("N3"))
    func window() async throws {
        #expect(HostPolicy().notificationsInFlight == 16)
        let (stand, secret) = try await keeping(10, of: 8)
        let titles = (1...10).map { "\($0)" }
        post(titles, to: stand)
        try await stand.handedOver(8)
        answer(0, .success, stand)
        #expect(try await stand.done(1) == [true])
        try await stand.handedOver(9)
        #expect(stand.allSealed.count == 9, "one more for each answered message")
        for place in 1...8 { answer(place, .success, stand) }
        try await stand.handedOver(10)
        answer(9, .success, stand)
        #expect(try await stand.done(10).count == 10)
        #expect(try texts(stand, secret) == titles)
    }

    @Test(
        "If one message fails, it is sent again with the same bytes after all others are answered",
        .covers("T1", "N3", "S7"))
    func oneFails() async throws {
        let (stand, secret) = try await keeping(4)
        post(["1", "2", "3", "4", "5", "6"], to: stand)
        try await stand.handedOver(4)
        answer(1, .failure(.transportFailed), stand)
        for place in [0, 2] { answer(place, .success, stand) }
        _ = try await stand.done(2)
        try await stand.link(isUp: true)
        #expect(stand.allSealed.count == 4, "the fourth is not answered yet")
        answer(3, .success, stand)
        _ = try await stand.done(6)
        #expect(try texts(stand, secret) == ["1", "2", "3", "4", "2", "5", "6"])
        #expect(stand.allSealed[1] == stand.allSealed[4])
        #expect(stand.clock.pauses.isEmpty, "other messages have arrived since it failed")
    }

    @Test("If all messages fail, they are sent again in order after one pause", .covers("T1", "N3"))
    func allFail() async throws {
        let (stand, secret) = try await keeping(4)
        post(["1", "2", "3", "4", "5", "6"], to: stand)
        try await stand.handedOver(4)
        for place in [2, 0, 3, 1] { answer(place, .failure(.transportFailed), stand) }
        #expect(try await stand.done(6).allSatisfy { $0 })
        #expect(try texts(stand, secret) == ["1", "2", "3", "4", "1", "2", "3", "4", "5", "6"])
        #expect(Set(stand.allSealed).count == 6)
        #expect(stand.clock.pauses == [.milliseconds(500)])
    }

    @Test("If the link is lost, all open messages take the next transport in order, without a pause", .covers("T2"))
    func linkLost() async throws {
        let (stand, secret) = try await keeping(3, [.bluetooth, .localNetwork])
        post(["1", "2", "3"], to: stand)
        try await stand.handedOver(3)
        try await stand.link(isUp: false)
        for place in [0, 1, 2] { answer(place, .failure(.transportFailed), stand) }
        #expect(try await stand.done(3) == [true, true, true])
        #expect(stand.ways == Array(repeating: .bluetooth, count: 3) + Array(repeating: .localNetwork, count: 3))
        #expect(try texts(stand, secret) == ["1", "2", "3", "1", "2", "3"])
        #expect(Set(stand.allSealed).count == 3, "so the accessory can recognise repetitions")
        #expect(stand.clock.pauses.isEmpty)
    }

    @Test("A long message is sent alone, and no other overtakes it", .covers("N3", "T1"))
    func long() async throws {
        let (stand, secret) = try await keeping(3)
        let long = String(repeating: "x", count: stand.phone.policy.sharedFlightBytes + 1)
        post(["1", long, "3"], to: stand)
        for place in 0...2 {
            try await stand.handedOver(place + 1)
            try await stand.link(isUp: true)
            #expect(stand.allSealed.count == place + 1)
            answer(place, .success, stand)
        }
        _ = try await stand.done(3)
        #expect(try texts(stand, secret) == ["1", long, "3"])
    }

    @Test("A cancelled message does not block the next ones", .covers("T1"))
    func givenUp() async throws {
        let (stand, secret) = try await keeping(1)
        post(["1"], to: stand)
        try await stand.handedOver(1)
        let session = try await stand.providerSession()
        let long = Data(count: stand.phone.policy.sharedFlightBytes + 1)
        let waiting = Task {
            try await session.send(message: AccessoryMessage { AccessoryMessage.Payload(data: long) })
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        post(["2"], to: stand)
        try await stand.handedOver(2)
        #expect(try texts(stand, secret) == ["1", "2"])
    }

    @Test("The end of the session ends all messages that are being sent", .covers("N6"))
    func ended() async throws {
        let (stand, _) = try await keeping(6)
        let session = try await stand.providerSession()
        let sending = (0..<6).map { number in
            Task {
                try await session.send(
                    message: AccessoryMessage {
                        AccessoryMessage.Payload(data: Data(count: number < 3 ? 1 : 10_000))
                    })
            }
        }
        try await stand.handedOver(1)
        stand.phone.terminateApp()
        for one in sending {
            await stand.expectEnded(one)
        }
    }

    @Test(
        "After a new key exchange, failed messages are sealed again with the new keys", .covers("S5"))
    func newKeys() async throws {
        let (stand, old) = try await keeping(2)
        post(["1", "2", "3"], to: stand)
        try await stand.handedOver(3)
        let place = stand.phone.notifications.events.count
        let new = try await stand.exchangeKeys()
        try await stand.happens("keys", from: place) { if case .keysExchanged = $0 { true } else { false } }
        for place in [0, 1] { answer(place, .failure(.transportFailed), stand) }
        _ = try await stand.done(3)
        #expect(try stand.allSealed.prefix(3).map { try text($0, old) } == ["1", "2", "3"])
        #expect(try stand.allSealed.dropFirst(3).map { try text($0, new) } == ["1", "2"])
    }
}
