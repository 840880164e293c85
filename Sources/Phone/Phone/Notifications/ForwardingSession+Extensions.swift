import Foundation

extension ForwardingSession {
    /// Launches the extensions. The security extension, which starts the key exchange, is the last.
    ///
    /// - Throws: ``ForwardingError`` if an extension rejects the session (S1), declares a different extension point, or
    ///   ends each time that it is launched.
    func launch(_ extensions: ForwardingExtensions) async throws {
        self.extensions = extensions
        for which in [ForwardingExtension.transport(.bluetooth), .dataProvider, .security] { try await launch(which) }
    }

    /// Makes the extension of a run, and offers it the session.
    ///
    /// - Throws: ``ExtensionRunEnded`` if its process ends before it has accepted the session.
    func offerSession(to run: ExtensionRun) async throws {
        guard let extensions else { return }
        switch run.which {
        case .dataProvider: try activate(extensions.provider, as: run)
        case .security: try await offer(to: extensions.security, as: run)
        case .transport(let transport): try await offer(to: extensions.transport, over: transport, as: run)
        }
    }

    // MARK: Data provider

    private func activate(_ provider: any HostableDataProvider.Type, as run: ExtensionRun) throws {
        let host = link.hosting(run)
        let port = NotificationsPort(sessionID: id, link: host) { [weak self] message in
            guard let self else { throw ForwardingError.ended }
            try await self.send(message, from: run)
        }
        let handlers = try host.run {
            let handlers = try ForwardingExtensions.make(provider).makeNotificationHandlers()
            for handler in handlers { handler.activate(port) }
            return handlers
        }
        run.reached(.launch)
        guard run.isRunning else { throw ExtensionRunEnded() }
        providers = handlers ?? []
        guard !providers.isEmpty else {
            throw ForwardingError.unavailable("\(provider) does not implement NotificationsForwarding")
        }
    }

    /// Calls into the data provider.
    func callProvider(_ body: (any HostedNotificationsHandler) -> Void) {
        guard let run = runs[.dataProvider]?.run else { return }
        link.hosting(run).run { for provider in providers { body(provider) } }
    }

    // MARK: Security

    /// Offers the security extension a new session. Its previous session has ended.
    private func offer(to type: any HostableSecurityExtension.Type, as run: ExtensionRun) async throws {
        let number = securitySession.withLock { number in
            number += 1
            return number
        }
        let port = SecurityPort(
            send: { [weak self] message throws(SecurityPortError) in
                guard let self, run.isRunning, securitySession.withLock({ $0 }) == number else { throw .invalidated }
                try self.receive(message)
                run.reached(.send)
            },
            cancel: { [weak self] error in
                guard let self, run.isRunning, securitySession.withLock({ $0 }) == number else { return }
                Task { await self.end("the security extension cancelled it: \(reason(error))") }
            })
        try await security.launch(as: run) { try accepted(ForwardingExtensions.make(type).offer(port), by: "security") }
        // The session may have ended in the meantime.
        if isOver { security.end { $0.invalidated(nil) } }
    }

    // MARK: Transports

    /// Runs the transport extension once for each of these transports, and ends it for the others.
    ///
    /// A transport whose extension rejects the session is left out. Bluetooth always runs.
    func launchTransports(_ wanted: [AccessoryTransport]) async {
        wantedTransports = Set(wanted).union([.bluetooth])
        for transport in AccessoryTransport.allCases where transport != .bluetooth {
            let which = ForwardingExtension.transport(transport)
            if wanted.contains(transport), processes[transport] == nil, !relaunching.contains(which) {
                do { try await launch(which) } catch { record(.failed("\(transport): \(error)")) }
            } else if !wanted.contains(transport) {
                leaveOut(transport)
            }
        }
    }

    private func leaveOut(_ transport: AccessoryTransport) {
        processes.removeValue(forKey: transport)?.end { $0.invalidated(nil) }
        forget(.transport(transport))
    }

    private func offer(
        to type: any HostableTransportExtension.Type, over transport: AccessoryTransport, as run: ExtensionRun
    ) async throws {
        let process = ExtensionProcess<any HostedTransportHandler>("transport.\(transport)", link: link)
        let token = transport == .internet ? pushToken : nil
        let port = TransportPort(
            transport: transport, pushToken: token,
            restoreIdentifier: transport == .bluetooth ? "accessory-transport.\(id)" : nil,
            send: { [weak self] message throws(TransportPortError) in
                guard let self, run.isRunning else { throw .invalidated }
                try self.receive(message, over: transport)
                run.reached(.send)
            },
            cancel: { [weak self] error in
                guard let self, run.isRunning else { return }
                Task { await self.transportCancelled(transport, reason(error)) }
            })
        try await process.launch(as: run) {
            try accepted(ForwardingExtensions.make(type).offer(port), by: "transport")
        }
        // The session may have ended in the meantime.
        guard !isOver else { return process.end { $0.invalidated(nil) } }
        processes[transport] = process
        if let token { link.phone?.part(PushClient.self).register(token) }
    }

    /// Handles a transport that its extension cancelled. Bluetooth ends the session; any other transport is only left
    /// out.
    private func transportCancelled(_ transport: AccessoryTransport, _ why: String) {
        guard transport != .bluetooth else { return end("the transport extension cancelled it: \(why)") }
        guard processes[transport] != nil else { return }
        leaveOut(transport)
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
