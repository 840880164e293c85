import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import HILPhone
import HILTiming
import TestSupport
import Testing

/// Messages from the accessory to the data provider, through the transport extension and the phone.
@Suite struct ReturnTransportTests {
    private func sealed(_ text: String, _ secret: SymmetricKey, nonce: AES.GCM.Nonce? = nil) throws -> Data {
        try #require(try AES.GCM.seal(Data(text.utf8), using: secret, nonce: nonce).combined)
    }

    private func ready() async throws -> (DeliveryStand, Secrets, AccessoryTransportSession) {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready()
        return (stand, secrets, try await stand.transportSession())
    }

    private func messages(of stand: DeliveryStand) -> [String] {
        stand.script.events.events.compactMap { event in
            guard case .message(let message) = event else { return nil }
            return message.payloads.map { String(decoding: $0.data, as: UTF8.self) }.joined()
        }
    }

    private func next(_ text: String, in stand: DeliveryStand) async throws {
        _ = try await stand.script.next("the message “\(text)”") { event in
            if case .message(let message) = event, message.payloads.map(\.data) == [Data(text.utf8)] {
                true
            } else {
                nil
            }
        }
    }

    @Test("Messages of the accessory reach the data provider decrypted and in order", .covers("N5", "S4"))
    func opened() async throws {
        let (stand, secrets, session) = try await ready()
        #expect(session.transport == .bluetooth)
        let id = try await stand.sessionID()
        for number in 1...20 {
            try session.sendMessageToDataProvider(
                TransportMessage(sessionID: id, data: try sealed("reply \(number)", secrets.accessory)))
        }
        try await next("reply 20", in: stand)
        #expect(messages(of: stand) == (1...20).map { "reply \($0)" })
    }

    @Test("A replayed message is dropped, and the next one arrives", .covers("S7"))
    func replayed() async throws {
        let (stand, secrets, session) = try await ready()
        let id = try await stand.sessionID()
        let message = TransportMessage(sessionID: id, data: try sealed("yes", secrets.accessory))
        let altered = TransportMessage(sessionID: id, data: message.data.dropLast() + [message.data.last! ^ 1])
        for message in [message, message, altered] { try session.sendMessageToDataProvider(message) }
        try session.sendMessageToDataProvider(
            TransportMessage(sessionID: id, data: try sealed("end", secrets.accessory)))
        try await next("end", in: stand)
        #expect(messages(of: stand) == ["yes", "end"])
        let refusals = stand.phone.notifications.events.events.filter {
            if case .refused(let why) = $0.kind { why.contains("came before") } else { false }
        }
        #expect(refusals.count == 2)
    }

    @Test(
        "After a message that cannot be opened, keys are exchanged in a new session and messages pass again",
        .covers("S5"))
    func notOpened() async throws {
        let strange = SymmetricKey(size: .bits256)
        let alterations: [@Sendable (Data) throws -> Data] = [
            { $0.dropLast() }, { $0.prefix(27) }, { _ in Data() }, { $0.dropLast() + [$0.last! ^ 1] },
            { [$0.first! ^ 1] + $0.dropFirst() },
            { _ in try #require(try AES.GCM.seal(Data("no".utf8), using: strange).combined) },
        ]
        for alter in alterations {
            let (stand, secrets, session) = try await ready()
            let id = try await stand.sessionID()
            let place = stand.script.events.count
            let old = try await stand.securitySession()
            try session.sendMessageToDataProvider(
                TransportMessage(sessionID: id, data: try alter(try sealed("yes", secrets.accessory))))
            let fresh = try await stand.securitySession(from: place)
            #expect(
                stand.script.events.events.contains { if case .invalidated("security") = $0 { true } else { false } })
            #expect(throws: AccessorySecuritySession.Error.invalidated) {
                try old.sendSecurityMessage(
                    SecurityMessage(keyType: .publicKey, cipherSuite: .p256, version: .version1, key: Data()))
            }
            let event = stand.phone.notifications.events.count
            let later = try await stand.exchangeSecrets(of: fresh)
            try await stand.happens("new keys", from: event) { $0 == .keysExchanged(.p256) }
            try session.sendMessageToDataProvider(
                TransportMessage(sessionID: id, data: try sealed("again", later.accessory)))
            try await next("again", in: stand)
            stand.post("Kim")
            #expect(try text(try await stand.sealed(from: place), later.host) == "Kim", "sealed with the new keys")
        }
    }

    @Test("Messages that can never be opened start key exchanges at growing intervals, up to 10 s", .covers("S5"))
    func hostile() async throws {
        var (stand, _, session) = try await ready()
        let id = try await stand.sessionID()
        for round in 1...3 {
            let place = stand.script.events.count
            try session.sendMessageToDataProvider(TransportMessage(sessionID: id, data: Data(count: 40)))
            let fresh = try await stand.securitySession(from: place)
            let event = stand.phone.notifications.events.count
            _ = try await stand.exchangeSecrets(of: fresh)
            try await stand.happens("keys", from: event) { $0 == .keysExchanged(.p256) }
            #expect(stand.clock.pauses.count == round - 1)
            session = try await stand.transportSession()
        }
        #expect(stand.clock.pauses == [.milliseconds(500), .seconds(1)])
    }

    @Test("A message of another session, too long, or after the end is refused with a reason", .covers("N6"))
    func refused() async throws {
        let (stand, secrets, session) = try await ready()
        let id = try await stand.sessionID()
        func refuses(_ message: TransportMessage, because reason: String) {
            #expect(throws: AccessoryTransportSession.Error.unsupported) {
                try session.sendMessageToDataProvider(message)
            }
            guard case .refused(let why) = stand.phone.notifications.events.events.last?.kind else {
                Issue.record("no reason for \(reason)")
                return
            }
            #expect(why.contains(reason))
        }
        refuses(TransportMessage(sessionID: UUID(), data: try sealed("x", secrets.accessory)), because: "not this")
        refuses(TransportMessage(sessionID: id, data: Data(count: (1 << 20) + 37)), because: "1048576 bytes")
        try session.sendMessageToDataProvider(
            TransportMessage(sessionID: id, data: try sealed("yes", secrets.accessory)))
        try await next("yes", in: stand)
        stand.phone.terminateApp()
        _ = try await stand.script.next("the end") { if case .invalidated("bluetooth") = $0 { true } else { nil } }
        #expect(throws: AccessoryTransportSession.Error.invalidated) {
            try session.sendMessageToDataProvider(
                TransportMessage(sessionID: id, data: try sealed("late", secrets.accessory)))
        }
    }
}
