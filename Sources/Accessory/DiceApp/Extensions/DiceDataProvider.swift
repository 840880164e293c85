import AccessoryNotifications
import AccessoryTransportExtension
import DieProtocol
import Synchronization

/// Turns the phone's notifications into what the die shows.
public struct DiceDataProvider: AccessoryDataProvider {
    public init() {}

    public var extensionPoint: AppExtensionPoint {
        Identifier("com.apple.accessory-data-provider")
        Implementing {
            NotificationsForwarding {
                DiceNotifications()
            }
        }
    }
}

/// Keeps the die's screen as the phone's, one change after the other.
private final class DiceNotifications: AccessoryNotificationsHandler {
    private struct State {
        var session: NotificationsForwarding.Session?
        var lastChange: Task<Void, Never>?
    }

    private let state = Mutex(State())

    func activate(for session: NotificationsForwarding.Session) {
        state.withLock { $0.session = session }
    }

    func didInvalidate() {
        state.withLock { $0.session = nil }
    }

    func addNotification(
        _ notification: AccessoryNotification, alertingContext: AlertingContext
    ) async throws -> Bool {
        await state.withLock { $0.lastChange }?.value
        try await send(.add(NotificationContent(notification, alerts: alertingContext.shouldAlert)))
        return alertingContext.shouldAlert
    }

    func updateNotification(_ notification: AccessoryNotification) {
        change(.update(NotificationContent(notification, alerts: false)))
    }

    func removeNotification(identifier: AccessoryNotification.Identifier) {
        change(.remove(NotificationIdentifier(identifier)))
    }

    func removeAllNotifications() {
        change(.removeAll)
    }

    /// Sends a change after those before it. One that is not delivered is lost: there is nobody here to tell.
    private func change(_ update: NotificationUpdate) {
        state.withLock { state in
            state.lastChange = Task { [previous = state.lastChange] in
                await previous?.value
                try? await self.send(update)
            }
        }
    }

    private func send(_ update: NotificationUpdate) async throws {
        guard let session = state.withLock({ $0.session }) else { throw AccessoryMessage.Error.transportUnavailable }
        let data = try update.encoded()
        try await session.send(
            message: AccessoryMessage {
                AccessoryMessage.Payload(transport: .bluetooth, data: data)
            })
    }
}

extension NotificationContent {
    fileprivate init(_ notification: AccessoryNotification, alerts: Bool) {
        self.init(
            identifier: NotificationIdentifier(notification.identifier), sourceName: notification.sourceName,
            title: notification.title ?? "", subtitle: notification.subtitle ?? "",
            body: notification.body?.string ?? "", alerts: alerts)
    }
}

extension NotificationIdentifier {
    fileprivate init(_ identifier: AccessoryNotification.Identifier) {
        self.init(source: identifier.sourceIdentifier, notification: identifier.notificationIdentifier)
    }
}
