import AccessoryNotifications
import AccessoryTransportExtension
import CryptoKit
import HILPhone
import TestSupport
import Testing

/// What the public implementations of an accessory's side state of keys, `info` and contexts. They were run against iPhones.
struct PublishedExchange: Sendable, CustomTestStringConvertible {
    let name: String
    /// Where it is stated: repository, file, commit.
    let source: String
    let suite: SecurityMessage.CipherSuite
    /// The lengths of the public key and of the encapsulated key, in bytes.
    let (publicKey, encapsulatedKey): (Int, Int)
    /// Before the identifier in HPKE's `info`.
    let info: String
    /// Between `info` and the session's identifier in the exporter's context, for each direction.
    let (toAccessory, toHost): (String, String)

    var testDescription: String { name }

    static let all = [
        // iOS 26.5: “Found empirically”. The seed has 32 bytes. No AAD; nonce, ciphertext, tag.
        PublishedExchange(
            name: "NotifBridge",
            source: "shinvou/NotifBridge, macos/NotifBridge/HPKEDecryptor.swift, 41f0b90d",
            suite: .xWing, publicKey: 1216, encapsulatedKey: 1120, info: "XWing-Version1-",
            toAccessory: "-HostToAccessory-", toHost: "-AccessoryToHost-"),
        // iOS 27.2, measured on a Pebble Time 2; see coredevices/PebbleOS#2126. “AES-256-GCM (empty AAD)”.
        PublishedExchange(
            name: "PebbleOS",
            source: "coredevices/PebbleOS, accessory_transport_service.c; zunda-pixel/ANProbe, ATSSecurity.swift",
            suite: .p256, publicKey: 64, encapsulatedKey: 65, info: "P256-Version1-", toAccessory: "-HostToAccessory-",
            toHost: "-AccessoryToHost-"),
    ]
}

@Suite struct PublishedExchangeTests {
    @Test(
        "Keys, info and contexts are as the public implementations state, in both directions", .covers("S4"),
        arguments: PublishedExchange.all)
    func exchange(_ published: PublishedExchange) async throws {
        let stand = try await DeliveryStand()
        try await stand.allow()
        let pair = try AccessoryPair(published.suite)
        #expect(pair.publicKey.count == published.publicKey)
        try await stand.securitySession().sendSecurityMessage(
            SecurityMessage(
                keyType: .publicKey, cipherSuite: published.suite, version: .version1, key: pair.publicKey,
                supportedTransports: [.bluetooth]))
        let answer = try await stand.script.next("the encapsulated key") { event in
            if case .key(let message) = event { message } else { nil }
        }
        #expect(answer.key.count == published.encapsulatedKey)
        // NotifBridge builds `info` of these descriptions, and of the identifier in the answer.
        #expect("\(answer.cipherSuite)-\(answer.version)-" == published.info)
        // ANProbe takes the peripheral's own identifier, in upper case: 36 letters.
        let identifier = stand.peripheral.uuidString.uppercased()
        #expect(answer.identifier == identifier && identifier.utf8.count == 36)

        let recipient = try pair.recipient(
            info: Data((published.info + identifier).utf8), encapsulatedKey: answer.key)
        func key(_ direction: String, _ session: UUID) throws -> SymmetricKey {
            try recipient.exportSecret(
                context: Data("\(published.info)\(identifier)\(direction)\(session.uuidString)".utf8),
                outputByteCount: 32)
        }
        stand.post("Kim")
        let message = try await stand.sealed()
        #expect(try text(message, key(published.toAccessory, message.sessionID)) == "Kim")

        // The layout of `SealedBox.combined`: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
        let reply = try AES.GCM.seal(Data("yes".utf8), using: key(published.toHost, message.sessionID))
        let sealed = try #require(reply.combined)
        #expect(sealed.count == 12 + 3 + 16)
        try await stand.transportSession().sendMessageToDataProvider(
            TransportMessage(sessionID: message.sessionID, data: sealed))
        let heard = try await stand.script.next("the answer") { event in
            if case .message(let message) = event { message } else { nil }
        }
        #expect(heard.payloads.map(\.data) == [Data("yes".utf8)])
    }

    @Test(
        "A watch that keeps its key pair over a restart has an exchange with the same public key again", .covers("S2"))
    func sameKeyAgain() async throws {
        // PebbleOS persists its private key, “so the phone's cached public key stays valid across reboots”.
        let stand = try await DeliveryStand()
        try await stand.allow()
        let pair = try AccessoryPair(.p256)
        let session = try await stand.securitySession()
        var keys: [Data] = []
        for number in 1...2 {
            let place = stand.script.events.count
            try session.sendSecurityMessage(
                SecurityMessage(keyType: .publicKey, cipherSuite: .p256, version: .version1, key: pair.publicKey))
            keys.append(
                try await stand.script.next(from: place, "encapsulated key \(number)") { event in
                    if case .key(let message) = event { message.key } else { nil }
                })
        }
        #expect(keys[0] != keys[1], "each exchange has a secret of its own")
        let identifier = stand.peripheral.uuidString
        let recipient = try pair.recipient(info: Data("P256-Version1-\(identifier)".utf8), encapsulatedKey: keys[1])
        stand.post("Kim")
        let message = try await stand.sealed()
        let secret = try recipient.exportSecret(
            context: Data("P256-Version1-\(identifier)-HostToAccessory-\(message.sessionID)".utf8), outputByteCount: 32)
        #expect(try text(message, secret) == "Kim")
    }
}
