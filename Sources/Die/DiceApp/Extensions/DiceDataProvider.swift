import AccessoryNotifications
import AccessoryTransportExtension
import DieProtocol
import Synchronization

/// Converts the phone's notifications for the die's screen, and answers on the die to responses for the phone.
package struct DiceDataProvider: AccessoryDataProvider {
    package init() {}

    package var extensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-data-provider")
        Implementing {
            NotificationsForwarding {
                DiceNotifications()
            }
        }
    }
}

/// Keeps the die's screen the same as the phone's, and passes the die's replies to the phone.
///
/// Changes of one notification are sent one after the other, so that none overtakes another. Changes of different
/// notifications are sent in parallel.
private final class DiceNotifications: AccessoryNotificationsHandler {
    private struct State {
        var session: NotificationsForwarding.Session?
        var lastResponse: Task<Void, Never>?
        /// The number of the update that was sent last. It starts at random, so that sessions use different numbers.
        var number = UInt64.random(in: 0...UInt64.max)
        /// The numbers of received replies, oldest first.
        var replies: [UInt64] = []
    }

    /// How many replies are remembered, to recognise one that comes again by another transport.
    private static let rememberedReplies = 256

    private let state = Mutex(State())
    private let changes = ChangeSequencer<AccessoryNotification.Identifier>()

    func activate(for session: NotificationsForwarding.Session) {
        state.withLock { $0.session = session }
    }

    func didInvalidate() {
        state.withLock { $0.session = nil }
    }

    // MARK: To the die

    func addNotification(
        _ notification: AccessoryNotification, alertingContext: AlertingContext
    ) async throws -> Bool {
        let adding = change(notification.identifier) {
            .add(try await NotificationContent(notification, alertingContext))
        }
        try await adding.value
        return alertingContext.shouldAlert
    }

    func updateNotification(_ notification: AccessoryNotification) {
        change(notification.identifier) { .update(try await NotificationContent(notification)) }
    }

    func removeNotification(identifier: AccessoryNotification.Identifier) {
        change(identifier) { .remove(NotificationIdentifier(identifier)) }
    }

    func removeAllNotifications() {
        change(nil) { .removeAll }
    }

    /// Sends a change of one notification, or of all, after the earlier changes were delivered or given up.
    @discardableResult
    private func change(
        _ identifier: AccessoryNotification.Identifier?,
        _ make: @escaping @Sendable () async throws -> NotificationUpdate
    ) -> Task<Void, any Error> {
        changes.add(identifier) { try await self.send(try await make()) }
    }

    private func send(_ update: NotificationUpdate) async throws {
        let (session, number) = state.withLock { state in
            state.number &+= 1
            return (state.session, state.number)
        }
        guard let session else { throw AccessoryMessage.Error.transportUnavailable }
        let data = try NumberedUpdate(update, number: number).encoded()
        let plain = try NumberedUpdate(update.withoutPictures, number: number).encoded()
        try await session.send(
            message: AccessoryMessage {
                AccessoryMessage.Payload(transport: .bluetooth, data: data)
                // Over the internet, only the text is sent: pictures would be most of the bytes.
                if plain.count < data.count { AccessoryMessage.Payload(transport: .internet, data: plain) }
            })
    }

    // MARK: From the die

    func messageHandler(_ message: AccessoryMessage) {
        for payload in message.payloads {
            // A message that cannot be parsed is a fault of the die's firmware. There is nothing to respond to.
            guard let reply = try? NotificationReply(decoding: payload.data), isNew(reply) else { continue }
            let response = NotificationResponse(
                sourceIdentifier: reply.identifier.source, notificationIdentifier: reply.identifier.notification,
                actionIdentifier: reply.action, userText: reply.text)
            state.withLock { state in
                state.lastResponse = Task { [previous = state.lastResponse, session = state.session] in
                    await previous?.value
                    // If the phone refuses the response, its log shows the reason.
                    try? await session?.sendResponse(response)
                }
            }
        }
    }

    private func isNew(_ reply: NotificationReply) -> Bool {
        guard let number = reply.number else { return true }
        return state.withLock { state in
            guard !state.replies.contains(number) else { return false }
            state.replies.append(number)
            state.replies.removeFirst(max(0, state.replies.count - Self.rememberedReplies))
            return true
        }
    }
}

extension NotificationUpdate {
    fileprivate var withoutPictures: NotificationUpdate {
        switch self {
        case .add(var content):
            content.pictures = []
            return .add(content)
        case .update(var content):
            content.pictures = []
            return .update(content)
        case .remove, .removeAll: return self
        }
    }
}
