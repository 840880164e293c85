import CryptoKit
import DieProtocol
import FoundationEssentials
import MessageSealing
import TestSupport
import Testing

@testable import DieProgram

/// A phone that sends nonsense, too much, something twice or nothing: the die reports it, and continues afterwards.
@Suite struct BadPhoneTests {
    private let kim = NotificationContent(identifier: .init(source: "chat", notification: "1"), title: "Kim")

    /// Exchanges keys and shows a notification, whatever happened before.
    private func isUsable(_ die: inout TestDie) throws {
        let phone = try die.exchangeKeys()
        _ = try die.deliver(phone.sealed(.add(kim)))
        #expect(die.receiver.screen == [kim])
        _ = try die.deliver(phone.sealed(.removeAll))
    }

    @Test("Incomplete and changed messages of an exchange are answered, and the next exchange succeeds")
    func exchange() throws {
        var die = TestDie(mtu: 185)
        let request = try KeyExchangeMessage.keyRequest(.p256, .version1, identifier: "AB").encoded()
        let phone = try die.exchangeKeys()
        for message in [request, try phone.encapsulatedKeyMessage.encoded()] {
            for count in 1..<message.count {
                let answers = securityMessages(in: try die.receiveSecurity(message.prefix(count)))
                #expect(answers == [.result(.malformed)], "cut to \(count)")
            }
            #expect(securityMessages(in: try die.receiveSecurity(message + [0])) == [.result(.malformed)])
            for bit in 0..<message.count * 8 {
                var altered = message
                altered[bit / 8] ^= 1 << UInt8(bit % 8)
                #expect(!securityMessages(in: try die.receiveSecurity(altered)).isEmpty, "bit \(bit)")
            }
        }
        try isUsable(&die)
    }

    @Test("An encapsulated key with a changed bit is not valid for P-256, and the old keys stay", .covers("S2"))
    func p256Bits() throws {
        var die = TestDie(mtu: 517)
        let phone = try die.exchangeKeys()
        for bit in 0..<65 * 8 {
            var key = phone.encapsulatedKey
            key[bit / 8] ^= 1 << UInt8(bit % 8)
            let answer = securityMessages(
                in: try die.receive(.encapsulatedKey(.p256, .version1, identifier: ScriptedPhone.identifier, key: key)))
            #expect(answer == [.result(.badKey)], "bit \(bit)")
        }
        #expect(receipts(in: try die.deliver(phone.sealed(.add(kim)))) == [.receipt(number: 1, .accepted)])
    }

    @Test(
        "An X-Wing key with a changed bit gives other secrets: the next message starts a new exchange", .covers("S5")
    )
    func xWingBits() throws {
        for place in [0, 500, 1087, 1088, 1119] {
            var die = TestDie(mtu: 517)
            let request = KeyExchangeMessage.keyRequest(.xWing, .version1, identifier: ScriptedPhone.identifier)
            let key = try #require(publicKey(in: try die.receive(request)))
            let info = "XWing-Version1-\(ScriptedPhone.identifier)"
            let sender = try HPKE.Sender(
                recipientKey: XWingMLKEM768X25519.PublicKey(rawRepresentation: key),
                ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data(info.utf8))
            var encapsulated = sender.encapsulatedKey
            encapsulated[place] ^= 1
            let message = KeyExchangeMessage.encapsulatedKey(
                .xWing, .version1, identifier: ScriptedPhone.identifier, key: encapsulated)
            #expect(securityMessages(in: try die.receive(message)) == [.result(.keysReady)])
            let secret = try sender.exportSecret(
                context: Data("\(info)-HostToAccessory-\(ScriptedPhone.session.uuidString)".utf8), outputByteCount: 32)
            let sealed = try #require(try AES.GCM.seal(NotificationUpdate.add(kim).encoded(), using: secret).combined)
            let actions = try die.deliver(sealed)
            #expect(receipts(in: actions) == [.receipt(number: 1, .notOpened)])
            #expect(publicKey(in: actions)?.count == 1216)
            try isUsable(&die)
        }
    }

    @Test(
        "Incomplete and changed deliveries are refused and not shown, and the next exchange succeeds",
        .covers("S5"))
    func deliveries() throws {
        var die = TestDie(mtu: 517)
        var phone = try die.exchangeKeys()
        let sealed = try phone.sealed(.add(kim))
        let delivery = NotificationMessage.delivery(number: 5, session: ScriptedPhone.session, sealed: sealed).encoded
        func altered(_ message: Data) throws {
            for segment in try GATTFraming.split(message, segmentLength: 512) {
                _ = die.receiver.receiveNotification(segment, mtu: 517)
            }
            #expect(die.receiver.screen.isEmpty)
        }
        for count in stride(from: 1, to: delivery.count, by: 3) { try altered(delivery.prefix(count)) }
        for bit in stride(from: 0, to: delivery.count * 8, by: 5) {
            // The phone chooses the number. The rest of the message is unchanged.
            if (8..<40).contains(bit) { continue }
            var message = delivery
            message[bit / 8] ^= 1 << UInt8(bit % 8)
            try altered(message)
        }
        phone = try die.exchangeKeys()
        #expect(receipts(in: try die.deliver(phone.sealed(.add(kim)))) == [.receipt(number: 1, .accepted)])
    }

    @Test(
        "A phone that asks and never answers, asks a thousand times, or answers twice leaves the die usable",
        .covers("S2"))
    func floods() throws {
        var die = TestDie(mtu: 517)
        for _ in 0..<1000 {
            let request = KeyExchangeMessage.keyRequest(.p256, .version1, identifier: "x")
            #expect(publicKey(in: try die.receive(request))?.count == 64)
        }
        let phone = try die.exchangeKeys()
        for _ in 0..<3 {
            #expect(securityMessages(in: try die.receive(phone.encapsulatedKeyMessage)) == [.result(.keysReady)])
        }
        let sealed = try phone.sealed(.add(kim))
        _ = try die.deliver(sealed)
        for number in 2..<1000 {
            #expect(
                receipts(in: try die.deliver(sealed, number: UInt32(number))) == [
                    .receipt(number: UInt32(number), .repeated)
                ])
        }
        for _ in 0..<1000 { _ = die.receiver.receiveNotification(Data([0x11, 0, 0, 0, 16, 0, 1]), mtu: 517) }
        try isUsable(&die)
    }

    @Test("More sessions than a phone has are not stored: the die asks for new keys", .covers("S7"))
    func sessions() throws {
        var die = TestDie(mtu: 517)
        let phone = try die.exchangeKeys()
        var outcomes: [NotificationMessage] = []
        for number in 0..<17 {
            let session = UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            let sealed = try phone.sealed(.add(kim), session: session)
            outcomes += receipts(in: try die.deliver(sealed, number: UInt32(number), session: session))
        }
        #expect(outcomes.prefix(16).allSatisfy { if case .receipt(_, .accepted) = $0 { true } else { false } })
        #expect(outcomes.last == .receipt(number: 16, .noKeys))
    }
}

/// The same receiver over a network: complete messages, and the ratchet over the internet.
@Suite struct NetworkReceiverTests {
    private let kim = NotificationContent(identifier: .init(source: "chat", notification: "1"), title: "Kim")

    private func deliver(
        _ sealed: Data, _ die: inout TestDie, isInternet: Bool, number: UInt32 = 1
    ) -> [NotificationReceiver.Action] {
        let message = NotificationMessage.delivery(number: number, session: ScriptedPhone.session, sealed: sealed)
        return die.receiver.receiveNotification(overNetwork: message.encoded, isInternet: isInternet)
    }

    @Test("The same bytes over Bluetooth and then over the local network are shown once", .covers("T2", "S7"))
    func repeated() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        let sealed = try phone.sealed(.add(kim))
        _ = try die.deliver(sealed)
        let actions = deliver(sealed, &die, isInternet: false, number: 2)
        #expect(actions.contains(.answer(.receipt(number: 2, .repeated))))
        #expect(!actions.contains { if case .screen = $0 { true } else { false } })
        let other = deliver(try phone.sealed(.removeAll), &die, isInternet: false, number: 3)
        #expect(other.first == .answer(.receipt(number: 3, .accepted)))
        guard
            case .answer(.message(ScriptedPhone.session, let back))? = die.receiver.send(
                overNetwork: Data("yes".utf8), isInternet: false
            ).first
        else {
            Issue.record("nothing sent")
            return
        }
        #expect(try AES.GCM.open(AES.GCM.SealedBox(combined: back), using: phone.wayBack) == Data("yes".utf8))
    }

    @Test("Over the internet, each message has its own key, in any order, in both directions", .covers("S4", "S7"))
    func internet() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        var sender = try phone.internet
        let messages = try (0..<3).map { number in
            try #require(
                try sender.seal(
                    NotificationUpdate.add(
                        NotificationContent(
                            identifier: .init(source: "chat", notification: "\(number)"), title: "\(number)")
                    ).encoded()))
        }
        for number in [2, 0, 1] {
            let actions = deliver(messages[number], &die, isInternet: true)
            #expect(actions.first == .answer(.receipt(number: 1, .accepted)))
            #expect(deliver(messages[number], &die, isInternet: true).contains(.answer(.receipt(number: 1, .repeated))))
        }
        #expect(die.receiver.screen.map(\.title) == ["2", "0", "1"])
        var receiver = try phone.internetWayBack
        for text in ["yes", "no"] {
            guard
                case .answer(.message(ScriptedPhone.session, let sealed))? = die.receiver.send(
                    overNetwork: Data(text.utf8), isInternet: true
                ).first
            else {
                Issue.record("nothing sent")
                return
            }
            #expect(receiver.open(sealed) == .plaintext(Data(text.utf8)))
        }
    }

    @Test("A message that does not open is answered over its network; the exchange waits for Bluetooth", .covers("S5"))
    func notOpened() throws {
        for isInternet in [false, true] {
            var die = TestDie()
            _ = try die.exchangeKeys()
            let actions = deliver(Data(count: 60), &die, isInternet: isInternet, number: 4)
            #expect(actions.contains(.answer(.receipt(number: 4, .notOpened))))
            die.receiver.linkChanged()
            #expect(publicKey(in: die.receiver.securitySubscribed()) != nil)
            _ = try die.exchangeKeys()
            #expect(die.receiver.securitySubscribed().isEmpty, "no exchange is due any more")
        }
        var die = TestDie()
        #expect(deliver(Data(count: 60), &die, isInternet: true).contains(.answer(.receipt(number: 1, .noKeys))))
    }

    @Test("The public key lists the die's transports, but only with X-Wing", .covers("S3"))
    func transports() throws {
        var die = TestDie()
        die.receiver.transports = [.localNetwork, .internet]
        for (suite, expected) in [
            (.xWing, [.bluetooth, .localNetwork, .internet]), (.p256, .bluetooth),
        ] as [(KeyExchangeMessage.CipherSuite, KeyExchangeMessage.Transports)] {
            let sent = securityMessages(in: try die.receive(.keyRequest(suite, .version1, identifier: "x")))
            guard case .publicKey(suite, _, let named, _, _)? = sent.first else {
                Issue.record("\(sent)")
                return
            }
            #expect(named == expected)
        }
    }

    @Test("A die shows each configured fault once, in order, and then works correctly")
    func misbehaviour() throws {
        var die = TestDie(mtu: 517)
        die.receiver.misbehaviour = DieConfiguration.Misbehaviour.allCases
        let request = KeyExchangeMessage.keyRequest(.p256, .version1, identifier: ScriptedPhone.identifier)
        func offer() throws -> Data {
            try #require(messages(in: try die.receive(request), on: DieGATT.security).first)
        }
        #expect(throws: DieProtocolError.self) { try KeyExchangeMessage(decoding: try offer()) }
        let short = try KeyExchangeMessage(decoding: try offer())
        guard case .publicKey(.p256, .version1, .bluetooth, identifier: nil, let key) = short, key.count == 48 else {
            Issue.record("\(short)")
            return
        }
        let other = try die.exchangeKeys()
        #expect(receipts(in: try die.deliver(other.sealed(.add(kim)))) == [.receipt(number: 1, .notOpened)])
        // This has already started the next exchange.
        #expect(die.receiver.misbehaviour == [.repeatsMessage])
        let phone = try die.exchangeKeys()
        #expect(receipts(in: try die.deliver(phone.sealed(.add(kim)))) == [.receipt(number: 1, .accepted)])
        for count in [2, 1] {
            let sent = receipts(in: die.receiver.send(Data("eight".utf8), mtu: 517))
            #expect(sent.count == count && Set(sent).count == 1)
        }
    }
}
