import Foundation

extension ForwardingSession {
    /// Launches the extensions. The security extension, which starts the key exchange, is the last.
    ///
    /// - Throws: ``ForwardingError`` if an extension rejects the session (S1) or declares a different extension point.
    func launch(_ extensions: ForwardingExtensions) async throws {
        self.extensions = extensions
        try await launchTransport(.bluetooth)
        try activate(extensions.provider)
        try await launchSecurity()
    }

    private func activate(_ provider: any HostableDataProvider.Type) throws {
        let port = NotificationsPort(sessionID: id, link: link) { [weak self] message in
            guard let self else { throw ForwardingError.ended }
            try await self.send(message)
        }
        let handlers = try link.run {
            let handlers = try ForwardingExtensions.make(provider).makeNotificationHandlers()
            for handler in handlers { handler.activate(port) }
            return handlers
        }
        providers = handlers ?? []
        guard !providers.isEmpty else {
            throw ForwardingError.unavailable("\(provider) does not implement NotificationsForwarding")
        }
    }

    // MARK: Security

    /// Offers the security extension a new session. Its previous session has ended.
    func launchSecurity() async throws {
        guard let type = extensions?.security else { return }
        let number = securitySession.withLock { number in
            number += 1
            return number
        }
        let port = SecurityPort(
            send: { [weak self] message throws(SecurityPortError) in
                guard let self, securitySession.withLock({ $0 }) == number else { throw .invalidated }
                try self.receive(message)
            },
            cancel: { [weak self] error in
                guard let self, securitySession.withLock({ $0 }) == number else { return }
                Task { await self.end("the security extension cancelled it: \(reason(error))") }
            })
        try await security.launch { try accepted(ForwardingExtensions.make(type).offer(port), by: "security") }
        // The session may have ended in the meantime.
        if isOver { security.end { $0.invalidated(nil) } }
    }

    // MARK: Transports

    /// Runs the transport extension once for each of these transports, and ends it for the others.
    ///
    /// A transport whose extension rejects the session is left out. Bluetooth always runs.
    func launchTransports(_ wanted: [AccessoryTransport]) async {
        for transport in AccessoryTransport.allCases where transport != .bluetooth {
            if wanted.contains(transport), processes[transport] == nil {
                do { try await launchTransport(transport) } catch { record(.failed("\(transport): \(error)")) }
            } else if !wanted.contains(transport) {
                processes.removeValue(forKey: transport)?.end { $0.invalidated(nil) }
            }
        }
    }

    private func launchTransport(_ transport: AccessoryTransport) async throws {
        guard let type = extensions?.transport else { return }
        let process = ExtensionProcess<any HostedTransportHandler>("transport.\(transport)", link: link)
        let token = transport == .internet ? pushToken : nil
        let port = TransportPort(
            transport: transport, pushToken: token,
            send: { [weak self] message throws(TransportPortError) in
                guard let self else { throw .invalidated }
                try self.receive(message, over: transport)
            },
            cancel: { [weak self] error in
                guard let self else { return }
                Task { await self.transportCancelled(transport, reason(error)) }
            })
        try await process.launch { try accepted(ForwardingExtensions.make(type).offer(port), by: "transport") }
        // The session may have ended in the meantime.
        guard !isOver else { return process.end { $0.invalidated(nil) } }
        processes[transport] = process
        if let token { link.phone?.part(PushClient.self).register(token) }
    }

    /// Handles a transport that its extension cancelled. Bluetooth ends the session; any other transport is only left
    /// out.
    private func transportCancelled(_ transport: AccessoryTransport, _ why: String) {
        guard transport != .bluetooth else { return end("the transport extension cancelled it: \(why)") }
        guard let process = processes.removeValue(forKey: transport) else { return }
        process.end { $0.invalidated(nil) }
        record(.failed("\(transport): the transport extension cancelled its session: \(why)"))
    }
}

private func accepted<Handler>(_ offer: SessionOffer<Handler>, by name: String) throws -> Handler {
    switch offer {
    case .accepted(let handler): return handler
    case .rejected(let error):
        let reason = error.map { ": \($0)" } ?? " and gave no reason"
        throw ForwardingError.rejected("the \(name) extension rejected the session\(reason)")
    }
}

private func reason(_ error: (any Error)?) -> String {
    error.map { "\($0)" } ?? "it gave no reason"
}
