import RadioModel

// How a pairing ends, and what it does on the way.
extension PairingSession {
    /// Whether the pairing goes on.
    package var isActive: Bool {
        switch stage {
        case .idle, .over: false
        default: true
        }
    }

    /// What the pairing is doing.
    package var step: PairingStep {
        switch stage {
        case .idle, .over: .idle
        case .response: .response
        case .consent: .consent
        case .legacy(let exchange): exchange.step
        case .publicKey: .publicKey
        case .secure(let exchange): exchange.step
        case .encryption: .encryption
        case .keys: .keys
        }
    }

    /// What both ends said, as soon as it is known.
    var features: PairingFeatureExchange? {
        switch stage {
        case .idle, .response, .over: nil
        case .consent(let features, _): features
        case .legacy(let exchange): exchange.party.features
        case .publicKey(let exchange): exchange.party.features
        case .secure(let exchange): exchange.party.features
        case .encryption(let pending): pending.key.features
        case .keys(let transfer): transfer.key.features
        }
    }

    /// How strong the key is that encrypts the link now; nil before it does.
    var activeKey: (strength: Bond, size: Int)? {
        guard case .keys(let transfer) = stage else { return nil }
        return (transfer.key.features.strength, transfer.key.features.keySize)
    }

    /// Whether both ends are showing each other what they know, before a key is agreed.
    var isAuthenticating: Bool {
        switch stage {
        case .legacy, .secure: step != .encryption
        case .publicKey: true
        default: false
        }
    }

    /// Whether the person at the peer may press keys now.
    var isEnteredByPeer: Bool {
        guard isAuthenticating, let features else { return false }
        return features.usesKeypress && features.method.isEntered(by: setup.role.other)
    }

    /// Ends the pairing because the person, or the app, does not want to go on.
    package mutating func cancel(at now: Duration) -> [Output] {
        if let outputs = expire(at: now) { return outputs }
        guard isActive else { return [] }
        if isAuthenticating, let features, features.method.isPasskeyEntry {
            return refuse(.passkeyEntryFailed, cause: .cancelled)
        }
        switch step {
        case .consent: return refuse(setup.features.consentRefusal, cause: .cancelled)
        case .comparison: return refuse(.numericComparisonFailed, cause: .cancelled)
        default: return refuse(.unspecifiedReason, cause: .cancelled)
        }
    }

    /// Ends the pairing without a packet.
    package mutating func linkLost() -> [Output] { isActive ? [end(.linkLost, by: .link)] : [] }

    /// Does something that may end the pairing, unless the pairing is overdue or over.
    mutating func act(
        at now: Duration, _ body: (inout PairingSession) throws(PairingRefusal) -> [Output]
    ) -> [Output] {
        if let outputs = expire(at: now) { return outputs }
        if case .over = stage { return [] }
        do throws(PairingRefusal) { return try body(&self) } catch {
            return refuse(error.reason, cause: .refused(error.reason), detail: error.text)
        }
    }

    /// Fails the pairing if it is overdue; nil if it is not.
    mutating func expire(at now: Duration) -> [Output]? {
        guard isActive, let deadline, now >= deadline else { return nil }
        hasTimedOut = true
        var detail = ""
        if case .keys(let transfer) = stage {
            detail = "missing: \(transfer.missing.map(\.description).joined(separator: ", "))"
        }
        return [end(.timeout, by: step.waitsForPerson ? .local : step == .encryption ? .link : .peer, detail: detail)]
    }

    mutating func perform(_ actions: [PairingAction], at now: Duration) -> [Output] {
        var outputs: [Output] = []
        for action in actions {
            switch action {
            case .send(let command): outputs.append(send(command, at: now))
            case .compare(let number): outputs.append(.compare(number))
            case .showPasskey(let passkey): outputs.append(.showPasskey(passkey))
            case .askPasskey: outputs.append(.askPasskey)
            case .encrypt(let key):
                stage = .encryption(PendingEncryption(key: key))
                if setup.role == .initiator { outputs.append(.encrypt(key.linkEncryptionKey)) }
            }
        }
        return outputs
    }

    mutating func send(_ command: SMPCommand, at now: Duration) -> Output {
        deadline = now + setup.features.timeout
        return .send(command.bytes)
    }

    /// Tells the peer, and ends the pairing.
    mutating func refuse(
        _ reason: PairingFailure, cause: PairingEnd.Cause, by side: PairingEnd.Side = .local, detail: String = ""
    ) -> [Output] {
        [.send(SMPCommand.pairingFailed(reason).bytes), end(cause, by: side, detail: detail)]
    }

    mutating func end(_ cause: PairingEnd.Cause, by side: PairingEnd.Side, detail: String = "") -> Output {
        let failure = PairingEnd(cause, by: side, while: step, detail: detail)
        finish()
        return .failed(failure)
    }

    mutating func finish() {
        stage = .over
        deadline = nil
    }
}
