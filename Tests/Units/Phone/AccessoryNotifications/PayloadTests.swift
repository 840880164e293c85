import AccessoryNotifications
import AccessoryTransportExtension
import HILPhone
import HILTiming
import MessageSealing
import RadioModel
import TestSupport
import Testing

/// Messages with several payloads.
@Suite struct PayloadTests {
    private func send(_ message: AccessoryMessage, _ stand: DeliveryStand) async throws {
        try await stand.providerSession().send(message: message)
    }

    private func payload(_ transport: AccessoryTransport, _ text: String) -> AccessoryMessage.Payload {
        AccessoryMessage.Payload(transport: transport, data: Data(text.utf8))
    }

    @Test("Payloads for one transport are parts: all arrive in order, over any transport", .covers("T3"))
    func parts() async throws {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready([.bluetooth, .localNetwork])
        let texts = ["one", "two", "three"]
        let message = AccessoryMessage {
            payload(.bluetooth, texts[0])
            payload(.bluetooth, texts[1])
            payload(.bluetooth, texts[2])
        }
        try await send(message, stand)
        try await stand.link(isUp: false)
        try await send(message, stand)
        #expect(try stand.allSealed.map { try text($0, secrets.host) } == texts + texts)
        #expect(stand.ways == Array(repeating: .bluetooth, count: 3) + Array(repeating: .localNetwork, count: 3))
        #expect(Set(stand.allSealed.map { $0.data.prefix(12) }).count == 6)
    }

    @Test(
        "If a transport fails between two parts, the next one carries the missing parts", .covers("T2", "T3")
    )
    func between() async throws {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready([.bluetooth, .localNetwork])
        let message = AccessoryMessage {
            payload(.bluetooth, "one")
            payload(.bluetooth, "two")
        }
        stand.script.state.withLock {
            $0.answers = [.bluetooth: [.say(.success), .say(.failure(.transportUnavailable))]]
        }
        try await send(message, stand)
        #expect(stand.ways == [.bluetooth, .bluetooth, .localNetwork])
        #expect(try stand.allSealed.map { try text($0, secrets.host) } == ["one", "two", "two"])
        #expect(Set(stand.allSealed).count == 2)
    }

    @Test(
        "Payloads for several transports are alternatives: only those for the used transport arrive", .covers("T3"))
    func alternatives() async throws {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready([.bluetooth, .localNetwork, .internet])
        let message = AccessoryMessage {
            payload(.bluetooth, "with a picture")
            payload(.internet, "without")
        }
        var receiver = RatchetReceiver(chainKey: secrets.internetHost, keyIdentifier: secrets.keyIdentifier)
        try await send(message, stand)
        try await stand.link(isUp: false)
        try await send(message, stand)
        stand.script.state.withLock { $0.answers = [.localNetwork: [.say(.failure(.transportUnavailable))]] }
        try await send(message, stand)
        #expect(stand.ways == [.bluetooth, .localNetwork, .localNetwork, .internet])
        for message in stand.allSealed.dropLast() { #expect(try text(message, secrets.host) == "with a picture") }
        let last = try #require(stand.allSealed.last)
        #expect(receiver.open(last.data) == .plaintext(Data("without".utf8)))
    }

    @Test("With the other policy, payloads for several transports are parts too", .covers("T3"))
    func otherPolicy() async throws {
        let stand = try await DeliveryStand()
        stand.phone.policy.payloadsAreAlternatives = false
        let secrets = try await stand.ready([.bluetooth, .localNetwork])
        try await send(
            AccessoryMessage {
                payload(.bluetooth, "one")
                payload(.localNetwork, "two")
            }, stand)
        #expect(try stand.allSealed.map { try text($0, secrets.host) } == ["one", "two"])
        #expect(stand.ways == [.bluetooth, .bluetooth])
    }

    @Test("A message without payloads is delivered at once")
    func empty() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        try await send(AccessoryMessage {}, stand)
        #expect(stand.ways.isEmpty)
    }
}
