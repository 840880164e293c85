import CryptoKit
import DieProgram
import DieProtocol
import Foundation
import MessageSealing
import StubRig
import Testing

@testable import HILPhone

/// Broken bytes for every reader of notifications, on the die and on the phone.
@Suite struct NotificationFuzzTests {
    private static let session = UUID(uuidString: "7C0F6A52-9C7E-4A0E-8A43-3D5B0A0F1B11")!
    private static let identifier = "0A1B2C3D-0000-4000-8000-00000000D1CE"

    private static let exchange: [KeyExchangeMessage] = [
        .keyRequest(.p256, .version1, identifier: identifier), .keyRequest(.xWing, .version1, identifier: "x"),
        .publicKey(.p256, .version1, [.bluetooth], identifier: nil, key: Data(repeating: 4, count: 64)),
        .encapsulatedKey(.p256, .version1, identifier: identifier, key: Data(repeating: 4, count: 65)),
        .result(.keysReady),
    ]
    private static let messages: [NotificationMessage] = [
        .delivery(number: 7, session: session, sealed: Data(count: 60)), .receipt(number: 7, .accepted),
        .message(session: session, sealed: Data(count: 30)),
    ]

    @Test("A joiner of fragments keeps no more bytes than it was sent, and joins the next whole message")
    func joiner() async throws {
        var corpus: [[UInt8]] = []
        for count in [1, 14, 15, 200] {
            corpus += try GATTFraming.split(Data(repeating: 9, count: count), segmentLength: 20).map { Array($0) }
        }
        let good = try GATTFraming.split(Data(1...50), segmentLength: 20)
        var joiner = GATTFraming.Joiner()
        await Fuzzer(corpus: corpus).run("the joiner of segments") { bytes, numbers in
            var received = joiner.pendingByteCount
            inPieces(bytes, &numbers) { segment in
                received += segment.count
                _ = try? joiner.join(Data(segment))
            }
            guard joiner.pendingByteCount <= received else { throw Fuzzer.Finding("it keeps more than it was sent") }
            var joined: Data?
            for segment in good { joined = try joiner.join(segment) }
            guard joined == Data(1...50) else { throw Fuzzer.Finding("the next message was not joined") }
        }
    }

    @Test("Every accepted message is encoded to the same bytes")
    func decoders() async throws {
        let corpus = try Self.exchange.map { Array(try $0.encoded()) } + Self.messages.map { Array($0.encoded) }
        await Fuzzer(corpus: corpus).run("the decoders of messages") { bytes, _ in
            if let message = try? KeyExchangeMessage(decoding: Data(bytes)), try message.encoded() != Data(bytes) {
                throw Fuzzer.Finding("\(message) is written otherwise")
            }
            if let message = try? NotificationMessage(decoding: Data(bytes)), message.encoded != Data(bytes) {
                throw Fuzzer.Finding("\(message) is written otherwise")
            }
        }
    }

    @Test("After any bytes a die still exchanges keys and shows notifications")
    func receiver() async throws {
        let corpus = try Self.exchange.map { Array(try $0.encoded()) } + Self.messages.map { Array($0.encoded) }
        var receiver = NotificationReceiver()
        receiver.suites = [.p256]
        await Fuzzer(corpus: corpus).run("the die's receiver") { bytes, numbers in
            let segments = try GATTFraming.split(Data(bytes + [0]).prefix(4000), segmentLength: 100)
            for segment in segments.map({ Int.random(in: 0..<50, using: &numbers) == 0 ? $0.dropLast() : $0 }) {
                if Bool.random(using: &numbers) {
                    _ = receiver.receiveSecurity(Data(segment), mtu: 103)
                } else {
                    _ = receiver.receiveNotification(Data(segment), mtu: 103)
                }
            }
            _ = receiver.receiveNotification(overNetwork: Data(bytes), isInternet: Bool.random(using: &numbers))
            _ = receiver.send(Data(bytes.prefix(100)), mtu: 23)
            guard Int.random(in: 0..<10, using: &numbers) == 0 else { return }
            receiver.linkChanged()
            let content = NotificationContent(
                identifier: .init(source: "app", notification: "\(bytes.count)"), title: "\(bytes.count)")
            try Self.deliver(content, to: &receiver)
            guard receiver.screen.contains(content) else { throw Fuzzer.Finding("the die shows nothing any more") }
        }
    }

    /// A whole exchange, and one delivery.
    private static func deliver(_ content: NotificationContent, to receiver: inout NotificationReceiver) throws {
        func write(_ message: KeyExchangeMessage) throws -> KeyExchangeMessage? {
            var joiner = GATTFraming.Joiner()
            var answer: Data?
            for segment in try GATTFraming.split(message.encoded(), segmentLength: 500) {
                for case .notify(_, let back) in receiver.receiveSecurity(segment, mtu: 517) {
                    answer = try joiner.join(back)
                }
            }
            return try answer.map { try KeyExchangeMessage(decoding: $0) }
        }
        let answer = try write(.keyRequest(.p256, .version1, identifier: identifier))
        guard case .publicKey(_, _, _, _, let key)? = answer else { throw Fuzzer.Finding("no public key") }
        var keys = try phoneKeys(key)
        let ready = try write(.encapsulatedKey(.p256, .version1, identifier: identifier, key: keys.answer.key))
        guard ready == .result(.keysReady) else { throw Fuzzer.Finding("no keys: \(String(describing: ready))") }
        let sealed = try keys.seal(NotificationUpdate.add(content).encoded(), for: .bluetooth)
        let delivery = NotificationMessage.delivery(number: 1, session: session, sealed: sealed ?? Data())
        for segment in try GATTFraming.split(delivery.encoded, segmentLength: 500) {
            _ = receiver.receiveNotification(segment, mtu: 517)
        }
    }

    private static func phoneKeys(_ key: Data) throws -> PhoneKeys {
        try PhoneKeys(
            answering: SecurityMessage(
                keyType: .publicKey, cipherSuite: .p256, version: .version1, key: key, identifier: identifier),
            peripheral: UUID(), session: session)
    }

    @Test("The phone accepts no broken public key, and opens nothing that was not sealed for it")
    func phone() async throws {
        let pair = P256.KeyAgreement.PrivateKey()
        let good = pair.publicKey.rawRepresentation
        var keys = try Self.phoneKeys(good)
        await Fuzzer(corpus: [Array(good), Array(repeating: 0, count: 64)]).run("the phone's keys") { bytes, _ in
            let key = Data(bytes)
            if key.count != 64, (try? Self.phoneKeys(key)) != nil { throw Fuzzer.Finding("a key of a wrong length") }
            _ = try? Self.phoneKeys(key)
            for suite in [SecurityMessage.CipherSuite.p256, .xWing] {
                _ = try? PhoneKeys(
                    answering: SecurityMessage(keyType: .publicKey, cipherSuite: suite, version: .version1, key: key),
                    peripheral: UUID(), session: Self.session)
            }
            for transport in AccessoryTransport.allCases {
                if case .plaintext = keys.open(key, from: transport) {
                    throw Fuzzer.Finding("it opened over \(transport)")
                }
            }
        }
    }

    @Test("A ratchet opens each sealed message once and unchanged, with any bytes between")
    func ratchet() async throws {
        let key = SymmetricKey(size: .bits256)
        let identifier = Data([1, 2, 3, 4])
        var sender = RatchetSender(chainKey: key, keyIdentifier: identifier)
        var receiver = RatchetReceiver(chainKey: key, keyIdentifier: identifier, skippedLimit: 100)
        var corpusSender = sender
        let sealed = try (0..<20).map { try corpusSender.seal(Data("message \($0)".utf8)) ?? Data() }
        var number = 0
        await Fuzzer(corpus: sealed.map { Array($0) }).run("the ratchet") { bytes, _ in
            if case .plaintext(let text) = receiver.open(Data(bytes)), !sealed.contains(Data(bytes)) {
                throw Fuzzer.Finding("it opened “\(String(decoding: text, as: UTF8.self))”")
            }
            // Undamaged messages are among the first twenty; these come after them.
            let next = try sender.seal(Data("message \(number)".utf8)) ?? Data()
            number += 1
            guard number > 20 else { return }
            guard receiver.open(next) == .plaintext(Data("message \(number - 1)".utf8)) else {
                throw Fuzzer.Finding("the next message did not open")
            }
        }
    }
}
