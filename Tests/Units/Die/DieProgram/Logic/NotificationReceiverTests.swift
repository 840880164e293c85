import CryptoKit
import DieProtocol
import FoundationEssentials
import TestSupport
import Testing

@testable import DieProgram

@Suite struct NotificationReceiverTests {
    private let kim = NotificationContent(
        identifier: .init(source: "com.example.chat", notification: "1"), sourceName: "Chat", title: "Kim",
        body: "Dinner at 8?", alerts: true)

    @Test(
        "After the exchange, a sealed notification is opened and shown", .covers("S2", "S4"), arguments: [23, 185, 517])
    func shown(mtu: Int) throws {
        var die = TestDie(mtu: mtu)
        let phone = try die.exchangeKeys()
        let actions = try die.deliver(phone.sealed(.add(kim)), number: 9)
        #expect(actions.contains(.screen([kim])))
        #expect(actions.contains(.alert(kim)))
        #expect(receipts(in: actions) == [.receipt(number: 9, .accepted)])
    }

    @Test("The screen shows added, updated and removed notifications correctly", .covers("N3"))
    func screen() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        var changed = kim
        changed.body = "Dinner at 9?"
        changed.alerts = false
        let lee = NotificationContent(identifier: .init(source: "com.example.mail", notification: "7"), title: "Lee")
        for (update, screen) in [
            (.add(kim), [kim]), (.add(lee), [kim, lee]), (.update(changed), [changed, lee]), (.add(kim), [kim, lee]),
            (.remove(kim.identifier), [lee]), (.update(kim), [lee]), (.removeAll, []),
        ] as [(NotificationUpdate, [NotificationContent])] {
            _ = try die.deliver(phone.sealed(update))
            #expect(die.receiver.screen == screen, "after \(update)")
        }
    }

    @Test("A repeated message is ignored, and its receipt says so", .covers("S7"))
    func replay() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        let sealed = try phone.sealed(.add(kim))
        _ = try die.deliver(sealed)
        _ = try die.deliver(phone.sealed(.removeAll))
        let actions = try die.deliver(sealed, number: 3)
        #expect(receipts(in: actions) == [.receipt(number: 3, .repeated)])
        #expect(die.receiver.screen.isEmpty)
        let other = try die.exchangeKeys()
        #expect(receipts(in: try die.deliver(sealed)) == [.receipt(number: 1, .notOpened)], "under older keys")
        #expect(receipts(in: try die.deliver(other.sealed(.add(kim)))) == [.receipt(number: 1, .noKeys)])
    }

    @Test("An encapsulated key that was accepted before brings no old keys back", .covers("S7"))
    func oldEncapsulatedKey() throws {
        var die = TestDie()
        let request = KeyExchangeMessage.keyRequest(.p256, .version1, identifier: ScriptedPhone.identifier)
        let key = try #require(publicKey(in: try die.receive(request)))
        let (first, second) = (try ScriptedPhone(publicKey: key), try ScriptedPhone(publicKey: key))
        #expect(securityMessages(in: try die.receive(first.encapsulatedKeyMessage)) == [.result(.keysReady)])
        let recorded = try first.sealed(.add(kim))
        #expect(receipts(in: try die.deliver(recorded)) == [.receipt(number: 1, .accepted)])
        _ = try die.deliver(first.sealed(.removeAll))
        #expect(securityMessages(in: try die.receive(second.encapsulatedKeyMessage)) == [.result(.keysReady)])

        #expect(securityMessages(in: try die.receive(first.encapsulatedKeyMessage)) == [.result(.badKey)])
        #expect(receipts(in: try die.deliver(second.sealed(.removeAll))) == [.receipt(number: 1, .accepted)])
        #expect(receipts(in: try die.deliver(recorded)) == [.receipt(number: 1, .notOpened)])
        #expect(die.receiver.screen.isEmpty)
    }

    @Test("A key pair is given up after as many answers as the die remembers", .covers("S7"))
    func manyEncapsulatedKeys() throws {
        var die = TestDie()
        let request = KeyExchangeMessage.keyRequest(.p256, .version1, identifier: ScriptedPhone.identifier)
        let key = try #require(publicKey(in: try die.receive(request)))
        for _ in 0..<AccessoryKeys.answersPerKeyPair {
            let phone = try ScriptedPhone(publicKey: key)
            #expect(securityMessages(in: try die.receive(phone.encapsulatedKeyMessage)) == [.result(.keysReady)])
        }
        let last = try ScriptedPhone(publicKey: key)
        #expect(securityMessages(in: try die.receive(last.encapsulatedKeyMessage)) == [.result(.noKeyPair)])
        let phone = try die.exchangeKeys()
        #expect(receipts(in: try die.deliver(phone.sealed(.add(kim)))) == [.receipt(number: 1, .accepted)])
    }

    @Test(
        "A receipt that the phone does not wait for is sent when it asks; failures are sent at once", .covers("T1"))
    func quiet() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        func ask() throws -> [NotificationMessage] {
            let segments = try GATTFraming.split(NotificationMessage.question.encoded, segmentLength: die.mtu - 3)
            return receipts(in: segments.flatMap { die.receiver.receiveNotification($0, mtu: die.mtu) })
        }
        #expect(try ask() == [.receipt(number: 0, .outOfOrder)], "nothing has arrived yet")
        let number = 1 | DeliveryNumbering.isQuiet
        let sealed = try phone.sealed(.add(kim))
        #expect(receipts(in: try die.deliver(sealed, number: number)) == [])
        #expect(die.receiver.screen == [kim])
        #expect(try ask() == [.receipt(number: number, .accepted)])
        #expect(receipts(in: try die.deliver(sealed, number: number)) == [.receipt(number: number, .repeated)])
        #expect(try ask() == [.receipt(number: number, .repeated)], "again")
        let gap = 5 | DeliveryNumbering.follows
        #expect(receipts(in: try die.deliver(sealed, number: gap)) == [.receipt(number: gap, .outOfOrder)])
        #expect(try ask() == [.receipt(number: number, .repeated)], "that delivery was not accepted")
        #expect(die.receiver.forgetPhone() == [.screen([])], "its next owner sees nothing of this one's")
        #expect(die.receiver.forgetPhone().isEmpty)
        #expect(receipts(in: try die.deliver(sealed, number: number)) == [.receipt(number: number, .noKeys)])
        #expect(try ask() == [.receipt(number: number, .noKeys)])
        die.receiver.linkChanged()
        #expect(try ask() == [.receipt(number: 0, .outOfOrder)], "nothing has arrived over this link")
    }

    @Test("A delivery after a lost one is not opened until the lost one has arrived", .covers("N3"))
    func gap() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        var second = kim
        second.body = "Dinner at 9?"
        let (first, then) = (try phone.sealed(.add(kim)), try phone.sealed(.add(second)))
        let number = 2 | DeliveryNumbering.follows
        #expect(receipts(in: try die.deliver(then, number: number)) == [.receipt(number: number, .outOfOrder)])
        #expect(die.receiver.screen.isEmpty)
        _ = try die.deliver(first, number: 3)
        let after = 4 | DeliveryNumbering.follows
        #expect(receipts(in: try die.deliver(then, number: after)) == [.receipt(number: after, .accepted)])
        #expect(die.receiver.screen == [second])
        die.receiver.linkChanged()
        let next = 5 | DeliveryNumbering.follows
        #expect(receipts(in: try die.deliver(then, number: next)) == [.receipt(number: next, .outOfOrder)])
    }

    @Test(
        "If a message is changed, cut or sealed with other keys, the keys are forgotten and a new exchange starts",
        .covers("S5"))
    func notOpened() throws {
        let strange = try ScriptedPhone(publicKey: P256.KeyAgreement.PrivateKey().publicKey.rawRepresentation)
        let alterations: [(Data) throws -> Data] = [
            { $0.dropLast() }, { $0.prefix(27) }, { _ in Data() }, { $0.dropLast() + [$0.last! ^ 1] },
            { Data([$0.first! ^ 1]) + $0.dropFirst() }, { _ in try strange.sealed(.add(self.kim)) },
        ]
        for alter in alterations {
            var die = TestDie()
            let phone = try die.exchangeKeys()
            let actions = try die.deliver(alter(phone.sealed(.add(kim))), number: 5)
            #expect(receipts(in: actions) == [.receipt(number: 5, .notOpened)])
            #expect(die.receiver.screen.isEmpty)
            let fresh = try ScriptedPhone(publicKey: #require(publicKey(in: actions)))
            #expect(securityMessages(in: try die.receive(fresh.encapsulatedKeyMessage)) == [.result(.keysReady)])
            _ = try die.deliver(fresh.sealed(.add(kim)))
            #expect(die.receiver.screen == [kim])
        }
    }

    @Test("A message before any exchange starts one")
    func noKeys() throws {
        var die = TestDie()
        let actions = try die.deliver(Data(count: 40))
        #expect(receipts(in: actions) == [.receipt(number: 1, .noKeys)])
        #expect(publicKey(in: actions)?.count == 1216, "of its best suite")
    }

    @Test(
        "Encapsulated keys of a wrong length, off the curve, unrequested or of another suite are refused, not a repeated one"
    )
    func encapsulatedKeys() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        #expect(securityMessages(in: try die.receive(phone.encapsulatedKeyMessage)) == [.result(.keysReady)])
        #expect(receipts(in: try die.deliver(phone.sealed(.add(kim)))) == [.receipt(number: 1, .accepted)])

        func answer(_ key: Data, _ suite: KeyExchangeMessage.CipherSuite = .p256) throws -> [KeyExchangeMessage] {
            _ = try die.receive(.keyRequest(.p256, .version1, identifier: "x"))
            return securityMessages(
                in: try die.receive(.encapsulatedKey(suite, .version1, identifier: "x", key: key)))
        }
        for key in [Data(), phone.encapsulatedKey.dropLast(), phone.encapsulatedKey + [0], Data(count: 65)] {
            #expect(try answer(key) == [.result(.badKey)])
        }
        #expect(try answer(Data(count: 1120), .xWing) == [.result(.noKeyPair)], "the key pair is for P-256")
        var fresh = TestDie()
        #expect(securityMessages(in: try fresh.receive(phone.encapsulatedKeyMessage)) == [.result(.noKeyPair)])
        fresh.receiver.suites = [.p256]
        #expect(
            securityMessages(in: try fresh.receive(.keyRequest(.xWing, .version1, identifier: "x")))
                == [.result(.unsupportedSuite)])
    }

    @Test("With X-Wing, the same works for every length of segments", arguments: [23, 185, 517])
    func xWing(mtu: Int) throws {
        var die = TestDie(mtu: mtu)
        let key = try #require(publicKey(in: try die.receive(.keyRequest(.xWing, .version1, identifier: "x"))))
        #expect(key.count == 1216)
        let info = "XWing-Version1-\(ScriptedPhone.identifier)"
        let sender = try HPKE.Sender(
            recipientKey: XWingMLKEM768X25519.PublicKey(rawRepresentation: key),
            ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: Data(info.utf8))
        func accept(_ key: Data) throws -> [KeyExchangeMessage] {
            securityMessages(
                in: try die.receive(
                    .encapsulatedKey(.xWing, .version1, identifier: ScriptedPhone.identifier, key: key)))
        }
        for bad in [Data(), Data(count: 65), sender.encapsulatedKey.dropLast(), sender.encapsulatedKey.dropLast(32)] {
            #expect(try accept(bad) == [.result(.badKey)])
        }
        #expect(try accept(sender.encapsulatedKey) == [.result(.keysReady)])
        let secret = try sender.exportSecret(
            context: Data("\(info)-HostToAccessory-\(ScriptedPhone.session.uuidString)".utf8), outputByteCount: 32)
        let sealed = try #require(try AES.GCM.seal(NotificationUpdate.add(kim).encoded(), using: secret).combined)
        #expect(receipts(in: try die.deliver(sealed)) == [.receipt(number: 1, .accepted)])
        #expect(die.receiver.screen == [kim])
    }

    @Test("Content that cannot be parsed and garbage are refused, and leave screen and keys unchanged")
    func garbage() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        _ = try die.deliver(phone.sealed(.add(kim)))
        let nonsense = try #require(try AES.GCM.seal(Data("Kim".utf8), using: phone.secret).combined)
        #expect(receipts(in: try die.deliver(nonsense)) == [.receipt(number: 1, .malformedContent)])
        #expect(securityMessages(in: try die.receiveSecurity(Data([99]))) == [.result(.malformed)])
        #expect(securityMessages(in: die.receiver.receiveSecurity(Data([0xFF, 0]), mtu: 23)) == [.result(.malformed)])
        guard case .refused = die.receiver.receiveNotification(Data([0xFF, 0]), mtu: 23).first else {
            Issue.record("garbage was not refused")
            return
        }
        #expect(die.receiver.screen == [kim])
        #expect(receipts(in: try die.deliver(phone.sealed(.removeAll))) == [.receipt(number: 1, .accepted)])
    }

    @Test("A message that a lost link cut off is not joined with bytes of the next link")
    func linkLost() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        let message = NotificationMessage.delivery(
            number: 1, session: ScriptedPhone.session, sealed: try phone.sealed(.add(kim)))
        let segments = try GATTFraming.split(message.encoded, segmentLength: 20)
        for segment in segments.dropLast() { #expect(die.receiver.receiveNotification(segment, mtu: 23).isEmpty) }
        die.receiver.linkChanged()
        #expect(die.receiver.receiveNotification(segments.last!, mtu: 23).count == 1)
        #expect(die.receiver.screen.isEmpty)
        #expect(receipts(in: try die.deliver(phone.sealed(.add(kim)))) == [.receipt(number: 1, .accepted)])
    }

    @Test(
        "The die seals its messages in the session of the last delivery, and never repeats a nonce",
        .covers("N5", "S4", "S7"))
    func wayBack() throws {
        var die = TestDie()
        let phone = try die.exchangeKeys()
        _ = try die.deliver(phone.sealed(.add(kim)))
        var nonces: Set<Data> = []
        for text in ["", "yes", String(repeating: "x", count: 300)] {
            let sent = receipts(in: die.receiver.send(Data(text.utf8), mtu: 23))
            guard case .message(ScriptedPhone.session, let sealed)? = sent.first, sent.count == 1 else {
                Issue.record("\(sent)")
                return
            }
            let plaintext = try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: phone.wayBack)
            #expect(plaintext == Data(text.utf8))
            #expect(nonces.insert(sealed.prefix(12)).inserted)
        }
        let named = receipts(in: die.receiver.send(Data("yes".utf8), session: UUID(), mtu: 23))
        guard case .message(let other, _)? = named.first else {
            Issue.record("\(named)")
            return
        }
        #expect(other != ScriptedPhone.session)
    }

    @Test("A message is refused if it is too long, or there are no keys or no session")
    func wayBackRefusals() throws {
        var die = TestDie()
        guard case .refused(let why)? = die.receiver.send(Data(), mtu: 23).first else {
            Issue.record("not refused")
            return
        }
        #expect(why.contains("no delivery"))
        let started = die.receiver.send(Data(), session: ScriptedPhone.session, mtu: 23)
        #expect(publicKey(in: started)?.count == 1216, "an exchange begins")
        let phone = try die.exchangeKeys()
        _ = try die.deliver(phone.sealed(.add(kim)))
        let long = die.receiver.send(Data(count: GATTFraming.maximumContentLength + 1), mtu: 517)
        guard case .refused(let why)? = long.first, long.count == 1 else {
            Issue.record("not refused")
            return
        }
        #expect(why.contains("1048577 bytes"))
        #expect(receipts(in: die.receiver.send(Data(count: GATTFraming.maximumContentLength), mtu: 517)).count == 1)
    }
}
