import RadioModel

// Links that exist.
extension Connector {
    /// Counts a link as a peripheral.
    package mutating func peripheralLinkOpened(_ handle: ConnectionHandle) { links[handle] = Link() }

    /// Ends a link. A link that is unknown or already being ended is left alone.
    package mutating func disconnect(_ handle: ConnectionHandle, reason: HCIError? = nil) -> [Output] {
        guard links[handle]?.isClosing == false else { return [] }
        links[handle]?.isClosing = true
        links[handle]?.settles = nil
        let command = HCICommand.disconnect(handle, reason: reason ?? configuration.endReason)
        return [.command(command, pending.begin(.disconnect(handle)))]
    }

    /// Ends a link of an attempt whose end was told.
    mutating func disconnect(unwanted handle: ConnectionHandle) -> [Output] {
        [.command(.disconnect(handle, reason: configuration.endReason), pending.begin(.disconnect(handle)))]
    }

    /// Takes the controller's event about the end of a link.
    package mutating func disconnected(
        _ handle: ConnectionHandle, status: HCIError, reason: HCIError, at now: Duration
    ) -> [Output] {
        guard status.isSuccess else {
            links[handle]?.isClosing = false
            return [.refused(HCICommand.refusal(of: HCIOpcode.disconnect.name, status))]
        }
        guard let link = links.removeValue(forKey: handle) else { return [] }
        var outputs = [Output.closed(handle, reason)]
        if reason == .notEstablished, !link.isClosing, let attempt = link.attempt { outputs += tryAgain(attempt) }
        return outputs + step(at: now)
    }

    /// The services of a link are known: it is settled.
    package mutating func discoveryEnded(on handle: ConnectionHandle) -> [Output] {
        guard links[handle]?.settles != nil, let parameters = configuration.phases.settled else { return [] }
        links[handle]?.settles = nil
        return [.command(.leConnectionUpdate(handle, parameters), pending.begin(.update(handle)))]
    }

    /// The peripheral's own parameters are in use: the phone keeps its own back.
    package mutating func parametersAgreed(on handle: ConnectionHandle) { links[handle]?.settles = nil }

    /// Settles links whose discovery takes long.
    mutating func settle(at now: Duration) -> [Output] {
        let due = links.filter { $0.value.settles.map { $0 <= now } ?? false }.keys
        return due.sorted { $0.rawValue < $1.rawValue }.flatMap { discoveryEnded(on: $0) }
    }

    func settleTime(at now: Duration) -> Duration? {
        configuration.phases.settled == nil ? nil : now + max(.zero, configuration.phases.settleTime)
    }
}
