import Foundation
import Synchronization

/// Forwards notifications to one accessory: runs the three extensions, holds the keys, and delivers the messages.
actor ForwardingSession {
    /// A command for the data provider.
    enum Command: Sendable {
        case add(PhoneNotification, Alerting)
        case update(PhoneNotification)
        case remove(PhoneNotification.Identifier)
        case removeAll
    }

    /// A sealed message from the accessory.
    struct Incoming: Sendable {
        let data: Data
        let transport: AccessoryTransport
    }

    /// Identifies the session in every message. It stays the same as long as the accessory is set up.
    nonisolated let id: UUID
    /// The ``AccessoryRecord/id`` of the accessory.
    nonisolated let accessory: UUID
    /// The peripheral's identifier. It is in HPKE's `info` if the accessory gives no other.
    nonisolated let peripheral: UUID
    nonisolated let link: PhoneLink
    nonisolated let record: @Sendable (ForwardingEvent.Kind) -> Void
    /// Identifies this session for messages of the accessory that come over the internet. 32 random bytes.
    nonisolated let pushToken = Data((0..<32).map { _ in UInt8.random(in: 0...255) })
    nonisolated let security: ExtensionProcess<any HostedSecurityHandler>
    nonisolated let publicKeys: AsyncStream<PhoneKeys>.Continuation
    nonisolated let incoming: AsyncStream<Incoming>.Continuation
    /// Receives each change of the accessory's link: whether it is up.
    nonisolated let linkChanges: AsyncStream<Bool>.Continuation
    nonisolated let hasEnded = Mutex(false)
    /// Whether the person, an extension or an error has ended the session. Then no more commands are carried out.
    nonisolated var isOver: Bool { hasEnded.withLock { $0 } }
    /// The number of the security extension's current session. Messages of earlier ones are ignored.
    nonisolated let securitySession = Mutex(0)
    var extensions: ForwardingExtensions?
    /// The running processes of the extensions.
    var runs: [ForwardingExtension: RunningExtension] = [:]
    /// The extensions whose process has ended and that are being launched again.
    var relaunching: Set<ForwardingExtension> = []
    var relaunches: [ForwardingExtension: ExtensionRelaunches] = [:]
    /// How often an extension was launched again.
    var launchCount = 0
    var launchWaiters: [AsyncStream<Void>.Continuation] = []
    /// The time since the session was made.
    nonisolated let elapsed: @Sendable () -> Duration
    var providers: [any HostedNotificationsHandler] = []
    /// The commands that the data provider works on.
    var inHand: [CommandInHand] = []
    /// The commands to be carried out again, before others: their process has ended.
    var again: [(number: Int, command: Command)] = []
    /// The transports that the accessory supports, with Bluetooth.
    var wantedTransports: Set<AccessoryTransport> = [.bluetooth]
    /// The processes of the transport extension, one for each transport.
    var processes: [AccessoryTransport: ExtensionProcess<any HostedTransportHandler>] = [:]

    /// The newest keys. The accessory may use them before the extension confirms that it has them; the phone must not.
    var keys: PhoneKeys?
    /// Whether the extension has confirmed that the accessory has the newest keys.
    var hasKeys = false
    /// The number of successful exchanges. It identifies the keys that a message was sealed with.
    var exchangeCount = 0
    /// The number of messages in a row that did not open.
    var unopenedCount = 0
    var keyWaiters: [AsyncStream<Void>.Continuation] = []

    var queue = DeliveryQueue()
    var queueWaiters: [AsyncStream<Void>.Continuation] = []
    /// The running deliveries, by the message's number in the queue.
    var deliveries: [Int: Task<Void, any Error>] = [:]
    /// The number of delivered payloads, by transport.
    var arrivals: [AccessoryTransport: Int] = [:]
    /// The number of new notifications that the data provider is working on.
    var addCount = 0
    var addWaiter: AsyncStream<Void>.Continuation?
    /// Whether the radio's last report was that the link is lost.
    var isBluetoothLost = false
    /// How often the link has come up.
    var linkCount = 0
    /// Whether the link came up since the current delivery started its last round.
    var bluetoothReturned = false
    var linkWaiters: [AsyncStream<Void>.Continuation] = []

    /// The unfinished commands. The next session carries out those that remain at the end.
    nonisolated let backlog: ForwardingBacklog
    /// The number of each command in the backlog, and the command; nil to carry out only those that are to be repeated.
    nonisolated let commands: AsyncStream<(Int, Command?)>.Continuation
    private nonisolated let commandStream: AsyncStream<(Int, Command?)>
    private nonisolated let keyStream: AsyncStream<PhoneKeys>
    private nonisolated let incomingStream: AsyncStream<Incoming>
    private nonisolated let linkStream: AsyncStream<Bool>

    init(
        id: UUID, accessory: UUID, peripheral: UUID, link: PhoneLink, backlog: ForwardingBacklog,
        record: @escaping @Sendable (ForwardingEvent.Kind) -> Void
    ) {
        self.id = id
        self.accessory = accessory
        elapsed = stopwatch(link.clock)
        self.peripheral = peripheral
        self.link = link
        self.backlog = backlog
        self.record = record
        security = ExtensionProcess("security", link: link)
        (commandStream, commands) = AsyncStream.makeStream()
        // If an accessory floods the phone with public keys, the phone handles only the newest ones.
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

    /// Launches the extensions, and starts handling keys, commands, messages and link changes.
    ///
    /// - Throws: ``ForwardingError`` if an extension rejects the session (S1), declares a different extension point, or
    ///   ends each time that it is launched.
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

    /// Ends the session: gives up running deliveries, notifies the extensions, forgets the keys (N6). Further calls
    /// have no effect.
    ///
    /// - Parameters:
    ///   - reason: Why the session ends, for the log.
    ///   - error: The error for the extensions; nil if the person ended the session.
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
        callProvider { $0.invalidated() }
        providers = []
        security.end { $0.invalidated(error) }
        for process in processes.values { process.end { $0.invalidated(error) } }
        processes = [:]
        for which in runs.keys { forget(which) }
        wakeLaunchWaiters()
        record(.sessionEnded(reason))
    }
}
