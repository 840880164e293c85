import RadioModel

// The attempt that the controller works on.
extension Connector {
    /// Ends what has taken too long, and settles links.
    package mutating func advance(to now: Duration) -> [Output] {
        let outputs = settle(at: now)
        guard let current, let deadline = deadline(of: current), deadline <= now else { return outputs }
        if case .cancelling = current.phase {
            let text = "the controller did not end an attempt to connect for \(configuration.cancelLimit.plainText)"
            return outputs + [.refused(text)] + endCurrent(.unknownConnection, at: now)
        }
        let failure = ConnectFailure.timeout(current.attempt.limit)
        return outputs + [.failed(current.attempt.device, failure)] + stopCurrent(.end, at: now)
    }

    /// Begins with the next attempt, if the controller is free.
    mutating func step(at now: Duration) -> [Output] {
        guard let abilities, let local, isClear, !isHeld, current == nil, !queue.isEmpty else { return [] }
        let attempt = queue.removeFirst()
        var request = LEConnectionRequest(
            to: attempt.address, parameters: configuration.phases.parameters(beside: links.count))
        request.ownAddress = local.ownAddress
        request.scanInterval = configuration.scanInterval
        request.scanWindow = configuration.scanWindow
        request.eventLength = configuration.phases.eventLength
        request.phys = configuration.phys
        current = Initiation(attempt)
        let command: HCICommand =
            abilities.usesExtendedCommands ? .leExtendedCreateConnection(request) : .leCreateConnection(request)
        return [.command(command, pending.begin(.connect(attempt.address)))]
    }

    /// Asks the controller to give up. The stronger reason counts.
    mutating func stopCurrent(_ stop: Initiation.Stop, at now: Duration) -> [Output] {
        guard var initiation = current else { return [] }
        if initiation.stop != .end { initiation.stop = stop }
        defer { current = initiation }
        guard case .listening(let began) = initiation.phase else { return [] }
        initiation.attempt.used += now - began
        initiation.phase = .cancelling(until: now + configuration.cancelLimit)
        return [.command(.leCreateConnectionCancel, pending.begin(.cancel))]
    }

    /// Takes the result of a command.
    package mutating func completed(_ purpose: CommandPurpose, _ status: HCIError, at now: Duration) -> [Output] {
        switch pending.end(purpose) {
        case .connect: return connectBegan(status, at: now)
        case .cancel:
            // There was nothing to cancel. The event of a link that came first has ended the attempt.
            guard !status.isSuccess, case .cancelling = current?.phase else { return [] }
            return endCurrent(.unknownConnection, at: now)
        case .disconnect(let handle):
            guard !status.isSuccess, status != .unknownConnection else { return [] }
            links[handle]?.isClosing = false
            return [.refused(HCICommand.refusal(of: HCIOpcode.disconnect.name, status))]
        case .update:
            guard !status.isSuccess, status != .unknownConnection else { return [] }
            return [.refused(HCICommand.refusal(of: HCIOpcode.leConnectionUpdate.name, status))]
        case nil: return []
        }
    }

    private mutating func connectBegan(_ status: HCIError, at now: Duration) -> [Output] {
        guard let initiation = current, initiation.phase == .starting else { return [] }
        if status.isSuccess {
            current?.phase = .listening(since: now)
            return initiation.stop.map { stopCurrent($0, at: now) } ?? []
        }
        current = nil
        let isExtended = abilities?.usesExtendedCommands == true
        let name = (isExtended ? HCIOpcode.leExtendedCreateConnection : .leCreateConnection).name
        let failure = Output.failed(initiation.attempt.device, .refused(name, status))
        return (initiation.stop == .end ? [] : [failure]) + step(at: now)
    }

    /// Takes the controller's event about a new link as a central, or about none.
    ///
    /// - Parameter addresses: Finds the device behind a private address.
    package mutating func connectionComplete(
        _ event: LEConnectionComplete, resolving addresses: inout AddressBook, at now: Duration
    ) -> [Output] {
        guard abilities != nil else { return [] }
        guard event.status.isSuccess else { return endCurrent(event.status, at: now) }
        guard let initiation = current, let local, matches(event, initiation) else {
            // A link after its attempt was given up.
            return disconnect(unwanted: event.handle)
        }
        current = nil
        guard initiation.stop != .end else { return disconnect(unwanted: event.handle) + step(at: now) }
        links[event.handle] = Link(attempt: initiation.attempt, settles: settleTime(at: now))
        let link = OpenedLink(
            event, device: initiation.attempt.device, peer: initiation.target, local: local)
        _ = addresses.resolve(link.peer)
        return [.opened(link)] + step(at: now)
    }

    private func matches(_ event: LEConnectionComplete, _ initiation: Initiation) -> Bool {
        guard let peer = event.peer, !event.isResolved else { return true }
        return peer == initiation.target
    }

    /// The controller has given up: what becomes of the attempt?
    mutating func endCurrent(_ status: HCIError, at now: Duration) -> [Output] {
        guard let initiation = current else { return [] }
        current = nil
        var outputs: [Output] = []
        switch initiation.stop {
        case .end: break
        case .pause: queue.insert(initiation.attempt, at: 0)
        case nil where status == .notEstablished: outputs = tryAgain(initiation.attempt)
        case nil: outputs = [.failed(initiation.attempt.device, .failed(status))]
        }
        return outputs + step(at: now)
    }

    /// Another try with a device that did not answer on its link.
    mutating func tryAgain(_ attempt: ConnectionAttempt) -> [Output] {
        var attempt = attempt
        attempt.tries += 1
        attempt.used = .zero
        guard attempt.tries < configuration.establishmentTries else {
            return [.failed(attempt.device, .notEstablished(tries: attempt.tries))]
        }
        guard !queue.contains(where: { $0.device == attempt.device }) else { return [] }
        queue.insert(attempt, at: 0)
        return [.retrying(attempt.device, tries: attempt.tries)]
    }
}
