import Foundation
import Synchronization

/// Forwarding to one accessory: three extensions, the keys, and the messages on their way.
actor ForwardingSession {
    /// What the data provider is to be told.
    enum Command: Sendable {
        case add(PhoneNotification)
        case update(PhoneNotification)
        case remove(PhoneNotification.Identifier)
        case removeAll
    }

    enum Keys {
        case none
        case exchanging
        /// `number` counts the exchanges, from 1.
        case ready(PhoneKeys, number: Int)
    }

    /// Names the session in every message; the same for as long as the accessory stays set up.
    nonisolated let id: UUID
    /// The peripheral's identifier, which HPKE's `info` names if the accessory gives no other.
    nonisolated let peripheral: UUID
    nonisolated let link: PhoneLink
    nonisolated let record: @Sendable (ForwardingEvent.Kind) -> Void
    nonisolated let security: ExtensionProcess<any HostedSecurityHandler>
    nonisolated let transport: ExtensionProcess<any HostedTransportHandler>
    nonisolated let publicKeys: AsyncStream<PhoneKeys>.Continuation
    nonisolated let hasEnded = Mutex(false)
    var keys = Keys.none
    var exchangeCount = 0
    var keyWaiters: [AsyncStream<Void>.Continuation] = []
    var lastDelivery: Task<Void, any Error>?
    private nonisolated let commands: AsyncStream<Command>.Continuation
    private nonisolated let commandStream: AsyncStream<Command>
    private nonisolated let keyStream: AsyncStream<PhoneKeys>
    private var providers: [any HostedNotificationsHandler] = []

    init(id: UUID, peripheral: UUID, link: PhoneLink, record: @escaping @Sendable (ForwardingEvent.Kind) -> Void) {
        self.id = id
        self.peripheral = peripheral
        self.link = link
        self.record = record
        security = ExtensionProcess("security", link: link)
        transport = ExtensionProcess("transport", link: link)
        (commandStream, commands) = AsyncStream.makeStream()
        // An accessory that floods the phone with public keys makes it work on the newest ones only.
        (keyStream, publicKeys) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
    }

    deinit {
        commands.finish()
        publicKeys.finish()
    }

    /// Launches the extensions; the one that starts the key exchange comes last, when the others are there.
    ///
    /// - Throws: ``ForwardingError``, if an extension does not take the session (S1) or is bound elsewhere.
    func start(_ extensions: ForwardingExtensions) async throws {
        let cancel: @Sendable ((any Error)?) -> Void = { [weak self] error in
            guard let self else { return }
            Task { await self.end("an extension cancelled it: \(error.map { "\($0)" } ?? "it gave no reason")") }
        }
        try await transport.launch {
            try Self.accepted(
                ForwardingExtensions.make(extensions.transport).offer(TransportPort(cancel: cancel)), by: "transport")
        }
        try activate(extensions.provider)
        let port = SecurityPort(
            send: { [weak self] message throws(SecurityPortError) in
                guard let self else { throw .invalidated }
                try self.receive(message)
            }, cancel: cancel)
        try await security.launch {
            try Self.accepted(ForwardingExtensions.make(extensions.security).offer(port), by: "security")
        }
        record(.sessionStarted)
        Task { [weak self, keyStream] in for await keys in keyStream { await self?.exchange(keys) } }
        Task { [weak self, commandStream] in for await command in commandStream { await self?.carryOut(command) } }
    }

    private func activate(_ provider: any HostableDataProvider.Type) throws {
        let port = NotificationsPort(sessionID: id) { [weak self] message in
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

    private static func accepted<Handler>(_ offer: SessionOffer<Handler>, by name: String) throws -> Handler {
        switch offer {
        case .accepted(let handler): return handler
        case .rejected(let error):
            let reason = error.map { ": \($0)" } ?? " and gave no reason"
            throw ForwardingError.rejected("the \(name) extension rejected the session\(reason)")
        }
    }

    /// Tells the data provider something, after everything that it was told before.
    nonisolated func submit(_ command: Command) { commands.yield(command) }

    private func carryOut(_ command: Command) async {
        for provider in providers {
            switch command {
            case .add(let notification): await add(notification, to: provider)
            case .update(let notification): link.run { provider.update(notification) }
            case .remove(let identifier): link.run { provider.remove(identifier) }
            case .removeAll: link.run { provider.removeAll() }
            }
        }
    }

    /// A provider that throws has not alerted (N3).
    private func add(_ notification: PhoneNotification, to provider: any HostedNotificationsHandler) async {
        guard let phone = link.phone else { return }
        do {
            let alerted = try await phone.asCurrent {
                try await provider.add(notification, canAlert: notification.canAlert, suppressedByFocus: false)
            }
            record(.added(notification.identifier, alerted: alerted))
        } catch {
            record(.failed("notification \(notification.identifier.notificationIdentifier): \(error)"))
            record(.added(notification.identifier, alerted: false))
        }
    }

    /// Ends the session: extensions are told, keys forgotten (N6). A second call has no effect.
    func end(_ reason: String) {
        let isFirst = hasEnded.withLock { ended in
            defer { ended = true }
            return !ended
        }
        guard isFirst else { return }
        commands.finish()
        publicKeys.finish()
        keys = .none
        wakeKeyWaiters()
        let ended = providers
        providers = []
        link.run { for provider in ended { provider.invalidated() } }
        security.end { $0.invalidated(nil) }
        transport.end { $0.invalidated(nil) }
        record(.sessionEnded(reason))
    }
}
