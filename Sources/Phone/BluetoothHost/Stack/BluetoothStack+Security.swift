import RadioModel

// Pairing, encryption and bonds.
extension BluetoothStack {
    mutating func take(_ outputs: [SecurityManager.Output], of link: inout StackLink) {
        for output in outputs {
            switch output {
            case .send(let packet): take(link.l2cap.send(packet, on: .securityManager), of: &link)
            case .compare(let number): tell(.compare(link.address, number))
            case .showPasskey(let passkey): tell(.showPasskey(link.address, passkey))
            case .askPasskey: tell(.askPasskey(link.address))
            case .askConsent: tell(.askConsent(link.address))
            case .keypress: break
            case .encrypt(let key):
                let command = HCICommand.leEnableEncryption(
                    link.handle, random: key.rand, diversifier: key.ediv, key: key.value.leastSignificantFirst)
                send(command, for: .encryption(link.handle))
            case .completed(let result): paired(result, &link)
            case .failed(let end): pairingFailed(end, &link)
            case .encryptionFailed(let status):
                let error = HCIError(rawValue: status)
                tell(.bondRefused(link.address, error))
                giveUp(&link)
                finishOpening(&link, .failure(.bondRefused(error)))
                if personality.link.endsWithoutBond { end(&link, because: "authentication failed: \(error)") }
            case .noticed(let text): tell(.note(link.address, text))
            }
        }
    }

    /// Takes the controller's word about encryption.
    mutating func takeEncryption(_ encryption: SecurityManager.Encryption, of link: inout StackLink) {
        let before = link.protection
        take(link.security.linkEncrypted(encryption, at: now), of: &link)
        useProtection(of: &link, before: before)
    }

    /// Gives the layers above the link's new protection.
    private mutating func useProtection(of link: inout StackLink, before: LinkSecurity) {
        let protection = link.protection
        guard protection != before else { return }
        link.l2cap.security = protection
        link.bearer.server.security = protection
        tell(.protected(link.address, protection))
        guard protection.isEncrypted else { return }
        finishOpening(&link, .success(.done))
        if !before.isEncrypted { restore(&link) }
        take(link.client.linkWasEncrypted(over: &link.bearer.client, at: now), of: &link)
        if !link.hasBegunEncrypted {
            link.hasBegunEncrypted = true
            begin(&link, isEncrypted: true)
        }
        // During a pairing, its end decides about what waits.
        if !link.security.isPairing { retry(&link) }
    }

    private mutating func paired(_ result: PairingResult, _ link: inout StackLink) {
        link.l2cap.security = link.protection
        link.bearer.server.security = link.protection
        if let keys = result.bond {
            let identity = result.keys.peerIdentity?.address ?? link.device
            let bond = StackBond(
                identity: identity, keys: keys, subscriptions: link.bearer.server.configurations)
            remember(bond)
            link.l2cap.hasKey = true
            link.bearer.server.isBonded = true
            if identity != link.device {
                tell(.identified(link.address, as: identity.address))
                link.device = identity
            }
        }
        tell(.paired(link.address, result.strength, isBonded: result.isBonded))
        if result.isBonded {
            take(link.client.bonded(over: &link.bearer.client, at: now), of: &link)
        }
        for id in link.pairing { complete(id, .success(.paired(result.strength, isBonded: result.isBonded))) }
        link.pairing = []
        retry(&link)
    }

    private mutating func pairingFailed(_ end: PairingEnd, _ link: inout StackLink) {
        tell(.pairingFailed(link.address, end))
        for id in link.pairing { complete(id, .failure(.pairing(end))) }
        link.pairing = []
        giveUp(&link)
    }

    /// Keeps a bond.
    mutating func remember(_ bond: StackBond) {
        bonds[bond.identity.address] = bond
        kinds.set(bond.identity.address, bond.identity.isRandom)
        if let identity = bond.keys.keys.peerIdentity { access.add(identity) }
    }

    /// Better protection for a GATT request: encryption with the key of the bond, else a pairing.
    mutating func protect(_ id: GATTRequestID, of link: inout StackLink) {
        link.waiting.append(id)
        if link.security.isPairing { return }
        let outputs =
            link.protection.isEncrypted || bonds[link.address] == nil
            ? link.security.requestPairing(at: now) : link.security.encryptWithBond(at: now)
        take(outputs, of: &link)
    }

    private mutating func retry(_ link: inout StackLink) {
        let waiting = link.waiting
        link.waiting = []
        for id in waiting { take(link.client.retry(id, over: &link.bearer.client, at: now), of: &link) }
    }

    private mutating func giveUp(_ link: inout StackLink) {
        let waiting = link.waiting
        link.waiting = []
        for id in waiting { take(link.client.giveUp(id, over: &link.bearer.client, at: now), of: &link) }
    }
}

// The person's answers, and what she forgets.
extension BluetoothStack {
    /// Gives the answer to `StackEvent.compare` or `.askConsent`.
    package mutating func confirm(_ address: DeviceAddress, _ isAccepted: Bool, at now: Duration) -> [Output] {
        onSecurity(of: address, at: now) { security, now in security.confirm(isAccepted, at: now) }
    }

    /// Gives the answer to `StackEvent.askPasskey`: 0 to 999,999, or nil to cancel, also while a passkey is shown.
    package mutating func enterPasskey(_ address: DeviceAddress, _ passkey: UInt32?, at now: Duration) -> [Output] {
        onSecurity(of: address, at: now) { security, now in security.enterPasskey(passkey, at: now) }
    }

    /// Ends a pairing.
    package mutating func cancelPairing(_ address: DeviceAddress, at now: Duration) -> [Output] {
        onSecurity(of: address, at: now) { security, now in security.cancel(at: now) }
    }

    /// Deletes the bond with a device, and ends the link to it. A pairing ends here, not with the link: its last message may
    /// come before that, and would make another bond.
    package mutating func forget(_ address: DeviceAddress, at now: Duration) -> [Output] {
        act(at: now) { stack in
            if let bond = stack.bonds.removeValue(forKey: address) { stack.access.forget(bond.identity) }
            stack.attempts[address] = nil
            stack.endBridging(of: address)
            stack.tables.remove(address)
            guard let handle = stack.handle(of: address) else { return }
            stack.onLink(handle) { stack, link in
                stack.take(link.security.linkLost(at: stack.now), of: &link)
                link.security.bond = nil
                link.client.table.invalidate(.all)
                stack.take(stack.access.disconnect(handle, at: stack.now))
            }
        }
    }

    private mutating func onSecurity(
        of address: DeviceAddress, at now: Duration,
        _ body: (inout SecurityManager, Duration) -> [SecurityManager.Output]
    ) -> [Output] {
        act(at: now) { stack in
            guard let handle = stack.handle(of: address) else { return }
            stack.onLink(handle) { stack, link in
                let before = link.protection
                stack.take(body(&link.security, stack.now), of: &link)
                stack.useProtection(of: &link, before: before)
            }
        }
    }
}
