import CryptoKit
import DieProtocol
import FoundationEssentials
import MessageSealing
import Testing

@testable import DieProgram

/// The phone's side of the exchange, written again from the seed, independently of the code under test.
struct ScriptedPhone {
    static let session = UUID(uuidString: "7C0F6A52-9C7E-4A0E-8A43-3D5B0A0F1B11")!
    static let identifier = "0A1B2C3D-0000-4000-8000-00000000D1CE"

    private static let info = "P256-Version1-\(identifier)"

    private let sender: HPKE.Sender
    private let keyIdentifier: Data
    let encapsulatedKey: Data
    let secret: SymmetricKey
    /// The key that the die seals with.
    let wayBack: SymmetricKey

    init(publicKey: Data) throws {
        sender = try HPKE.Sender(
            recipientKey: P256.KeyAgreement.PublicKey(rawRepresentation: publicKey),
            ciphersuite: .P256_SHA256_AES_GCM_256, info: Data(Self.info.utf8))
        encapsulatedKey = sender.encapsulatedKey
        keyIdentifier = Data(SHA384.hash(data: publicKey).prefix(4))
        secret = try Self.export("\(Self.info)-HostToAccessory-\(Self.session.uuidString)", sender)
        wayBack = try Self.export("\(Self.info)-AccessoryToHost-\(Self.session.uuidString)", sender)
    }

    private static func export(_ context: String, _ sender: HPKE.Sender) throws -> SymmetricKey {
        try sender.exportSecret(context: Data(context.utf8), outputByteCount: 32)
    }

    /// Seals messages to the die for the internet.
    var internet: RatchetSender {
        get throws {
            RatchetSender(
                chainKey: try Self.export("AccessoryInternetKey-HostToAccessory-\(Self.identifier)", sender),
                keyIdentifier: keyIdentifier)
        }
    }

    /// Opens messages of the die from the internet.
    var internetWayBack: RatchetReceiver {
        get throws {
            RatchetReceiver(
                chainKey: try Self.export("AccessoryInternetKey-AccessoryToHost-\(Self.identifier)", sender),
                keyIdentifier: keyIdentifier)
        }
    }

    var encapsulatedKeyMessage: KeyExchangeMessage {
        .encapsulatedKey(.p256, .version1, identifier: Self.identifier, key: encapsulatedKey)
    }

    func sealed(_ update: NotificationUpdate, session: UUID = session) throws -> Data {
        let secret =
            session == Self.session
            ? secret : try Self.export("\(Self.info)-HostToAccessory-\(session.uuidString)", sender)
        return try #require(try AES.GCM.seal(update.encoded(), using: secret).combined)
    }
}

/// A receiver, and its joined messages.
struct TestDie {
    var receiver = NotificationReceiver()
    var mtu = 23

    mutating func receive(_ message: KeyExchangeMessage) throws -> [NotificationReceiver.Action] {
        try receiveSecurity(message.encoded())
    }

    mutating func receiveSecurity(_ message: Data) throws -> [NotificationReceiver.Action] {
        var actions: [NotificationReceiver.Action] = []
        for segment in try GATTFraming.split(message, segmentLength: mtu - 3) {
            actions += receiver.receiveSecurity(segment, mtu: mtu)
        }
        return actions
    }

    mutating func deliver(
        _ sealed: Data, number: UInt32 = 1, session: UUID = ScriptedPhone.session
    ) throws -> [NotificationReceiver.Action] {
        let message = NotificationMessage.delivery(number: number, session: session, sealed: sealed)
        var actions: [NotificationReceiver.Action] = []
        for segment in try GATTFraming.split(message.encoded, segmentLength: mtu - 3) {
            actions += receiver.receiveNotification(segment, mtu: mtu)
        }
        return actions
    }

    mutating func exchangeKeys() throws -> ScriptedPhone {
        let request = KeyExchangeMessage.keyRequest(.p256, .version1, identifier: ScriptedPhone.identifier)
        let phone = try ScriptedPhone(publicKey: #require(publicKey(in: try receive(request))))
        #expect(securityMessages(in: try receive(phone.encapsulatedKeyMessage)) == [.result(.keysReady)])
        return phone
    }
}

func messages(
    in actions: [NotificationReceiver.Action], on characteristic: DieGATT.Characteristic
) -> [Data] {
    var joiner = GATTFraming.Joiner()
    return actions.compactMap { action in
        guard case .notify(characteristic, let segment) = action else { return nil }
        return try? joiner.join(segment)
    }
}

func securityMessages(in actions: [NotificationReceiver.Action]) -> [KeyExchangeMessage] {
    messages(in: actions, on: DieGATT.security).compactMap { try? KeyExchangeMessage(decoding: $0) }
}

func publicKey(in actions: [NotificationReceiver.Action]) -> Data? {
    for case .publicKey(_, .version1, .bluetooth, identifier: nil, let key) in securityMessages(in: actions) {
        return key
    }
    return nil
}

func receipts(in actions: [NotificationReceiver.Action]) -> [NotificationMessage] {
    messages(in: actions, on: DieGATT.notifications).compactMap { try? NotificationMessage(decoding: $0) }
}
