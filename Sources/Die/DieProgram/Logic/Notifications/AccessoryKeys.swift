import CryptoKit
import DieProtocol
import FoundationEssentials
import MessageSealing

/// The die's side of the key exchange, and the resulting keys.
///
/// Source: seed "Receiving iOS notifications on an accessory", "Decrypt notification data on your accessory".
struct AccessoryKeys: Sendable {
    /// The result of opening a delivery.
    enum Opening: Sendable, Equatable {
        case plaintext(Data)
        case repeated
        case notOpened
        case noKeys
    }

    /// The keys of one session of the phone, for both directions.
    private struct Session: Sendable {
        var opener: MessageOpener
        var sealer: MessageSealer
    }

    /// The result of a key exchange.
    private struct Agreement: Sendable {
        let recipient: HPKE.Recipient
        /// `suite-version-identifier`. The context of every exported secret starts with it.
        let protocolInfo: String
        let encapsulatedKey: Data
        /// The keys for the internet, for both directions and all sessions.
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

    /// The most sessions. A phone has one for each feature that it forwards. Above this limit, a new exchange starts.
    private static let sessionsPerAgreement = 16

    /// How many encapsulated keys a key pair may accept. Then the die asks for a new exchange, so that it need not
    /// remember more. A phone sends one, or a few for overlapping exchanges.
    static let answersPerKeyPair = 64

    /// The newest key pair. It is kept after an exchange, so that both sides agree even if several public keys and
    /// answers were sent at once: the phone answers them in order, so the answer to the newest one comes last.
    private var keyPair: AccessoryKeyPair?
    /// All encapsulated keys that the key pair has accepted. A repeated one, for example a recorded one, would bring
    /// back keys whose messages were opened and whose nonces were used (S7).
    private var accepted: Set<Data> = []
    private var agreement: Agreement?

    /// The session of the last delivery that was opened with the current keys.
    var lastSession: UUID? { agreement?.lastSession }

    /// Makes a key pair and returns its public key. The current keys stay until the exchange is complete.
    mutating func makeKeyPair(_ suite: KeyExchangeMessage.CipherSuite) throws -> Data {
        let pair = try AccessoryKeyPair(suite)
        keyPair = pair
        accepted = []
        return pair.publicKey
    }

    /// Completes an exchange. From now on only the new keys are valid.
    ///
    /// The newest encapsulated key again changes nothing: the phone repeats it if it missed the answer. An older one is
    /// refused (S7).
    mutating func accept(
        _ suite: KeyExchangeMessage.CipherSuite, identifier: String, encapsulatedKey: Data
    ) -> KeyExchangeMessage.Outcome {
        if let agreement, agreement.encapsulatedKey == encapsulatedKey { return .keysReady }
        guard let keyPair, keyPair.suite == suite else { return .noKeyPair }
        guard !accepted.contains(encapsulatedKey) else { return .badKey }
        guard accepted.count < Self.answersPerKeyPair else {
            self.keyPair = nil
            return .noKeyPair
        }
        do {
            agreement = try Agreement(keyPair: keyPair, identifier: identifier, encapsulatedKey: encapsulatedKey)
            accepted.insert(encapsulatedKey)
            return .keysReady
        } catch {
            return .badKey
        }
    }

    /// Opens a delivery: 12 bytes of nonce, ciphertext, 16 bytes of tag.
    mutating func open(_ sealed: Data, session: UUID) -> Opening {
        // In place: copying the remembered messages each time would take longer than opening.
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

    /// Opens the first message of a session. Only a message that opens adds a session.
    private mutating func openFirst(_ sealed: Data, session: UUID) -> Opening {
        guard let agreement, agreement.sessions.count < Self.sessionsPerAgreement else { return .noKeys }
        guard var fresh = try? agreement.session(session), case .plaintext(let plaintext) = fresh.opener.open(sealed)
        else { return .notOpened }
        self.agreement?.sessions[session] = fresh
        self.agreement?.lastSession = session
        return .plaintext(plaintext)
    }

    /// Seals a message to the phone. Nil without keys, or after as many messages as a phone remembers.
    mutating func seal(_ plaintext: Data, session: UUID) throws -> Data? {
        if let agreement, agreement.sessions[session] == nil {
            guard agreement.sessions.count < Self.sessionsPerAgreement else { return nil }
            self.agreement?.sessions[session] = try agreement.session(session)
        }
        guard let count = agreement?.sessions[session]?.sealer.messageCount, count < MessageOpener.messageLimit
        else { return nil }
        return try agreement?.sessions[session]?.sealer.seal(plaintext)
    }

    /// Opens a delivery from the internet. ``MessageSealing/Ratchet`` describes its bytes.
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

    /// Seals a message to the phone for the internet. Nil without keys, or if they are used up.
    mutating func sealForInternet(_ plaintext: Data) throws -> Data? {
        try agreement?.ratchetSender.seal(plaintext)
    }

    /// Forgets all keys, also those of an incomplete exchange.
    mutating func forget() {
        keyPair = nil
        accepted = []
        agreement = nil
    }
}
