import AccessorySetupKit
import CryptoKit
import DiceApp
import HIL

/// A replay from the air: an encapsulated key is no secret, and anyone who has the phone's link can write it again.
let oldKeysStayOld = Scenario(
    "An encapsulated key that is replayed after another one does not bring old keys back to the die",
    .tags(.notifications, .faults, .robustness), .covers("S7"), .budget(.seconds(60))
) { lab in
    let (die, _, accessory) = try await lab.pairedDie(.die(named: "Die 7", cipherSuites: [.p256]))
    let identifier = try lab.require(accessory.bluetoothIdentifier, "the accessory has a Bluetooth identifier")
    let probe = CentralProbe()
    let peripheral = try await lab.step("connect", within: .seconds(10)) { try await probe.connect(identifier) }
    let security = try peripheral.found(DieGATT.security.uuid)
    let notifications = try peripheral.found(DieGATT.notifications.uuid)
    for characteristic in [security, notifications] {
        peripheral.setNotifyValue(true, for: characteristic)
        try await probe.next(.notifying(true, nil))
    }
    let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
    // The die's answer may come before the response to the last write, so the writes are not awaited.
    @MainActor func exchange(_ message: KeyExchangeMessage) async throws -> KeyExchangeMessage {
        for segment in try GATTFraming.split(message.encoded(), segmentLength: length) {
            peripheral.writeValue(segment, for: security, type: .withResponse)
        }
        return try KeyExchangeMessage(decoding: try await probe.nextMessage())
    }
    @MainActor func deliver(_ sealed: Data, number: UInt32) async throws -> NotificationMessage {
        let message = NotificationMessage.delivery(number: number, session: OldKeys.session, sealed: sealed)
        try await probe.write(
            GATTFraming.split(message.encoded, segmentLength: length), to: notifications, of: peripheral)
        return try NotificationMessage(decoding: try await probe.nextMessage())
    }

    let answer = try await exchange(.keyRequest(.p256, .version1, identifier: OldKeys.identifier))
    guard case .publicKey(_, _, _, _, let key) = answer else {
        lab.expect(false, "the die answers with its public key, not with \(answer)")
        return
    }
    let (first, second) = (try OldKeys(publicKey: key), try OldKeys(publicKey: key))
    lab.expect(try await exchange(first.message), equals: .result(.keysReady), "the die has keys")
    let recorded = try first.sealed(.add(OldKeys.notification))
    lab.expect(try await deliver(recorded, number: 1), equals: .receipt(number: 1, .accepted), "it opens a message")
    lab.expect(try await exchange(second.message), equals: .result(.keysReady), "the die has other keys")
    let cleared = die.events.mark
    _ = try await deliver(second.sealed(.removeAll), number: 2)
    try await die.shows([], since: cleared)
    let mark = die.events.mark

    lab.expect(try await exchange(first.message), equals: .result(.badKey), "the die refuses the recorded key")
    lab.expect(
        try await deliver(second.sealed(.removeAll), number: 3), equals: .receipt(number: 3, .accepted),
        "the die has kept the newer keys")
    // A message that does not open makes the die ask for new keys, before or after its receipt.
    peripheral.setNotifyValue(false, for: security)
    try await probe.next(.notifying(false, nil))
    lab.expect(
        try await deliver(recorded, number: 4), equals: .receipt(number: 4, .notOpened),
        "the recorded message does not open again")
    lab.expect(die.screens(since: mark), equals: 0, "the die shows nothing")
}

/// A phone's half of a key exchange, and a message under its keys, from published functions only.
private struct OldKeys: Sendable {
    static let identifier = "0A1B2C3D-0000-4000-8000-00000000D1CE"
    static let session = UUID()
    static let notification = NotificationContent(
        identifier: .init(source: "com.example.chat", notification: "1"), sourceName: "Chat", title: "Kim")

    private let encapsulatedKey: Data
    private let secret: SymmetricKey

    init(publicKey: Data) throws {
        let info = "P256-Version1-\(Self.identifier)"
        let sender = try HPKE.Sender(
            recipientKey: P256.KeyAgreement.PublicKey(rawRepresentation: publicKey),
            ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(info.utf8))
        encapsulatedKey = sender.encapsulatedKey
        let context = "\(info)-HostToAccessory-\(Self.session.uuidString)"
        secret = try sender.exportSecret(context: Data(context.utf8), outputByteCount: 32)
    }

    var message: KeyExchangeMessage {
        .encapsulatedKey(.p256, .version1, identifier: Self.identifier, key: encapsulatedKey)
    }

    func sealed(_ update: NotificationUpdate) throws -> Data {
        let box = try AES.GCM.seal(update.encoded(), using: secret)
        guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
        return combined
    }
}
