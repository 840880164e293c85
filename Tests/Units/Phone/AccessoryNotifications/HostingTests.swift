import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import HILPhone
import HILTiming
import TestSupport
import Testing

@Suite struct HostingTests {
    @Test(
        "`info` contains the peripheral's identifier, or the identifier that the accessory gives", .covers("S2", "S4"),
        arguments: [nil, "D6-0001"])
    func info(identifier: String?) async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let secret = try await stand.exchangeKeys(identifier: identifier)
        stand.post("Kim")
        #expect(try text(try await stand.sealed(), secret) == "Kim")
    }

    @Test(
        "A new public key starts a new exchange; later messages are sealed only with the new keys",
        .covers("S2"))
    func newPublicKey() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let first = try await stand.exchangeKeys()
        let second = try await stand.exchangeKeys()
        stand.post("Kim")
        let message = try await stand.sealed()
        #expect(try text(message, second) == "Kim")
        #expect(throws: CryptoKitError.authenticationFailure) { try text(message, first) }
    }

    @Test("No nonce is used twice with one key", .covers("S7"))
    func nonces() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        _ = try await stand.exchangeKeys()
        for number in 1...100 { stand.post("\(number)") }
        try await stand.happens("the last one") { _ in stand.allSealed.count == 100 }
        #expect(Set(stand.allSealed.map { $0.data.prefix(12) }).count == 100)
        #expect(Set(stand.allSealed.map(\.sessionID)).count == 1)
    }

    @Test(
        "transportFailed is retried after 0.5 s and 1 s with the same bytes; then the provider gets an error",
        .covers("T1"))
    func retries() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        _ = try await stand.exchangeKeys()
        stand.script.state.withLock {
            $0.answers[.bluetooth] = Array(repeating: .say(.failure(.transportFailed)), count: 3)
        }
        stand.post("Kim")
        try await stand.happens("the failure") {
            $0 == .added(stand.phone.notifications.posted[0].identifier, alerted: false)
        }
        #expect(stand.allSealed.count == 3)
        #expect(Set(stand.allSealed).count == 1)
        #expect(stand.clock.pauses == [.milliseconds(500), .seconds(1)])
        stand.post("Lee")
        try await stand.happens("the next one") { if case .added(_, alerted: true) = $0 { true } else { false } }
    }

    @Test(
        "A handler that releases its completion, or keeps it for 10 s, counts as delivered", .covers("T1"),
        arguments: [true, false])
    func noAnswer(keeps: Bool) async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        _ = try await stand.exchangeKeys()
        stand.script.state.withLock { $0.answers[.bluetooth] = [keeps ? .keepSilent : .release] }
        stand.post("Kim")
        _ = try await stand.sealed()
        if keeps { await stand.clock.pass(.seconds(10), among: 2) }
        try await stand.happens("the delivery") { if case .added(_, alerted: true) = $0 { true } else { false } }
        #expect(stand.allSealed.count == 1)
    }

    @Test("If an extension rejects the session, forwarding ends and the reason is recorded", .covers("S1"))
    func rejected() async throws {
        for (rejectsSecurity, name) in [(true, "security"), (false, "transport")] {
            let stand = try await DeliveryStand()
            stand.script.state.withLock {
                $0.rejectsSecurity = rejectsSecurity
                if !rejectsSecurity { $0.rejectedTransports = [.bluetooth] }
            }
            try await stand.allow()
            try await stand.happens("the end") { event in
                if case .sessionEnded(let why) = event { why.contains("the \(name) extension rejected") } else { false }
            }
            stand.post("Kim")
            #expect(stand.allSealed.isEmpty)
        }
    }

    @Test("After an extension has ended the session, the next notification starts a new one and arrives", .covers("S1"))
    func begunAnew() async throws {
        let stand = try await DeliveryStand()
        _ = try await stand.ready()
        try await stand.securitySession().cancel(error: nil)
        try await stand.happens("the end") { if case .sessionEnded = $0 { true } else { false } }
        let place = stand.script.events.count
        stand.post("Kim")
        let session = try await stand.securitySession(from: place)
        let secret = try await stand.exchangeSecrets(of: session).host
        #expect(try text(try await stand.sealed(from: place), secret) == "Kim")
    }

    @Test("A missing extension or entitlement, or a wrong extension point, is an error without a prompt")
    func unavailableExtensions() async throws {
        for (stand, missing) in [
            (try await DeliveryStand(AppWithoutTransport.self), "AccessoryTransportAppExtension"),
            (try await DeliveryStand(AppWithoutEntitlements.self), "com.apple.developer.accessory-data-provider"),
        ] {
            let error = await #expect(throws: ForwardingError.self) { try await stand.allow() }
            #expect("\(try #require(error))".contains(missing))
            #expect(stand.phone.shownScreens.isEmpty)
        }
        let misbound = try await DeliveryStand(MisboundApp.self)
        try await misbound.allow()
        try await misbound.happens("the end") { event in
            if case .sessionEnded(let why) = event { why.contains("com.example.elsewhere") } else { false }
        }
    }

    @Test("An accessory that is not set up is an error; closing the prompt makes no decision", .covers("N1"))
    func notSetUp() async throws {
        let stand = try await DeliveryStand()
        await #expect(throws: ForwardingError.notSetUp) {
            try await stand.phone.notifications.requestForwarding(to: UUID(), by: stand.app)
        }
        stand.phone.person.will(.cancel)
        #expect(
            try await stand.phone.notifications.requestForwarding(to: stand.peripheral, by: stand.app) == .undetermined)
    }

    @Test(
        "Other transports with P-256, wrong keys and wrong key types are refused; the session continues",
        .covers("S3"))
    func refusedKeys() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let session = try await stand.securitySession()
        let good = P256.KeyAgreement.PrivateKey().publicKey.rawRepresentation
        func refuses(
            _ key: Data, _ type: SecurityMessage.KeyType = .publicKey, _ suite: SecurityMessage.CipherSuite = .p256,
            _ transports: [AccessoryTransport] = [.bluetooth], because reason: String
        ) {
            #expect(throws: AccessorySecuritySession.Error.unsupported) {
                try session.sendSecurityMessage(
                    SecurityMessage(
                        keyType: type, cipherSuite: suite, version: .version1, key: key,
                        supportedTransports: transports))
            }
            guard case .exchangeFailed(let why) = stand.phone.notifications.events.events.last?.kind else {
                Issue.record("no reason for \(reason)")
                return
            }
            #expect(why.contains(reason))
        }
        for count in [0, 64, 1215, 1217] {
            refuses(Data(repeating: 4, count: count), .publicKey, .xWing, because: "X-Wing, 1216 bytes")
        }
        refuses(Data(count: 1216), .publicKey, .xWing, because: "is not a key of X-Wing")
        refuses(Data(repeating: 0xFF, count: 1216), .publicKey, .xWing, because: "is not a key of X-Wing")
        refuses(good, .publicKey, .p256, [.bluetooth, .localNetwork], because: "need the cipher suite xWing")
        refuses(good, .publicKey, .p256, [.internet], because: "need the cipher suite xWing")
        refuses(good, .publicKey, .p256, [], because: "no transport")
        refuses(good, .encapsulatedKey, because: "an extension sends public keys")
        for count in [0, 32, 63, 65, 1216] { refuses(Data(repeating: 4, count: count), because: "64 bytes") }
        refuses(Data(count: 64), because: "is not a key of P-256")
        let secret = try await stand.exchangeKeys()
        stand.post("Kim")
        #expect(try text(try await stand.sealed(), secret) == "Kim")
    }

    @Test(
        "An encapsulated key that the extension cannot deliver is retried; then the exchange fails",
        .covers("S2"))
    func encapsulatedKeyFails() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        stand.script.state.withLock { $0.security = [.say(.failure(.transportFailed))] }
        let secret = try await stand.exchangeKeys()
        try await stand.happens("keys") { $0 == .keysExchanged(.p256) }
        #expect(stand.clock.pauses == [.milliseconds(500)])
        stand.post("Kim")
        #expect(try text(try await stand.sealed(), secret) == "Kim")
        stand.script.state.withLock { $0.security = [.say(.failure(.transportUnavailable))] }
        _ = try await stand.exchangeKeys()
        try await stand.happens("the failure") { if case .exchangeFailed = $0 { true } else { false } }
        let place = stand.script.events.count
        stand.post("Lee")
        let later = try await stand.exchangeKeys()
        #expect(try text(try await stand.sealed(from: place), later) == "Lee", "the notification waited for new keys")
    }

    @Test(
        "Removing the accessory, revoking the permission or ending the app ends the session and its keys", .covers("N6")
    )
    func ends() async throws {
        for end in [
            { (stand: DeliveryStand) in
                let record = stand.phone.store.accessories(of: "com.example.dice")[0]
                stand.phone.store.remove(record.id, from: "com.example.dice")
            },
            { stand in
                let record = stand.phone.store.accessories(of: "com.example.dice")[0]
                stand.phone.notifications.decide(.none, for: record.id, of: "com.example.dice")
            },
            { stand in stand.phone.terminateApp() },
        ] {
            let stand = try await DeliveryStand()
            try await stand.allow()
            _ = try await stand.exchangeKeys()
            end(stand)
            for name in ["provider", "security", "bluetooth"] {
                _ = try await stand.script.next("the end of \(name)") { event in
                    if case .invalidated(name) = event { true } else { nil }
                }
            }
            stand.post("Kim")
            #expect(stand.allSealed.isEmpty)
            let session = try await stand.securitySession()
            #expect(throws: AccessorySecuritySession.Error.invalidated) {
                try session.sendSecurityMessage(
                    SecurityMessage(keyType: .publicKey, cipherSuite: .p256, version: .version1, key: Data()))
            }
        }
    }

    @Test("Removal of an accessory waits one second for an extension that does not release it", .covers("N6"))
    func keepsBluetooth() async throws {
        let stand = try await DeliveryStand()
        stand.script.state.withLock { $0.holdsBluetooth = true }
        try await stand.allow()
        _ = try await stand.exchangeKeys()
        stand.phone.person.will(.removeInSettings("Die 7"))
        _ = try await stand.phone.log.first(within: .seconds(300), waitingFor: "the removal") {
            if case .authorization(let what) = $0.kind { what.contains("no longer has") } else { false }
        }
        #expect(stand.clock.pauses == [stand.phone.policy.extensionShutdownLimit])
        try await stand.happens("the end") { $0 == .sessionEnded("the accessory was removed") }
    }

    @Test("A session that only an extension holds is not reported as a retain cycle of the app", .covers("E3"))
    func leftSession() async throws {
        let stand = try await DeliveryStand()
        stand.script.state.withLock { $0.leavesSession = true }
        try await stand.allow()
        _ = try await stand.script.next("the session to be active") { event in
            if case .accessories = event { true } else { nil }
        }
        stand.phone.terminateApp()
        #expect(!stand.phone.log.events.contains { if case .warning = $0.kind { true } else { false } })
    }

    @Test("A notification that may not alert is added without an alert", .covers("N3", "N4"))
    func silent() async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        _ = try await stand.exchangeKeys()
        stand.phone.notifications.post(PhoneNotification(app: "com.example.chat", title: "Kim", canAlert: false))
        try await stand.happens("the notification without an alert") {
            if case .added(_, alerted: false) = $0 { true } else { false }
        }
    }
}
