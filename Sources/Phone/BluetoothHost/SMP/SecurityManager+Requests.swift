import RadioModel

// What this device wants: to pair, to encrypt, to answer for its person.
extension SecurityManager {
    /// Pairs: the central starts, the peripheral asks the central by a Security Request.
    ///
    /// - Parameter hasConsent: Whether the person has agreed already, for example in a picker.
    package mutating func requestPairing(hasConsent: Bool = false, at now: Duration) -> [Output] {
        let overdue = advance(to: now)
        switch state {
        case .closed:
            let detail = "an earlier pairing ran out of time, or the link is lost"
            return overdue + [.failed(PairingEnd(.timeout, by: .local, while: .idle, detail: detail))]
        case .encrypting:
            return [.failed(PairingEnd(.refused(.busy), by: .local, while: .encryption))]
        case .asking, .requested, .pairing: return overdue
        case .idle: break
        }
        if policy.limitsOwnAttempts, attempts.isWaiting(at: now) {
            return overdue + [.failed(PairingEnd(.refused(.repeatedAttempts), by: .local, while: .idle))]
        }
        if isCentral { return overdue + startPairing(hasConsent: hasConsent, at: now) }
        return overdue + requestSecurity(at: now)
    }

    /// Encrypts the link with the key of the bond: the central starts, the peripheral asks by a Security Request.
    ///
    /// Without such a key, or while something else is going on, nothing happens.
    package mutating func encryptWithBond(at now: Duration) -> [Output] {
        let overdue = advance(to: now)
        guard case .idle = state, let bond else { return overdue }
        guard isCentral else { return overdue + requestSecurity(at: now) }
        guard let key = bond.keys.key(for: .initiator) else { return overdue }
        state = .encrypting(bond, size: key.size)
        return overdue + [.encrypt(key)]
    }

    /// Takes the person's answer to `askConsent` or to `compare`.
    package mutating func confirm(_ isAccepted: Bool, at now: Duration) -> [Output] {
        let overdue = advance(to: now)
        guard case .asking(let request, _) = state else {
            return overdue + withSession(at: now) { $0.confirm(isAccepted, at: now) }
        }
        state = .idle
        guard isAccepted else {
            let end = PairingEnd(.cancelled, by: .local, while: .consent)
            return [.send(SMPCommand.pairingFailed(setup.features.consentRefusal).bytes), .failed(end)]
        }
        return startPairing(hasConsent: true, with: request, at: now)
    }

    /// Takes the passkey that the person entered; nil if she cancelled, also while a passkey is shown.
    package mutating func enterPasskey(_ passkey: UInt32?, at now: Duration) -> [Output] {
        withSession(at: now) { $0.enterPasskey(passkey, at: now) }
    }

    /// Tells the peer that the person pressed a key.
    package mutating func press(_ key: SMPCommand.Keypress, at now: Duration) -> [Output] {
        withSession(at: now) { $0.press(key, at: now) }
    }

    /// Ends a pairing, or the question whether to pair.
    package mutating func cancel(at now: Duration) -> [Output] {
        if case .asking = state { return confirm(false, at: now) }
        return withSession(at: now) { $0.cancel(at: now) }
    }

    /// Gives the peripheral's controller the key that the central means; nil if there is none.
    package mutating func longTermKeyRequest(ediv: UInt16, rand: UInt64) -> LongTermKey? {
        if case .pairing(var session) = state, let key = session.longTermKeyRequest(ediv: ediv, rand: rand) {
            state = .pairing(session)
            isBondKeyGiven = false
            return key
        }
        guard !isCentral, !isClosed, let key = bond?.keys.localKey, (key.ediv, key.rand) == (ediv, rand) else {
            return nil
        }
        isBondKeyGiven = true
        return key
    }

    /// Takes the controller's Encryption Change or Encryption Key Refresh Complete.
    package mutating func linkEncrypted(_ encryption: Encryption, at now: Duration) -> [Output] {
        if case .encrypting(let bond, let size) = state {
            state = .idle
            return take(encryption, with: ActiveKey(strength: bond.strength, size: size))
        }
        if !isBondKeyGiven { return withSession(at: now) { $0.linkEncrypted(encryption, at: now) } }
        isBondKeyGiven = false
        if case .requested = state { state = .idle }
        guard let bond, let key = bond.keys.localKey else { return [] }
        return take(encryption, with: ActiveKey(strength: bond.strength, size: key.size))
    }

    private mutating func take(_ encryption: Encryption, with key: ActiveKey) -> [Output] {
        switch encryption {
        case .on:
            activeKey = key
            return []
        case .failed(let status): return [.encryptionFailed(status: status)]
        }
    }

    private mutating func requestSecurity(at now: Duration) -> [Output] {
        state = .requested(deadline: now + setup.features.timeout)
        return [.send(SMPCommand.securityRequest(setup.features.authentication).bytes)]
    }

    /// - Parameter request: The Pairing Request that the responder answers.
    mutating func startPairing(hasConsent: Bool, with request: [UInt8]? = nil, at now: Duration) -> [Output] {
        var setup = setup
        if hasConsent { setup.features.consent = .never }
        state = .pairing(PairingSession(setup))
        return withSession(at: now) { session in
            if let request { session.receive(request, at: now) } else { session.start(at: now) }
        }
    }
}
