/// The authentication of LE Secure Connections after the exchange of public keys, up to the DHKey checks.
///
/// Source: Core Specification 6.0, Vol 3, Part H, 2.3.5.6.2, 2.3.5.6.3 and 2.3.5.6.5.
struct SecureExchange: Sendable {
    /// How many bits of the passkey are compared, one in each round.
    static let passkeyBits = 20

    let party: PairingParty
    let keys: (local: PairingPublicKey, peer: PairingPublicKey)
    let secret: [UInt8]
    let usedDebugKey: Bool
    private(set) var step = PairingStep.confirm
    var localNonce: Value128
    var peerNonce = Value128.zero
    /// Nil before this end has made one.
    var localConfirm: Value128?
    var peerConfirm = Value128.zero
    var passkey: UInt32 = 0
    /// The bit of the passkey that is compared, from 0.
    private(set) var round = 0
    /// The initiator's confirm value, which arrived while the person was entering the passkey.
    private var heldConfirm: Value128?
    /// The initiator's DHKey check, which arrived while the person was comparing numbers.
    private var heldCheck: Value128?

    init(
        _ party: PairingParty, keys: (local: PairingPublicKey, peer: PairingPublicKey), secret: [UInt8],
        usedDebugKey: Bool
    ) {
        self.party = party
        self.keys = keys
        self.secret = secret
        self.usedDebugKey = usedDebugKey
        localNonce = .random(party.random)
    }

    private var isPasskeyEntry: Bool { party.features.method.isPasskeyEntry }
    private var isInitiator: Bool { party.role == .initiator }

    mutating func start() -> [PairingAction] {
        if party.entersPasskey {
            step = .passkey
            return [.askPasskey]
        }
        if party.showsPasskey {
            passkey = party.newPasskey()
            return [.showPasskey(passkey)] + beginRound()
        }
        // Without a passkey, only the responder commits itself to its random number.
        guard !isInitiator else { return [] }
        step = .random
        return [.send(.pairingConfirm(makeConfirm()))]
    }

    /// Takes the passkey that the person entered.
    mutating func enter(_ number: UInt32) throws(PairingRefusal) -> [PairingAction] {
        guard step == .passkey else { return [] }
        passkey = number
        let actions = beginRound()
        guard let heldConfirm else { return actions }
        return actions + (try take(confirm: heldConfirm))
    }

    /// Takes the person's answer: whether both ends show the same number.
    mutating func compare(isEqual: Bool) throws(PairingRefusal) -> [PairingAction] {
        guard step == .comparison else { return [] }
        guard isEqual else {
            throw PairingRefusal(.numericComparisonFailed, "the person saw another number on it")
        }
        return try beginCheck()
    }

    mutating func receive(_ command: SMPCommand) throws(PairingRefusal) -> [PairingAction] {
        switch (command, step) {
        case (.pairingConfirm(let value), .passkey) where !isInitiator && heldConfirm == nil:
            heldConfirm = value
            return []
        case (.pairingConfirm(let value), .confirm): return try take(confirm: value)
        case (.pairingRandom(let value), .random): return try take(random: value)
        case (.dhKeyCheck(let value), .comparison) where !isInitiator && heldCheck == nil:
            heldCheck = value
            return []
        case (.dhKeyCheck(let value), .check): return try take(check: value)
        default: throw .unexpected(command)
        }
    }

    private mutating func beginRound() -> [PairingAction] {
        localNonce = .random(party.random)
        let confirm = makeConfirm()
        step = .confirm
        return isInitiator ? [.send(.pairingConfirm(confirm))] : []
    }

    private mutating func take(confirm value: Value128) throws(PairingRefusal) -> [PairingAction] {
        guard value != localConfirm else { throw PairingRefusal(.confirmValueFailed, "its confirm value is our own") }
        peerConfirm = value
        step = .random
        if let localConfirm, !isInitiator { return [.send(.pairingConfirm(localConfirm))] }
        return [.send(.pairingRandom(localNonce))]
    }

    private mutating func take(random value: Value128) throws(PairingRefusal) -> [PairingAction] {
        if isInitiator || isPasskeyEntry {
            guard peerConfirm(of: value, bit: confirmedBit) == peerConfirm else {
                let round = isPasskeyEntry ? " in round \(round + 1) of \(Self.passkeyBits)" : ""
                throw PairingRefusal(
                    .confirmValueFailed, "its confirm value does not match its random number\(round)")
            }
        }
        peerNonce = value
        let answer: [PairingAction] = isInitiator ? [] : [.send(.pairingRandom(localNonce))]
        round += 1
        if isPasskeyEntry && round < Self.passkeyBits { return answer + beginRound() }
        guard party.features.method == .numericComparison else { return answer + (try beginCheck()) }
        step = .comparison
        return answer + [.compare(comparedNumber)]
    }

    private mutating func beginCheck() throws(PairingRefusal) -> [PairingAction] {
        step = .check
        if isInitiator { return [.send(.dhKeyCheck(checks.local))] }
        guard let heldCheck else { return [] }
        return try take(check: heldCheck)
    }

    private mutating func take(check value: Value128) throws(PairingRefusal) -> [PairingAction] {
        let checks = checks
        guard value == checks.peer else { throw PairingRefusal(.dhKeyCheckFailed, "its DHKey check is wrong") }
        step = .encryption
        let key = AgreedKey(value: checks.longTermKey, features: party.features, usedDebugKey: usedDebugKey)
        return (isInitiator ? [] : [.send(.dhKeyCheck(checks.local))]) + [.encrypt(key)]
    }

    private mutating func makeConfirm() -> Value128 {
        let confirm = SecurityToolbox.f4(u: keys.local.x, v: keys.peer.x, x: localNonce, z: confirmedBit)
        localConfirm = confirm
        return confirm
    }

    /// What a confirm value commits to beside the keys and the random number.
    private var confirmedBit: UInt8 { isPasskeyEntry ? 0x80 | UInt8(passkey >> UInt32(round) & 1) : 0 }
}

extension SecureExchange {
    /// The confirm value that the peer must have sent before this random number.
    fileprivate func peerConfirm(of random: Value128, bit: UInt8) -> Value128 {
        SecurityToolbox.f4(u: keys.peer.x, v: keys.local.x, x: random, z: bit)
    }

    /// The number of six digits that the person compares.
    fileprivate var comparedNumber: UInt32 {
        let number =
            switch party.role {
            case .initiator: SecurityToolbox.g2(u: keys.local.x, v: keys.peer.x, x: localNonce, y: peerNonce)
            case .responder: SecurityToolbox.g2(u: keys.peer.x, v: keys.local.x, x: peerNonce, y: localNonce)
            }
        return number % 1_000_000
    }

    /// The DHKey checks of both ends, and the long-term key.
    fileprivate var checks: (local: Value128, peer: Value128, longTermKey: Value128) {
        let (role, addresses) = (party.role, party.addresses)
        let isInitiator = role == .initiator
        let nonces = isInitiator ? (localNonce, peerNonce) : (peerNonce, localNonce)
        let derived = SecurityToolbox.f5(secret: secret, nonces: nonces, addresses: addresses)
        let (local, peer) =
            isInitiator ? (addresses.initiator, addresses.responder) : (addresses.responder, addresses.initiator)
        let r = Value128(high: 0, low: UInt64(passkey))
        let localCheck = SecurityToolbox.f6(
            key: derived.checkKey, nonces: (localNonce, peerNonce), r: r,
            sender: party.features.parameters(of: role), addresses: (local, peer))
        let peerCheck = SecurityToolbox.f6(
            key: derived.checkKey, nonces: (peerNonce, localNonce), r: r,
            sender: party.features.parameters(of: role.other), addresses: (peer, local))
        return (localCheck, peerCheck, derived.longTermKey)
    }
}
