/// The authentication of legacy pairing: both ends show that they know the temporary key.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.3.5.2 to 2.3.5.5.
struct LegacyExchange: Sendable {
    let party: PairingParty
    private(set) var step = PairingStep.confirm
    private var temporaryKey = Value128.zero
    private let localRandom: Value128
    private var peerConfirm = Value128.zero
    /// The initiator's confirm value, which arrived while the person was entering the passkey.
    private var heldConfirm: Value128?

    init(_ party: PairingParty) {
        self.party = party
        localRandom = .random(party.random)
    }

    /// Starts with the passkey, if there is one.
    mutating func start() -> [PairingAction] {
        if party.entersPasskey {
            step = .passkey
            return [.askPasskey]
        }
        guard party.showsPasskey else { return begin() }
        let passkey = party.newPasskey()
        temporaryKey = Value128(high: 0, low: UInt64(passkey))
        return [.showPasskey(passkey)] + begin()
    }

    /// Takes the passkey that the person entered.
    mutating func enter(_ passkey: UInt32) throws(PairingRefusal) -> [PairingAction] {
        guard step == .passkey else { return [] }
        temporaryKey = Value128(high: 0, low: UInt64(passkey))
        let actions = begin()
        guard let heldConfirm else { return actions }
        return actions + (try take(confirm: heldConfirm))
    }

    mutating func receive(_ command: SMPCommand) throws(PairingRefusal) -> [PairingAction] {
        switch (command, step) {
        case (.pairingConfirm(let value), .passkey) where party.role == .responder && heldConfirm == nil:
            heldConfirm = value
            return []
        case (.pairingConfirm(let value), .confirm): return try take(confirm: value)
        case (.pairingRandom(let value), .random): return try take(random: value)
        default: throw .unexpected(command)
        }
    }

    private mutating func begin() -> [PairingAction] {
        step = .confirm
        return party.role == .initiator ? [.send(.pairingConfirm(confirm(of: localRandom)))] : []
    }

    private mutating func take(confirm value: Value128) throws(PairingRefusal) -> [PairingAction] {
        let localConfirm = confirm(of: localRandom)
        guard value != localConfirm else {
            throw PairingRefusal(.confirmValueFailed, "its confirm value is our own")
        }
        peerConfirm = value
        step = .random
        return [.send(party.role == .initiator ? .pairingRandom(localRandom) : .pairingConfirm(localConfirm))]
    }

    private mutating func take(random value: Value128) throws(PairingRefusal) -> [PairingAction] {
        guard confirm(of: value) == peerConfirm else {
            throw PairingRefusal(.confirmValueFailed, "its confirm value does not match its random number")
        }
        step = .encryption
        switch party.role {
        case .initiator:
            return [.encrypt(agreed(SecurityToolbox.s1(key: temporaryKey, responder: value, initiator: localRandom)))]
        case .responder:
            let key = SecurityToolbox.s1(key: temporaryKey, responder: localRandom, initiator: value)
            return [.send(.pairingRandom(localRandom)), .encrypt(agreed(key))]
        }
    }

    private func confirm(of random: Value128) -> Value128 {
        SecurityToolbox.c1(key: temporaryKey, random: random, features: party.features, addresses: party.addresses)
    }

    private func agreed(_ key: Value128) -> AgreedKey {
        AgreedKey(value: key, features: party.features, usedDebugKey: false)
    }
}
