import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import HILPhone
import HILTiming
import TestSupport
import Testing

/// An accessory that sends invalid data, too much, repetitions or nothing: the phone names the step and continues.
@Suite struct BadPeerTests {
    /// Checks that keys can still be exchanged and a notification arrives.
    private func isUsable(_ stand: DeliveryStand, _ session: AccessorySecuritySession) async throws {
        let event = stand.phone.notifications.events.count
        let secrets = try await stand.exchangeSecrets(of: session)
        try await stand.happens("keys", from: event) { $0 == .keysExchanged(.p256) }
        let place = stand.script.events.count
        stand.post("Kim")
        #expect(try text(try await stand.sealed(from: place), secrets.host) == "Kim")
    }

    private func offer(_ key: Data, _ suite: SecurityMessage.CipherSuite, _ session: AccessorySecuritySession) throws {
        try session.sendSecurityMessage(
            SecurityMessage(keyType: .publicKey, cipherSuite: suite, version: .version1, key: key))
    }

    @Test("A P-256 key with a wrong length or any bit changed is refused with a reason", .covers("S2", "S3"))
    func p256Keys() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let session = try await stand.securitySession()
        let good = P256.KeyAgreement.PrivateKey().publicKey.rawRepresentation
        var bad = (0...130).filter { $0 != 64 }.map { Data((good + good + good).prefix($0)) }
        for bit in 0..<512 {
            var altered = good
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            bad.append(altered)
        }
        bad += [Data(count: 64), Data(repeating: 0xFF, count: 64), Data(count: 32) + good.suffix(32)]
        for key in bad {
            let events = stand.phone.notifications.events
            let mark = events.count
            #expect(throws: AccessorySecuritySession.Error.unsupported) { try offer(key, .p256, session) }
            let failed = try await events.first(from: mark, within: .seconds(300), waitingFor: "the reason") {
                if case .exchangeFailed = $0.kind { true } else { false }
            }
            guard case .exchangeFailed(let why) = failed.event.kind else { return }
            #expect(why.contains("the accessory's public key, \(key.count) bytes"))
        }
        try await isUsable(stand, session)
    }

    @Test("An X-Wing key that is invalid or has a wrong length is refused with a reason", .covers("S2", "S3"))
    func xWingKeys() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let session = try await stand.securitySession()
        let good = try XWingMLKEM768X25519.PrivateKey().publicKey.rawRepresentation
        // A coefficient of 12 bits must be below 3329 (FIPS 203, 7.2).
        let tooLarge = stride(from: 0, to: 1152, by: 96).map { place in
            var altered = good
            (altered[place], altered[place + 1]) = (0xFF, altered[place + 1] | 0x0F)
            return altered
        }
        // An X25519 part of zeros is a point of small order: it must not be used for a key agreement.
        let lengths = [0, 1, 64, 1152, 1184, 1215, 1217, 2432].map { Data((good + good).prefix($0)) }
        for key in lengths + tooLarge + [Data(count: 1216), good.prefix(1184) + Data(count: 32)] {
            #expect(throws: AccessorySecuritySession.Error.unsupported) { try offer(key, .xWing, session) }
        }
        try await isUsable(stand, session)
    }

    @Test("If the accessory never sends a key, the notification fails after 10 s with the reason")
    func neverAnswers() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let session = try await stand.securitySession()
        stand.post("Kim")
        await stand.clock.pass(.seconds(10), among: 2)
        #expect(try await stand.done(1) == [false])
        #expect(
            stand.phone.notifications.events.events.contains {
                if case .failed(let why) = $0.kind { why.contains("keys to be exchanged") } else { false }
            })
        try await isUsable(stand, session)
    }

    @Test("If an extension answers twice, only the first answer counts", .covers("T1"))
    func answersTwice() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        stand.script.state.withLock { $0.answers = [.bluetooth: [.keepSilent]] }
        stand.post("Kim")
        _ = try await stand.sealed()
        let kept = try #require(stand.script.lastKept)
        for result in [AccessoryMessage.Result.success, .failure(.transportFailed), .success] { kept(result) }
        #expect(try await stand.done(1) == [true])
        kept(.failure(.transportUnavailable))
        stand.post("Lee")
        #expect(try await stand.done(2) == [true, true])
        #expect(stand.allSealed.count == 2)
    }

    @Test("A key that is sent twice starts two exchanges, and the later one counts", .covers("S2"))
    func keyTwice() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        let session = try await stand.securitySession()
        let key = P256.KeyAgreement.PrivateKey().publicKey.rawRepresentation
        let event = stand.phone.notifications.events.count
        for _ in 0..<2 { try offer(key, .p256, session) }
        _ = try await stand.all(2, "exchanges", from: event) { $0 == .keysExchanged(.p256) ? true : nil }
        try await isUsable(stand, session)
    }

    @Test("Of a flood of public keys only the newest eight are handled, and the phone continues")
    func keyFlood() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let session = try await stand.securitySession()
        stand.script.state.withLock { $0.security = [.keepSilent] }
        let key = P256.KeyAgreement.PrivateKey().publicKey.rawRepresentation
        try offer(key, .p256, session)
        _ = try await stand.script.next("the first answer") { if case .key = $0 { true } else { nil } }
        for _ in 0..<200 { try offer(key, .p256, session) }
        stand.script.lastKept?(.success)
        _ = try await stand.all(9, "exchanges") { $0 == .keysExchanged(.p256) ? true : nil }
        try await isUsable(stand, session)
        let answers = stand.script.events.events.filter { if case .key = $0 { true } else { false } }
        #expect(answers.count == 10)
    }

    @Test(
        "Of a flood of messages only as many as the backlog allows are opened, and the phone continues", .covers("S7"))
    func messageFlood() async throws {
        let stand = try await DeliveryStand()
        let secrets = try await stand.ready()
        let (id, session) = (try await stand.sessionID(), try await stand.transportSession())
        func message(_ text: String) throws -> TransportMessage {
            let sealed = try AES.GCM.seal(Data(text.utf8), using: secrets.accessory)
            return TransportMessage(sessionID: id, data: try #require(sealed.combined))
        }
        let flood = try (0..<2000).map { try message("\($0)") }
        var taken = 0
        for message in flood {
            do {
                try session.sendMessageToDataProvider(message)
                taken += 1
            } catch { #expect(error == .unknown) }
        }
        _ = try await stand.all(taken, "messages") { if case .received = $0 { true } else { nil } }
        try session.sendMessageToDataProvider(try message("after"))
        _ = try await stand.script.next("the message after") { event in
            if case .message(let message) = event, message.payloads[0].data == Data("after".utf8) { true } else { nil }
        }
    }
}
