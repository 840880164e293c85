import RadioModel

// This phone's address in the air.
extension AddressBook {
    /// Whether the owner must end advertising, scans and attempts to connect, because the address changes.
    package var wantsQuiet: Bool { isChangeDue || !pending.isEmpty }

    /// When something is due.
    package var deadline: Duration? { isPowered && !wantsQuiet ? changeTime : nil }

    /// Begins with a new address: the controller was reset.
    package mutating func powerOn(at now: Duration) -> [Output] {
        powerOff()
        isPowered = true
        if !configuration.isPrivate, !identity.address.isRandom {
            current = identity.address
            return [.changed(identity.address)]
        }
        isChangeDue = true
        return []
    }

    /// Forgets the address in the air. Peers stay.
    package mutating func powerOff() {
        (isPowered, current, changeTime, isChangeDue, isQuiet) = (false, nil, nil, false, false)
        pending.removeAll()
        retry.succeeded()
    }

    /// Asks for a change of the address when its time has come.
    package mutating func advance(to now: Duration) -> [Output] {
        guard let deadline, deadline <= now else { return [] }
        return change(at: now)
    }

    /// Changes the address before its time. A static or public address stays.
    package mutating func change(at now: Duration) -> [Output] {
        guard isPowered, configuration.isPrivate || current == nil else { return [] }
        (isChangeDue, changeTime) = (true, nil)
        return setWaitingAddress()
    }

    /// Whether the controller advertises, scans or connects no more, and has answered all commands about that.
    package mutating func setQuiet(_ isQuiet: Bool, at now: Duration) -> [Output] {
        self.isQuiet = isQuiet
        return setWaitingAddress()
    }

    /// Takes the result of a command.
    package mutating func completed(_ purpose: CommandPurpose, _ status: HCIError, at now: Duration) -> [Output] {
        guard let address = pending.end(purpose) else { return [] }
        guard status.isSuccess else {
            retry.refused(at: now)
            changeTime = retry.end
            return [.refused(HCICommand.refusal(of: HCIOpcode.leSetRandomAddress.name, status))] + setWaitingAddress()
        }
        retry.succeeded()
        current = address
        changeTime = configuration.isPrivate ? now + max(configuration.rotation, .seconds(1)) : nil
        return [.changed(address)] + setWaitingAddress()
    }

    private mutating func setWaitingAddress() -> [Output] {
        guard isChangeDue, isQuiet, pending.isEmpty else { return [] }
        isChangeDue = false
        let address =
            configuration.isPrivate
            ? ResolvablePrivateAddress.make(key: identity.resolvingKey, random: random) : identity.address
        return [.command(.leSetRandomAddress(address.address), pending.begin(address))]
    }
}
