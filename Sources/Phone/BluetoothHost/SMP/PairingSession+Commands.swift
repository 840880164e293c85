// How a pairing goes from one stage to the next.
extension PairingSession {
    mutating func take(_ packet: [UInt8], at now: Duration) throws(PairingRefusal) -> [Output] {
        let command: SMPCommand
        do throws(SMPCommand.Unreadable) { command = try SMPCommand(packet) } catch {
            switch error {
            case .reservedCode(let code): return [.noticed("a packet with the reserved SMP code \(code)")]
            case .invalid(let malformed): throw PairingRefusal(.invalidParameters, "it sent \(malformed)")
            }
        }
        switch command {
        case .pairingFailed(let reason): return [end(.refused(reason), by: .peer)]
        case .keypressNotification(let key):
            guard isEnteredByPeer else { throw .unexpected(command) }
            return [.keypress(key)]
        default: return try take(command, at: now)
        }
    }

    private mutating func take(_ command: SMPCommand, at now: Duration) throws(PairingRefusal) -> [Output] {
        switch stage {
        case .idle: return try takeRequest(command, at: now)
        case .response(let request): return try takeResponse(command, to: request, at: now)
        case .consent(let features, let held):
            guard setup.role == .responder, held == nil, command.code == features.firstOfPhaseTwo else {
                throw .unexpected(command)
            }
            stage = .consent(features, held: command)
            return []
        case .legacy(var exchange):
            let actions = try exchange.receive(command)
            stage = .legacy(exchange)
            return perform(actions, at: now)
        case .publicKey(let exchange):
            let (next, actions) = try exchange.receive(command)
            stage = .secure(next)
            return perform(actions, at: now)
        case .secure(var exchange):
            let actions = try exchange.receive(command)
            stage = .secure(exchange)
            return perform(actions, at: now)
        case .encryption(var pending):
            guard command.isKeyDistribution, pending.early.count < setup.features.earlyCommandLimit else {
                throw .unexpected(command)
            }
            pending.early.append(command)
            stage = .encryption(pending)
            return []
        case .keys(var transfer):
            let actions = try transfer.receive(command)
            stage = .keys(transfer)
            return perform(actions, at: now) + completion()
        case .over: return []
        }
    }

    private mutating func takeRequest(_ command: SMPCommand, at now: Duration) throws(PairingRefusal) -> [Output] {
        guard setup.role == .responder, case .pairingRequest(let request) = command else { throw .unexpected(command) }
        let response = setup.features.response(to: request, hasIdentity: setup.identity != nil)
        let features = PairingFeatureExchange(request: request, response: response)
        try setup.features.check(features, as: .responder)
        return [send(.pairingResponse(response), at: now)] + (try agree(on: features, at: now))
    }

    private mutating func takeResponse(
        _ command: SMPCommand, to request: PairingParameters, at now: Duration
    ) throws(PairingRefusal) -> [Output] {
        guard case .pairingResponse(let response) = command else { throw .unexpected(command) }
        let unasked = response.initiatorKeys.subtracting(request.initiatorKeys)
            .union(response.responderKeys.subtracting(request.responderKeys))
        guard unasked.isDisjoint(with: .all) else {
            throw PairingRefusal(.invalidParameters, "its Pairing Response has keys that were not requested")
        }
        let features = PairingFeatureExchange(request: request, response: response)
        try setup.features.check(features, as: .initiator)
        return try agree(on: features, at: now)
    }

    private mutating func agree(
        on features: PairingFeatureExchange, at now: Duration
    ) throws(PairingRefusal) -> [Output] {
        let isAsked =
            switch setup.features.consent {
            case .never: false
            case .asResponder: setup.role == .responder
            case .always: true
            }
        guard isAsked, features.method == .justWorks else { return authenticate(features, at: now) }
        stage = .consent(features, held: nil)
        return [.askConsent]
    }

    private mutating func authenticate(_ features: PairingFeatureExchange, at now: Duration) -> [Output] {
        let addresses =
            switch setup.role {
            case .initiator: PairingAddresses(initiator: setup.local, responder: setup.peer)
            case .responder: PairingAddresses(initiator: setup.peer, responder: setup.local)
            }
        let party = PairingParty(role: setup.role, features: features, addresses: addresses, random: setup.random)
        if features.isSecureConnections {
            let exchange = PublicKeyExchange(party, settings: setup.features)
            stage = .publicKey(exchange)
            return perform(exchange.start(), at: now)
        }
        var exchange = LegacyExchange(party)
        let actions = exchange.start()
        stage = .legacy(exchange)
        return perform(actions, at: now)
    }

    mutating func takeAnswer(_ isAccepted: Bool, at now: Duration) throws(PairingRefusal) -> [Output] {
        switch stage {
        case .consent(let features, let held):
            guard isAccepted else { return refuse(setup.features.consentRefusal, cause: .cancelled) }
            let outputs = authenticate(features, at: now)
            guard let held else { return outputs }
            return outputs + (try take(held, at: now))
        case .secure(var exchange):
            let actions = try exchange.compare(isEqual: isAccepted)
            stage = .secure(exchange)
            return perform(actions, at: now)
        default: return []
        }
    }

    mutating func takePasskey(_ passkey: UInt32?, at now: Duration) throws(PairingRefusal) -> [Output] {
        guard let features, features.method.isPasskeyEntry, isAuthenticating else { return [] }
        guard let passkey, passkey <= 999_999 else { return refuse(.passkeyEntryFailed, cause: .cancelled) }
        switch stage {
        case .legacy(var exchange):
            let actions = try exchange.enter(passkey)
            stage = .legacy(exchange)
            return perform(actions, at: now)
        case .secure(var exchange):
            let actions = try exchange.enter(passkey)
            stage = .secure(exchange)
            return perform(actions, at: now)
        default: return []
        }
    }

    mutating func takeEncryption(_ encryption: Encryption, at now: Duration) throws(PairingRefusal) -> [Output] {
        guard case .encryption(let pending) = stage, setup.role == .initiator || pending.isGiven else { return [] }
        if case .failed(let status) = encryption {
            return refuse(.unspecifiedReason, cause: .encryptionFailed(status: status), by: .link)
        }
        var transfer = KeyTransfer(
            pending.key, role: setup.role, identity: setup.identity, random: setup.random)
        let actions = transfer.start()
        stage = .keys(transfer)
        var outputs = perform(actions, at: now) + completion()
        for command in pending.early { outputs += try take(command, at: now) }
        return outputs
    }

    private mutating func completion() -> [Output] {
        guard case .keys(let transfer) = stage, transfer.isComplete else { return [] }
        finish()
        return [.completed(transfer.result)]
    }
}

extension PairingFeatureExchange {
    /// The command with which the initiator starts phase 2.
    fileprivate var firstOfPhaseTwo: SMPCommand.Code { isSecureConnections ? .publicKey : .pairingConfirm }
}

extension SMPCommand {
    /// Whether it belongs to the distribution of keys.
    fileprivate var isKeyDistribution: Bool {
        switch code {
        case .encryptionInformation, .centralIdentification, .identityInformation, .identityAddressInformation,
            .signingInformation:
            true
        default: false
        }
    }
}
