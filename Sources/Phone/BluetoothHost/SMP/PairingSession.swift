import RadioModel

/// One pairing on one link, as initiator or as responder.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.3, 2.4 and appendix C.
package struct PairingSession: Sendable {
    /// Everything that a pairing has to know about its link and its device.
    package struct Setup: Sendable {
        package var role: PairingRole
        /// The own address with which the link was made.
        package var local: PeerAddress
        /// The peer's address with which the link was made.
        package var peer: PeerAddress
        /// What is distributed to the peer; nil if nothing is.
        package var identity: DeviceIdentity?
        package var features: PairingFeatures
        package var random: RandomBytes

        package init(
            role: PairingRole, local: PeerAddress, peer: PeerAddress, identity: DeviceIdentity? = nil,
            features: PairingFeatures = PairingFeatures(), random: @escaping RandomBytes
        ) {
            self.role = role
            self.local = local
            self.peer = peer
            self.identity = identity
            self.features = features
            self.random = random
        }
    }

    /// What the layer above does.
    package enum Output: Sendable, Hashable {
        /// Send this packet on the Security Manager channel.
        case send([UInt8])
        /// Ask the person whether both ends show this number of six digits; answer with `confirm`.
        case compare(UInt32)
        /// Show the person this passkey of six digits until the pairing ends.
        case showPasskey(UInt32)
        /// Ask the person for the passkey of the peer; answer with `enterPasskey`.
        case askPasskey
        /// Ask the person whether to pair; answer with `confirm`.
        case askConsent
        /// The person at the peer pressed a key, for the display of progress.
        case keypress(SMPCommand.Keypress)
        /// The central starts the encryption of the link with this key, or starts it anew; answer with `linkEncrypted`.
        case encrypt(LongTermKey)
        case completed(PairingResult)
        case failed(PairingEnd)
        /// The link was not encrypted with the key of the bond: an error code of Core Specification 6.0, Vol 1, Part F.
        case encryptionFailed(status: UInt8)
        /// The peer did something unusual, in plain words. The link and a pairing go on.
        case noticed(String)
    }

    /// The controller's answer to the start of encryption: Encryption Change, or Encryption Key Refresh Complete.
    package enum Encryption: Sendable, Hashable {
        case on
        /// With an error code of Core Specification 6.0, Vol 1, Part F.
        case failed(status: UInt8)
    }

    enum Stage: Sendable {
        case idle
        /// The initiator waits for the response to this request.
        case response(PairingParameters)
        /// The person is asked. A command of the initiator may be there already.
        case consent(PairingFeatureExchange, held: SMPCommand?)
        case legacy(LegacyExchange)
        case publicKey(PublicKeyExchange)
        case secure(SecureExchange)
        case encryption(PendingEncryption)
        case keys(KeyTransfer)
        case over
    }

    /// The time between the agreement on a key and the encrypted link.
    struct PendingEncryption: Sendable {
        let key: AgreedKey
        /// Whether the responder's controller has the key.
        var isGiven = false
        /// Commands of key distribution that arrived before the event of the controller.
        var early: [SMPCommand] = []
    }

    package let setup: Setup
    var stage = Stage.idle
    /// When the pairing fails if no command is sent before.
    package internal(set) var deadline: Duration?
    /// Whether time ran out, so that the link must not pair again.
    package internal(set) var hasTimedOut = false

    package init(_ setup: Setup) { self.setup = setup }

    /// Starts the pairing as initiator.
    package mutating func start(at now: Duration) -> [Output] {
        guard setup.role == .initiator, case .idle = stage else { return [] }
        let request = setup.features.request(hasIdentity: setup.identity != nil)
        stage = .response(request)
        return [send(.pairingRequest(request), at: now)]
    }

    /// Takes a packet of the Security Manager channel.
    package mutating func receive(_ packet: [UInt8], at now: Duration) -> [Output] {
        act(at: now) { session throws(PairingRefusal) in try session.take(packet, at: now) }
    }

    /// Takes the person's answer: whether both ends show the same number, or whether to pair.
    package mutating func confirm(_ isAccepted: Bool, at now: Duration) -> [Output] {
        act(at: now) { session throws(PairingRefusal) in try session.takeAnswer(isAccepted, at: now) }
    }

    /// Takes the passkey that the person entered, 0 to 999,999; nil if she cancelled, also while a passkey is shown.
    package mutating func enterPasskey(_ passkey: UInt32?, at now: Duration) -> [Output] {
        act(at: now) { session throws(PairingRefusal) in try session.takePasskey(passkey, at: now) }
    }

    /// Tells the peer that the person pressed a key, if both ends support it and the passkey is being entered here.
    package mutating func press(_ key: SMPCommand.Keypress, at now: Duration) -> [Output] {
        act(at: now) { session throws(PairingRefusal) in
            guard session.step == .passkey, session.features?.usesKeypress == true else { return [] }
            return [session.send(.keypressNotification(key), at: now)]
        }
    }

    /// Gives the responder's controller the key of this pairing; nil if another key is meant, or none is due.
    package mutating func longTermKeyRequest(ediv: UInt16, rand: UInt64) -> LongTermKey? {
        guard setup.role == .responder, ediv == 0, rand == 0, case .encryption(var pending) = stage else { return nil }
        pending.isGiven = true
        stage = .encryption(pending)
        return pending.key.linkEncryptionKey
    }

    /// Takes the controller's answer to the start of encryption.
    package mutating func linkEncrypted(_ encryption: Encryption, at now: Duration) -> [Output] {
        act(at: now) { session throws(PairingRefusal) in try session.takeEncryption(encryption, at: now) }
    }

    /// Fails the pairing if it is overdue.
    package mutating func advance(to now: Duration) -> [Output] { expire(at: now) ?? [] }
}
