import CryptoKit
import DieProtocol
import FoundationEssentials
import MessageSealing

/// The die's end of the key exchange, and what was agreed on.
///
/// Source: seed "Receiving iOS notifications on an accessory", "Decrypt notification data on your accessory".
struct AccessoryKeys: Sendable {
    /// What was made of a delivery.
    enum Opening: Sendable, Equatable {
        case plaintext(Data)
        case repeated
        case notOpened
        case noKeys
    }

    /// Both directions of one of the phone's sessions.
    private struct Session: Sendable {
        var opener: MessageOpener
        var sealer: MessageSealer
    }

    /// What an exchange gave.
    private struct Agreement: Sendable {
        let recipient: HPKE.Recipient
        /// `suite-version-identifier`, which every exported secret's context starts with.
        let protocolInfo: String
        let encapsulatedKey: Data
        /// Both directions over the internet, for all sessions.
        var ratchetSender: RatchetSender
        var ratchetReceiver: RatchetReceiver
        var sessions: [UUID: Session] = [:]
        var lastSession: UUID?

        init(keyPair: AccessoryKeyPair, identifier: String, encapsulatedKey: Data) throws {
            protocolInfo = "\(keyPair.suite.name)-Version1-\(identifier)"
            self.encapsulatedKey = encapsulatedKey
            recipient = try keyPair.recipient(info: Data(protocolInfo.utf8), encapsulatedKey: encapsulatedKey)
            let keyIdentifier = Ratchet.keyIdentifier(of: keyPair.publicKey)
            let contexts = [Ratchet.contextHostToAccessory(identifier), Ratchet.contextAccessoryToHost(identifier)]
            let chainKeys = try contexts.map { [recipient] in
                try recipient.exportSecret(context: $0, outputByteCount: 32)
            }
            ratchetReceiver = RatchetReceiver(chainKey: chainKeys[0], keyIdentifier: keyIdentifier)
            ratchetSender = RatchetSender(chainKey: chainKeys[1], keyIdentifier: keyIdentifier)
        }

        func session(_ id: UUID) throws -> Session {
            Session(
                opener: MessageOpener(key: try secret("HostToAccessory", of: id)),
                sealer: MessageSealer(key: try secret("AccessoryToHost", of: id)))
        }

        private func secret(_ direction: String, of session: UUID) throws -> SymmetricKey {
            let context = "\(protocolInfo)-\(direction)-\(session.uuidString)"
            return try recipient.exportSecret(context: Data(context.utf8), outputByteCount: 32)
        }
    }

    /// A phone has one session for each feature that it forwards; with more than this new keys are asked for.
    private static let sessionsPerAgreement = 16

    /// The newest key pair. It stays after an exchange, so that both ends agree however many public keys and answers were
    /// on their way at once: the phone answers them in order, and the answer to the newest one comes last.
    private var keyPair: AccessoryKeyPair?
    private var agreement: Agreement?

    /// The session that a delivery opened in last, under the present keys.
    var lastSession: UUID? { agreement?.lastSession }

    /// Makes a key pair and gives its public key. The keys agreed on before stay until the exchange is over.
    mutating func makeKeyPair(_ suite: KeyExchangeMessage.CipherSuite) throws -> Data {
        let pair = try AccessoryKeyPair(suite)
        keyPair = pair
        return pair.publicKey
    }

    /// Ends an exchange: from here on the new keys hold, and only these.
    ///
    /// The same encapsulated key twice changes nothing: the phone repeats it when it missed the answer.
    mutating func accept(
        _ suite: KeyExchangeMessage.CipherSuite, identifier: String, encapsulatedKey: Data
    ) -> KeyExchangeMessage.Outcome {
        if let agreement, agreement.encapsulatedKey == encapsulatedKey { return .keysReady }
        guard let keyPair, keyPair.suite == suite else { return .noKeyPair }
        do {
            agreement = try Agreement(keyPair: keyPair, identifier: identifier, encapsulatedKey: encapsulatedKey)
            return .keysReady
        } catch {
            return .badKey
        }
    }

    /// Opens one delivery: 12 bytes of nonce, ciphertext, 16 bytes of tag.
    mutating func open(_ sealed: Data, session: UUID) -> Opening {
        // In place: to copy what is remembered for every message would cost more than opening it.
        switch agreement?.sessions[session]?.opener.open(sealed) {
        case .plaintext(let plaintext)?:
            agreement?.lastSession = session
            return .plaintext(plaintext)
        case .repeated?: return .repeated
        case .notOpened?: return .notOpened
        case .exhausted?: return .noKeys
        case nil: return openFirst(sealed, session: session)
        }
    }

    /// Only a message that opens gives its session a place.
    private mutating func openFirst(_ sealed: Data, session: UUID) -> Opening {
        guard let agreement, agreement.sessions.count < Self.sessionsPerAgreement else { return .noKeys }
        guard var fresh = try? agreement.session(session), case .plaintext(let plaintext) = fresh.opener.open(sealed)
        else { return .notOpened }
        self.agreement?.sessions[session] = fresh
        self.agreement?.lastSession = session
        return .plaintext(plaintext)
    }

    /// Seals a message to the phone; nil without keys, or when they were used for as many messages as a phone remembers.
    mutating func seal(_ plaintext: Data, session: UUID) throws -> Data? {
        if let agreement, agreement.sessions[session] == nil {
            guard agreement.sessions.count < Self.sessionsPerAgreement else { return nil }
            self.agreement?.sessions[session] = try agreement.session(session)
        }
        guard let count = agreement?.sessions[session]?.sealer.messageCount, count < MessageOpener.messageLimit
        else { return nil }
        return try agreement?.sessions[session]?.sealer.seal(plaintext)
    }

    /// Opens one delivery that came over the internet, as ``MessageSealing/Ratchet`` lays it out.
    mutating func openFromInternet(_ sealed: Data, session: UUID) -> Opening {
        switch agreement?.ratchetReceiver.open(sealed) {
        case .plaintext(let plaintext)?:
            agreement?.lastSession = session
            return .plaintext(plaintext)
        case .repeated?: return .repeated
        case .notOpened?, .otherKeys?: return .notOpened
        case .tooFarAhead?, nil: return .noKeys
        }
    }

    /// Seals a message to the phone for the internet; nil without keys, or when they are used up.
    mutating func sealForInternet(_ plaintext: Data) throws -> Data? {
        try agreement?.ratchetSender.seal(plaintext)
    }

    /// Forgets everything that was agreed on or begun.
    mutating func forget() {
        keyPair = nil
        agreement = nil
    }
}
