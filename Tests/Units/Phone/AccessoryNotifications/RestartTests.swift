import AccessoryNotifications
import AccessoryTransportExtension
import HILPhone
import TestSupport
import Testing

/// The tries of a message while its accessory restarts: the link is lost, and the accessory has no keys.
@Suite struct RestartTests {
    /// A phone whose transport extension answers only when the test says so.
    private func silent() async throws -> DeliveryStand {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        stand.script.state.withLock { $0.answers[.bluetooth] = Array(repeating: .keepSilent, count: 20) }
        return stand
    }

    /// Waits for a try of the message, and answers it.
    private func answer(_ attempt: Int, _ result: AccessoryMessage.Result, _ stand: DeliveryStand) async throws {
        try await stand.handedOver(attempt)
        stand.script.state.withLock { $0.kept[attempt - 1] }(result)
    }

    @Test("New keys or a new link begin the count of a transport's failures again", .covers("T1", "S5"))
    func restart() async throws {
        let stand = try await silent()
        stand.post("Kim")
        try await stand.handedOver(1)
        try await stand.link(isUp: false)
        try await answer(1, .failure(.transportFailed), stand)
        try await stand.handedOver(2)
        try await stand.link(isUp: true)
        try await answer(2, .failure(.transportFailed), stand)
        try await stand.handedOver(3)
        let place = stand.phone.notifications.events.count
        _ = try await stand.exchangeKeys()
        try await stand.happens("keys", from: place) { if case .keysExchanged = $0 { true } else { false } }
        for attempt in 3...4 { try await answer(attempt, .failure(.transportFailed), stand) }
        try await answer(5, .success, stand)
        #expect(try await stand.done(1) == [true])
        #expect(stand.clock.pauses == [500, 500, 500, 1000].map { .milliseconds($0) })
        let delivered = stand.phone.notifications.events.events.compactMap { event in
            if case .delivered(_, let attempt, _) = event.kind { attempt } else { nil }
        }
        #expect(delivered == [5], "all tries are counted for the log")
    }

    @Test("The count begins again as often as the policy has tries, so an unstable link delays nothing forever")
    func unstable() async throws {
        let stand = try await silent()
        stand.post("Kim")
        for attempt in 1...6 {
            try await stand.handedOver(attempt)
            try await stand.link(isUp: false)
            try await stand.link(isUp: true)
            try await answer(attempt, .failure(.transportFailed), stand)
        }
        #expect(try await stand.done(1) == [false])
        #expect(stand.allSealed.count == 6)
        stand.post("Lee")
        try await answer(7, .success, stand)
        #expect(try await stand.done(2) == [false, true])
    }
}
