import Foundation
import Synchronization

/// Forwarding to one accessory: three extensions, the keys, and the messages on their way.
actor ForwardingSession {
    /// What the data provider is to be told.
    enum Command: Sendable {
        case add(PhoneNotification, Alerting)
        case update(PhoneNotification)
        case remove(PhoneNotification.Identifier)
        case removeAll
    }

    /// What came from the accessory.
    struct Incoming: Sendable {
        let data: Data
        let transport: ForwardingTransport
    }

    /// Names the session in every message; the same for as long as the accessory stays set up.
    nonisolated let id: UUID
    /// The peripheral's identifier, which HPKE's `info` names if the accessory gives no other.
    nonisolated let peripheral: UUID
    nonisolated let link: PhoneLink
    nonisolated let record: @Sendable (ForwardingEvent.Kind) -> Void
    /// Names this session to whoever brings messages of the accessory's over the internet.
    nonisolated let pushToken = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
    nonisolated let security: ExtensionProcess<any HostedSecurityHandler>
    nonisolated let publicKeys: AsyncStream<PhoneKeys>.Continuation
    nonisolated let incoming: AsyncStream<Incoming>.Continuation
    /// Whether the accessory's link is up, at each change.
    nonisolated let linkChanges: AsyncStream<Bool>.Continuation
    nonisolated let hasEnded = Mutex(false)
    /// Whether it was ended, by the person, an extension, or an error; nothing is told in it any more.
    nonisolated var isOver: Bool { hasEnded.withLock { $0 } }
    /// Counts the security extension's sessions: what an earlier one says is not heard.
    nonisolated let securitySession = Mutex(0)
    var extensions: ForwardingExtensions?
    var providers: [any HostedNotificationsHandler] = []
    /// The transport extension, once for each transport.
    var lanes: [ForwardingTransport: ExtensionProcess<any HostedTransportHandler>] = [:]

    /// The newest keys. The accessory may use them before the extension tells that it has them; the phone does not.
    var keys: PhoneKeys?
    var hasKeys = false
    /// How many exchanges ended well; names the keys that a message was sealed with.
    var exchangeCount = 0
    /// How many messages in a row did not open.
    var unopenedCount = 0
    var keyWaiters: [AsyncStream<Void>.Continuation] = []

    var line = DeliveryLine()
    var lineWaiters: [AsyncStream<Void>.Continuation] = []
    /// The messages on their way, by their numbers in the line.
    var deliveries: [Int: Task<Void, any Error>] = [:]
    /// How many payloads arrived, by transport.
    var arrivals: [ForwardingTransport: Int] = [:]
    /// How many notifications the data provider is being told of.
    var addCount = 0
    var addWaiter: AsyncStream<Void>.Continuation?
    /// Whether the radio told that the link is gone, and not that it is back.
    var isBluetoothLost = false
    /// Whether the link came up since the message on its way began its last round.
    var bluetoothReturned = false
    var linkWaiters: [AsyncStream<Void>.Continuation] = []

    /// What is not told, or not sent, yet; what is left at the end is the next session's.
    private nonisolated let backlog: ForwardingBacklog
    private nonisolated let commands: AsyncStream<(Int, Command)>.Continuation
    private nonisolated let commandStream: AsyncStream<(Int, Command)>
    private nonisolated let keyStream: AsyncStream<PhoneKeys>
    private nonisolated let incomingStream: AsyncStream<Incoming>
    private nonisolated let linkStream: AsyncStream<Bool>

    init(
        id: UUID, peripheral: UUID, link: PhoneLink, backlog: ForwardingBacklog,
        record: @escaping @Sendable (ForwardingEvent.Kind) -> Void
    ) {
        self.id = id
        self.peripheral = peripheral
        self.link = link
        self.backlog = backlog
        self.record = record
        security = ExtensionProcess("security", link: link)
        (commandStream, commands) = AsyncStream.makeStream()
        // An accessory that floods the phone with public keys makes it work on the newest ones only.
        (keyStream, publicKeys) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingNewest(link.policy.publicKeyBacklog))
        (incomingStream, incoming) = AsyncStream.makeStream(
            bufferingPolicy: .bufferingOldest(link.policy.accessoryMessageBacklog))
        (linkStream, linkChanges) = AsyncStream.makeStream()
    }

    deinit {
        commands.finish()
        publicKeys.finish()
        incoming.finish()
        linkChanges.finish()
    }

    /// Launches the extensions, and begins.
    ///
    /// - Throws: ``ForwardingError``, if an extension does not take the session (S1) or is bound elsewhere.
    func start(_ extensions: ForwardingExtensions) async throws {
        try await launch(extensions)
        record(.sessionStarted)
        Task { [weak self, keyStream] in for await keys in keyStream { await self?.exchange(keys) } }
        Task { [weak self, commandStream] in
            for await (number, command) in commandStream { await self?.carryOut(command, number) }
        }
        Task { [weak self, incomingStream] in for await message in incomingStream { await self?.open(message) } }
        Task { [weak self, linkStream] in for await isUp in linkStream { await self?.linkChanged(isUp: isUp) } }
    }

    /// Tells the data provider something, after everything that it was told before.
    nonisolated func submit(_ command: Command) { commands.yield((backlog.add(command), command)) }

    private func carryOut(_ command: Command, _ number: Int) async {
        guard !isOver else { return }
        let telling = Telling { [backlog, weak self] hasArrived in
            // What the session ended on its way is to be told again.
            if hasArrived || self?.isOver == false { backlog.settle(number) }
        }
        await Telling.$current.withValue(telling) {
            for provider in providers {
                switch command {
                case .add(let notification, let alerting): await begin(notification, alerting, with: provider)
                case .update(let notification): link.run { provider.update(notification) }
                case .remove(let identifier): link.run { provider.remove(identifier) }
                case .removeAll: link.run { provider.removeAll() }
                }
            }
        }
    }

    /// Ends the session: what is on its way is given up, extensions are told, keys forgotten (N6). A second call has no
    /// effect.
    ///
    /// - Parameter error: What the extensions are given; nil where the person ended it.
    func end(_ reason: String, error: (any Error)? = nil) {
        let isFirst = hasEnded.withLock { ended in
            defer { ended = true }
            return !ended
        }
        guard isFirst else { return }
        commands.finish()
        publicKeys.finish()
        incoming.finish()
        linkChanges.finish()
        link.phone?.part(PushClient.self).forget(pushToken)
        keys = nil
        hasKeys = false
        wakeKeyWaiters()
        for delivery in deliveries.values { delivery.cancel() }
        let (ended, lanes) = (providers, lanes)
        (providers, self.lanes) = ([], [:])
        link.run { for provider in ended { provider.invalidated() } }
        security.end { $0.invalidated(error) }
        for lane in lanes.values { lane.end { $0.invalidated(error) } }
        record(.sessionEnded(reason))
    }
}
