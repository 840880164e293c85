import Foundation

extension ForwardingSession {
    /// Launches the extensions; the one that starts the key exchange comes last, when the others are there.
    ///
    /// - Throws: ``ForwardingError``, if an extension does not take the session (S1) or is bound elsewhere.
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
            throw ForwardingError.unavailable("\(provider) implements no NotificationsForwarding")
        }
    }

    // MARK: Security

    /// Offers the security extension a session; one that it had before is over.
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
        // The end may have come between.
        if isOver { security.end { $0.invalidated(nil) } }
    }

    // MARK: Transports

    /// Has the transport extension run for these transports, once for each, and for no others.
    ///
    /// One that does not take its session is left out; Bluetooth is always there.
    func launchTransports(_ wanted: [ForwardingTransport]) async {
        for transport in ForwardingTransport.allCases where transport != .bluetooth {
            if wanted.contains(transport), lanes[transport] == nil {
                do { try await launchTransport(transport) } catch { record(.failed("\(transport): \(error)")) }
            } else if !wanted.contains(transport) {
                lanes.removeValue(forKey: transport)?.end { $0.invalidated(nil) }
            }
        }
    }

    private func launchTransport(_ transport: ForwardingTransport) async throws {
        guard let type = extensions?.transport else { return }
        let lane = ExtensionProcess<any HostedTransportHandler>("transport.\(transport)", link: link)
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
        try await lane.launch { try accepted(ForwardingExtensions.make(type).offer(port), by: "transport") }
        // The end may have come between.
        guard !isOver else { return lane.end { $0.invalidated(nil) } }
        lanes[transport] = lane
        if let token { link.phone?.part(PushClient.self).register(token) }
    }

    /// Without Bluetooth there is no session; without another transport there are the rest.
    private func transportCancelled(_ transport: ForwardingTransport, _ why: String) {
        guard transport != .bluetooth else { return end("the transport extension cancelled it: \(why)") }
        guard let lane = lanes.removeValue(forKey: transport) else { return }
        lane.end { $0.invalidated(nil) }
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
