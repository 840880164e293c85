import RadioModel

// Answers and events of the controller.
extension ClassicBridge {
    /// Takes the answer to a command.
    ///
    /// - Parameter values: The return parameters after the status.
    mutating func completed(_ command: Command, _ status: HCIError, _ values: [UInt8], at now: Duration) -> [Output] {
        switch command {
        case .connect:
            guard !status.isSuccess else { return [] }
            // Nothing was begun, so that nothing is to be cancelled.
            if phase == .step(.connection) { result = .failure(.refused(HCIOpcode.createConnection.name, status)) }
            return phase == .step(.connection) || phase == .cancelling ? finish() : []
        // Otherwise the end of the attempt follows.
        case .cancel: return status == .unknownConnection && phase == .cancelling ? finish() : []
        case .authenticate: return refused(.authenticationRequested, status, in: .authentication, at: now)
        case .encrypt: return refused(.setConnectionEncryption, status, in: .encryption, at: now)
        case .readKeySize: return takeKeySize(status, values, at: now)
        case .disconnect:
            guard !status.isSuccess, phase == .ending else { return [] }
            let isGone = status == .unknownConnection
            return (isGone ? [] : [.note(HCICommand.refusal(of: HCIOpcode.disconnect.name, status))]) + finish()
        }
    }

    private mutating func refused(
        _ opcode: HCIOpcode, _ status: HCIError, in step: BridgingStep, at now: Duration
    ) -> [Output] {
        guard !status.isSuccess, phase == .step(step) else { return [] }
        return fail(.refused(opcode.name, status), at: now)
    }

    /// Takes an event of the controller. Events of other links change nothing.
    mutating func receive(_ event: HCIEvent, at now: Duration) -> [Output] {
        switch event {
        case .connectionComplete(let link) where link.address == address: take(link, at: now)
        case .disconnectionComplete(handle, let status, let reason): take(end: reason, status, at: now)
        case .authenticationComplete(handle, let status): authenticated(status, at: now)
        case .encryptionChange(let change) where change.handle == handle: take(change, at: now)
        case .encryptionKeyRefreshComplete(handle, let status):
            status.isSuccess ? [] : fail(.notEncrypted(status), at: now)
        default: []
        }
    }

    private mutating func take(_ link: ClassicConnectionComplete, at now: Duration) -> [Output] {
        switch phase {
        case .step(.connection) where link.status.isSuccess:
            handle = link.handle
            phase = .step(.authentication)
            return [.opened(link.handle), .command(.authenticationRequested(link.handle), .authenticate)]
        case .step(.connection):
            result = .failure(.notConnected(link.status))
            return finish()
        case .cancelling where link.status.isSuccess:
            // The device answered before the call was cancelled.
            handle = link.handle
            return [.opened(link.handle)] + hangUp(at: now)
        case .cancelling: return finish()
        default: return []
        }
    }

    private mutating func take(end reason: HCIError, _ status: HCIError, at now: Duration) -> [Output] {
        guard status.isSuccess else {
            // The link stays, though nobody needs it any more.
            let note = Output.note(HCICommand.refusal(of: HCIOpcode.disconnect.name, status))
            return phase == .ending ? [note] + finish() : [note]
        }
        if case .step(let step) = phase { result = .failure(.linkLost(step, reason)) }
        return finish()
    }

    private mutating func authenticated(_ status: HCIError, at now: Duration) -> [Output] {
        guard phase == .step(.authentication), let handle else { return [] }
        guard status.isSuccess else { return fail(.notAuthenticated(status), at: now) }
        // The device may have encrypted the link by itself.
        if isEncrypted { return readKeySize(of: handle) }
        phase = .step(.encryption)
        return [.command(.setConnectionEncryption(handle, true), .encrypt)]
    }

    private mutating func take(_ change: EncryptionChange, at now: Duration) -> [Output] {
        guard change.status.isSuccess else {
            return phase == .step(.encryption) ? fail(.notEncrypted(change.status), at: now) : []
        }
        isEncrypted = change.isOn
        guard change.isOn else {
            // Before the authentication is done, the phone has not asked for encryption yet.
            return phase == .step(.authentication) ? [] : fail(.encryptionEnded, at: now)
        }
        guard phase == .step(.encryption) else { return [] }
        if let size = change.keySize { return use(keySize: size, at: now) }
        return readKeySize(of: change.handle)
    }

    private mutating func readKeySize(of handle: ConnectionHandle) -> [Output] {
        phase = .step(.keySize)
        return [.command(.readEncryptionKeySize(handle), .readKeySize)]
    }

    private mutating func takeKeySize(_ status: HCIError, _ values: [UInt8], at now: Duration) -> [Output] {
        guard phase == .step(.keySize) else { return [] }
        guard status.isSuccess else {
            return fail(.refused(HCIOpcode.readEncryptionKeySize.name, status), at: now)
        }
        // The handle, then the size. Without a size the key counts as none.
        return use(keySize: values.count >= 3 ? Int(values[2]) : 0, at: now)
    }

    private mutating func use(keySize size: Int, at now: Duration) -> [Output] {
        guard size >= max(1, configuration.leastKeySize) else {
            return fail(.keyTooShort(size, least: max(1, configuration.leastKeySize)), at: now)
        }
        keySize = size
        l2cap.security = LinkSecurity(
            isEncrypted: true, isAuthenticated: strength.isAuthenticated,
            isSecureConnections: strength.isSecureConnections, keySize: size)
        return openChannel(at: now)
    }
}
