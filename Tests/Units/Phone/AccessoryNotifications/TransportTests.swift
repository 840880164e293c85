import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import HILPhone
import HILTiming
import MessageSealing
import RadioModel
import TestSupport
import Testing

/// The transport that a message takes, and what happens when it fails.
@Suite struct TransportTests {
    private static let all: [AccessoryTransport] = [.bluetooth, .localNetwork, .internet]

    private func answers(
        _ stand: DeliveryStand, _ answers: [AccessoryTransport: [AccessoryMessage.Error]]
    ) {
        stand.script.state.withLock { $0.answers = answers.mapValues { $0.map { .say(.failure($0)) } } }
    }

    @Test(
        "Bluetooth, then the local network, then the internet; an unavailable one is skipped at once", .covers("T1"))
    func order() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready(Self.all)
        answers(stand, [.bluetooth: [.transportUnavailable], .localNetwork: [.transportUnavailable]])
        stand.post("Kim")
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways == Self.all)
        #expect(stand.clock.pauses.isEmpty)
        stand.post("Lee")
        #expect(try await stand.done(2) == [true, true])
        #expect(stand.ways.last == .bluetooth, "the next message starts with the best transport again")
    }

    @Test("After the last retry of a transport the next one follows, with the same bytes", .covers("T1", "T2", "S7"))
    func failed() async throws {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready([.bluetooth, .localNetwork])
        answers(stand, [.bluetooth: Array(repeating: .transportFailed, count: 3)])
        stand.post("Kim")
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways == [.bluetooth, .bluetooth, .bluetooth, .localNetwork])
        #expect(stand.clock.pauses == [.milliseconds(500), .seconds(1)])
        #expect(Set(stand.allSealed).count == 1, "so the accessory can recognise a repetition")
        #expect(try text(stand.allSealed[0], secrets.host) == "Kim")
    }

    @Test("If no transport is available, another round follows after a pause, up to three rounds", .covers("T1"))
    func rounds() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready([.bluetooth, .localNetwork])
        let never = Array(repeating: AccessoryMessage.Error.transportUnavailable, count: 3)
        answers(stand, [.bluetooth: never, .localNetwork: Array(never.dropLast())])
        stand.post("Kim")
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways == [.bluetooth, .localNetwork, .bluetooth, .localNetwork, .bluetooth, .localNetwork])
        #expect(stand.clock.pauses == [.milliseconds(500), .seconds(1)])
        answers(stand, [.bluetooth: never, .localNetwork: never])
        stand.post("Lee")
        #expect(try await stand.done(2) == [true, false])
        #expect(stand.ways.count == 12)
        #expect(
            stand.phone.notifications.events.events.contains {
                if case .failed(let why) = $0.kind { why.contains("transportUnavailable") } else { false }
            })
    }

    @Test("Bluetooth is skipped while its link is lost", .covers("T2"))
    func lostLink() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready([.bluetooth, .localNetwork])
        try await stand.link(isUp: false)
        stand.post("Kim")
        _ = try await stand.done(1)
        #expect(stand.ways == [.localNetwork])
        try await stand.link(isUp: true)
        stand.post("Lee")
        _ = try await stand.done(2)
        #expect(stand.ways == [.localNetwork, .bluetooth])
    }

    @Test("If the link is lost during a message, it goes over the local network once, without a pause", .covers("T2"))
    func lostInMessage() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready([.bluetooth, .localNetwork])
        stand.script.state.withLock { $0.answers = [.bluetooth: [.keepSilent]] }
        stand.post("Kim")
        _ = try await stand.sealed()
        try await stand.link(isUp: false)
        stand.script.lastKept?(.failure(.transportFailed))
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways == [.bluetooth, .localNetwork])
        #expect(Set(stand.allSealed).count == 1)
        #expect(stand.clock.pauses.isEmpty)
    }

    @Test("If the link is back while another transport fails, the message goes over Bluetooth", .covers("T2"))
    func returned() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready([.bluetooth, .localNetwork])
        try await stand.link(isUp: false)
        stand.script.state.withLock { $0.answers = [.localNetwork: [.keepSilent]] }
        stand.post("Kim")
        _ = try await stand.sealed()
        try await stand.link(isUp: true)
        stand.script.lastKept?(.failure(.transportFailed))
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways == [.localNetwork, .bluetooth])
        #expect(stand.clock.pauses.isEmpty)
    }

    @Test("A handler that never answers counts as delivered, for any transport", .covers("T1"), arguments: all)
    func silent(transport: AccessoryTransport) async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready(Self.all)
        let before = Self.all.prefix { $0 != transport }
        stand.script.state.withLock { state in
            for other in before { state.answers[other] = [.say(.failure(.transportUnavailable))] }
            state.answers[transport] = [.keepSilent]
        }
        stand.post("Kim")
        let count = before.count
        _ = try await stand.script.next("the message over \(transport)") { event in
            if case .sealed(_, transport) = event { true } else { nil }
        }
        await stand.clock.pass(.seconds(10), among: 2)
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways.count == count + 1)
    }

    @Test("With the policy of one message at a time, a message starts only after the one before is done", .covers("T1"))
    func sequence() async throws {
        let stand = try await DeliveryStand()
        stand.phone.policy.notificationsInFlight = 1
        let secrets = try await stand.ready([.bluetooth, .localNetwork])
        answers(
            stand,
            [
                .bluetooth: [.transportFailed, .transportUnavailable, .transportFailed, .transportFailed],
                .localNetwork: [.transportFailed, .transportUnavailable],
            ])
        let session = try await stand.providerSession()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask {
                    try await session.send(
                        message: AccessoryMessage { AccessoryMessage.Payload(data: Data("\(number)".utf8)) })
                }
            }
            try await group.waitForAll()
        }
        let texts = try stand.allSealed.map { try text($0, secrets.host) }
        let turns = texts.enumerated().filter { $0.offset == 0 || texts[$0.offset - 1] != $0.element }.map(\.element)
        #expect(texts.count > 8)
        #expect(turns.count == 8, "no message starts before the one before it is done")
    }

    @Test("P-256 allows only Bluetooth; each key exchange gives the transports again", .covers("S3", "T1"))
    func lanes() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        var place = stand.phone.notifications.events.count
        _ = try await stand.exchangeSecrets(.xWing, Self.all)
        try await stand.happens("keys", from: place) { $0 == .keysExchanged(.xWing) }
        let internet = try await stand.transportSession(.internet)
        #expect(internet.pushToken?.count == 32)
        #expect(try await stand.transportSession(.localNetwork).pushToken == nil)
        place = stand.phone.notifications.events.count
        _ = try await stand.exchangeSecrets(.xWing, [.bluetooth, .localNetwork])
        try await stand.happens("keys", from: place) { $0 == .keysExchanged(.xWing) }
        _ = try await stand.script.next("the end of the internet's") { event in
            if case .invalidated("internet") = event { true } else { nil }
        }
        let offers = stand.script.events.events.filter { if case .transportOffered = $0 { true } else { false } }
        #expect(offers.count == 3, "an extension that runs already is not launched again")
    }

    @Test("A transport whose session is rejected or cancelled is skipped; the others continue", .covers("S1"))
    func rejected() async throws {
        let stand = try await DeliveryStand()
        stand.script.state.withLock { $0.rejectedTransports = [.localNetwork] }
        _ = try await stand.ready(Self.all)
        answers(stand, [.bluetooth: [.transportUnavailable]])
        stand.post("Kim")
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways == [.bluetooth, .internet])
        try await stand.transportSession(.internet).cancel(error: nil)
        _ = try await stand.script.next("the end of the internet session") {
            if case .invalidated("internet") = $0 { true } else { nil }
        }
        stand.post("Lee")
        #expect(try await stand.done(2) == [true, true])
    }

    @Test(
        "Over the internet every message has its own key, in both directions",
        .covers("S4", "S7", "N5"))
    func internet() async throws {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready([.bluetooth, .internet])
        try await stand.link(isUp: false)
        var receiver = RatchetReceiver(chainKey: secrets.internetHost, keyIdentifier: secrets.keyIdentifier)
        for (number, title) in ["Kim", "Lee"].enumerated() {
            let place = stand.script.events.count
            stand.post(title)
            let message = try await stand.sealed(from: place)
            #expect(message.data.prefix(8) == secrets.keyIdentifier + [UInt8(number), 0, 0, 0])
            #expect(receiver.open(message.data) == .plaintext(Data(title.utf8)))
            _ = try await stand.done(number + 1)
        }
        var sender = RatchetSender(chainKey: secrets.internetAccessory, keyIdentifier: secrets.keyIdentifier)
        let token = try #require(try await stand.transportSession(.internet).pushToken)
        let reply = TransportMessage(
            sessionID: try await stand.sessionID(), data: try #require(try sender.seal(Data("yes".utf8))))
        #expect(throws: TransportPortError.self) {
            try stand.phone.notifications.receiveFromInternet(reply, pushToken: Data(count: 32))
        }
        try stand.phone.notifications.receiveFromInternet(reply, pushToken: token)
        let payloads = try await stand.script.next("the reply") { event in
            if case .message(let message) = event { message.payloads } else { nil }
        }
        #expect(payloads == [AccessoryMessage.Payload(transport: .internet, data: Data("yes".utf8))])
    }

    @Test(
        "If a transport's session ends during a message, the message goes to the next transport at once",
        .covers("T1", "T2"))
    func laneEnds() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready(Self.all)
        stand.script.state.withLock { state in
            state.answers = [.bluetooth: [.say(.failure(.transportUnavailable))], .localNetwork: [.keepSilent]]
        }
        stand.post("Kim")
        _ = try await stand.script.next("the message over the local network") { event in
            if case .sealed(_, .localNetwork) = event { true } else { nil }
        }
        try await stand.transportSession(.localNetwork).cancel(error: nil)
        _ = try await stand.script.events.first(within: .seconds(300), waitingFor: "the message over the internet") {
            if case .sealed(_, .internet) = $0 { true } else { false }
        }
        #expect(try await stand.done(1) == [true])
        #expect(stand.ways == Self.all)
        #expect(stand.clock.pauses.isEmpty)
    }

    /// Sends a message that has failed once and is in the pause before its retry.
    private func pausing() async throws -> (
        stand: DeliveryStand, sending: Task<Void, any Error>, sendAgain: @Sendable () async throws -> Void
    ) {
        let stand = try await DeliveryStand()
        stand.phone.policy.notificationRetryPause = .seconds(20)
        _ = try await stand.ready()
        answers(stand, [.bluetooth: [.transportFailed]])
        let session = try await stand.providerSession()
        let send: @Sendable () async throws -> Void = {
            try await session.send(message: AccessoryMessage { AccessoryMessage.Payload(data: Data("Kim".utf8)) })
        }
        let sending = Task { try await send() }
        try await stand.clock.isWaited(for: .seconds(20))
        return (stand, sending, send)
    }

    @Test("Sending a message can be cancelled, and the next message is sent", .covers("T1"))
    func cancelled() async throws {
        let (stand, sending, sendAgain) = try await pausing()
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        try await sendAgain()
        #expect(stand.ways.count == 2)
    }

    @Test("The end of the session ends a message that is being sent", .covers("N6"))
    func ended() async throws {
        let (stand, sending, sendAgain) = try await pausing()
        stand.phone.terminateApp()
        await stand.expectEnded(sending)
        await #expect(throws: ForwardingError.ended) { try await sendAgain() }
    }
}
