import FoundationEssentials
import Testing

@testable import DieProtocol

/// Every format: its bytes, decoding, and the refusal of incomplete and extended messages.
@Suite struct MessageTests {
    private static let session = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!

    private func refusesOtherLengths<Value>(_ bytes: Data, _ decode: (Data) throws -> Value) {
        for count in 0..<bytes.count {
            #expect(throws: DieProtocolError.self, "cut to \(count)") { _ = try decode(bytes.prefix(count)) }
        }
        #expect(throws: DieProtocolError.self) { _ = try decode(bytes + [0]) }
    }

    @Test(arguments: [
        (KeyExchangeMessage.keyRequest(.p256, .version1, identifier: "AB"), [1, 1, 1, 2, 65, 66]),
        (.publicKey(.p256, .version1, .bluetooth, identifier: nil, key: Data([9, 8])), [2, 1, 1, 1, 0, 2, 0, 9, 8]),
        (
            .publicKey(.xWing, .version1, [.bluetooth, .internet], identifier: "A", key: Data([9])),
            [2, 2, 1, 5, 1, 65, 1, 0, 9]
        ),
        (.encapsulatedKey(.p256, .version1, identifier: "AB", key: Data([4])), [3, 1, 1, 2, 65, 66, 1, 0, 4]),
        (.result(.badKey), [4, 2]), (.end, [5]),
    ])
    func keyExchange(message: KeyExchangeMessage, bytes: [UInt8]) throws {
        #expect(try message.encoded() == Data(bytes))
        #expect(try KeyExchangeMessage(decoding: Data(bytes)) == message)
        refusesOtherLengths(Data(bytes)) { try KeyExchangeMessage(decoding: $0) }
    }

    @Test func keyExchangeRefusals() {
        for bytes: [UInt8] in [[0], [6], [5, 0], [1, 3, 1, 0], [1, 1, 2, 0], [1, 1, 1, 1, 0xFF], [4, 9]] {
            #expect(throws: DieProtocolError.self) { try KeyExchangeMessage(decoding: Data(bytes)) }
        }
        #expect(throws: DieProtocolError.self) {
            try KeyExchangeMessage.keyRequest(.p256, .version1, identifier: String(repeating: "x", count: 256))
                .encoded()
        }
    }

    @Test func notificationMessages() throws {
        let delivery = NotificationMessage.delivery(number: 0x0102_0304, session: Self.session, sealed: Data([1, 2]))
        let bytes = Data([16, 4, 3, 2, 1] + (0..<16).map { UInt8($0 * 0x11) } + [1, 2])
        #expect(delivery.encoded == bytes)
        #expect(try NotificationMessage(decoding: bytes) == delivery)
        let receipt = NotificationMessage.receipt(number: 7, .repeated)
        #expect(receipt.encoded == Data([17, 7, 0, 0, 0, 1]))
        #expect(try NotificationMessage(decoding: receipt.encoded) == receipt)
        refusesOtherLengths(receipt.encoded) { try NotificationMessage(decoding: $0) }
        #expect(NotificationMessage.question.encoded == Data([19]))
        #expect(try NotificationMessage(decoding: Data([19])) == .question)
        let message = NotificationMessage.message(session: Self.session, sealed: Data([1, 2]))
        #expect(message.encoded == Data([18] + (0..<16).map { UInt8($0 * 0x11) } + [1, 2]))
        #expect(try NotificationMessage(decoding: message.encoded) == message)
        for bytes: [UInt8] in [[], [20], [19, 0], [18], [18, 1, 2, 3], [16, 1, 2, 3, 4, 5], [17, 0, 0, 0, 0, 6]] {
            #expect(throws: DieProtocolError.self) { try NotificationMessage(decoding: Data(bytes)) }
        }
    }

    private static let content = NotificationContent(
        identifier: .init(source: "com.example.chat", notification: "42"), sourceName: "Chat", title: "Kim",
        subtitle: "Family", body: "Dinner at 8? 🍝", alerts: true)

    @Test func updates() throws {
        var silent = Self.content
        silent.alerts = false
        for update in [
            NotificationUpdate.add(Self.content), .add(silent), .update(silent), .remove(silent.identifier), .removeAll,
        ] {
            let bytes = try update.encoded()
            #expect(try NotificationUpdate(decoding: bytes) == update)
            let later = bytes + [200, 2, 0, 0, 0, 1, 1]
            #expect(try NotificationUpdate(decoding: later) == update, "a field of a later version is ignored")
        }
        #expect(
            try NotificationUpdate.remove(.init(source: "s", notification: "n")).encoded()
                == Data([1, 3, 1, 1, 0, 0, 0, 110, 2, 1, 0, 0, 0, 115]))
    }

    @Test func updateRefusals() throws {
        let identified: [UInt8] = [1, 1, 0, 0, 0, 110, 2, 1, 0, 0, 0, 115]
        for bytes: [UInt8] in [
            [], [1], [2, 4], [1, 5], [1, 1], [1, 3, 1, 1, 0, 0, 0, 110],
            [1, 1] + identified + [4, 0xFF, 0xFF, 0xFF, 0xFF],
            [1, 1] + identified + identified, [1, 1] + identified + [7, 1, 0, 0, 0, 2],
            [1, 1] + identified + [4, 1, 0, 0, 0, 0xFF],
        ] {
            #expect(throws: DieProtocolError.self) { try NotificationUpdate(decoding: Data(bytes)) }
        }
        var large = Self.content
        large.body = String(repeating: "x", count: GATTFraming.maximumContentLength)
        #expect(throws: DieProtocolError.self) { try NotificationUpdate.add(large).encoded() }
    }

    @Test func values() throws {
        let roll = Roll(number: 258, face: 5)
        #expect(roll.encoded == Data([1, 2, 1, 0, 0, 6, 5]))
        #expect(try Roll(decoding: roll.encoded) == roll)
        refusesOtherLengths(roll.encoded) { try Roll(decoding: $0) }
        #expect(throws: DieProtocolError.self) { try Roll(decoding: Data([1, 2, 1, 0, 0, 6, 7])) }

        let info = DieInfo(serialNumber: "D-0007", firmwareVersion: "1.0")
        #expect(try DieInfo(decoding: info.encoded()) == info)
        refusesOtherLengths(try info.encoded()) { try DieInfo(decoding: $0) }

        let networks = DieNetworks(networks: [
            .init(ssid: "Die 7", security: .wpa2And3, passphrase: "correct horse"), .init(ssid: "o", security: .open),
        ])
        #expect(try DieNetworks(decoding: networks.encoded()) == networks)
        refusesOtherLengths(try networks.encoded()) { try DieNetworks(decoding: $0) }
        #expect(throws: DieProtocolError.self) { try DieNetworks(decoding: Data([1, 1, 1, 1, 65, 0])) }
    }
}
