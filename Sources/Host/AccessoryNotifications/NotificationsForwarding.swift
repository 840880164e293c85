import AccessoryTransportExtension
import Phone

/// The feature of a data provider to which the phone forwards notifications.
public final class NotificationsForwarding: AccessoryFeature, Identifiable {
    /// What a data provider does with notifications.
    public typealias AccessoryNotificationsHandler = AccessoryNotifications.AccessoryNotificationsHandler
    /// What a data provider can do in a session.
    public typealias AccessoryNotificationsSession = AccessoryNotifications.AccessoryNotificationsSession

    /// Names this feature of the extension.
    public let id = UUID()

    private let handlerFactory: @Sendable () -> any AccessoryNotificationsHandler

    /// The feature whose handler `handlerFactory` makes, once for each session.
    public init(_ handlerFactory: @escaping @Sendable () -> any AccessoryNotificationsHandler) {
        self.handlerFactory = handlerFactory
    }

    public func makeHostedHandler() -> any HostedNotificationsHandler {
        HostedHandler(handler: handlerFactory())
    }
}

/// What a data provider does with notifications. The phone calls it one notification after the other.
///
/// `@preconcurrency`, because Apple's own listing conforms with a class that keeps a variable.
@preconcurrency public protocol AccessoryNotificationsHandler: Sendable {
    /// A session began: keep it, to send messages. Implement this one or the next, its later spelling.
    func activate(for session: NotificationsForwarding.Session)
    /// A session began: keep it, to send messages.
    func didActivate(for session: NotificationsForwarding.Session)
    /// The session is over.
    func didInvalidate()
    /// A notification is new. Give whether the accessory alerts; throwing counts as not.
    func addNotification(
        _ notification: AccessoryNotification, alertingContext: AlertingContext
    ) async throws -> Bool
    /// A notification has changed. The accessory must not alert again.
    func updateNotification(_ notification: AccessoryNotification)
    /// A notification is gone.
    func removeNotification(identifier: AccessoryNotification.Identifier)
    /// All notifications are gone.
    func removeAllNotifications()
    /// The accessory sent something.
    func messageHandler(_ message: AccessoryMessage)
}

extension AccessoryNotificationsHandler {
    public func activate(for session: NotificationsForwarding.Session) {}
    public func didActivate(for session: NotificationsForwarding.Session) { activate(for: session) }
    public func didInvalidate() {}
    public func messageHandler(_ message: AccessoryMessage) {}
}

/// The phone's view of an app's handler.
private struct HostedHandler: HostedNotificationsHandler {
    let handler: any AccessoryNotificationsHandler

    func activate(_ port: NotificationsPort) {
        handler.didActivate(for: NotificationsForwarding.Session(port))
    }

    func add(_ notification: PhoneNotification, _ alerting: Alerting) async throws -> Bool {
        let context = AlertingContext(alerting, kind: notification.kind)
        return try await handler.addNotification(AccessoryNotification(notification), alertingContext: context)
    }

    func update(_ notification: PhoneNotification) {
        handler.updateNotification(AccessoryNotification(notification))
    }

    func remove(_ identifier: PhoneNotification.Identifier) {
        handler.removeNotification(identifier: identifier)
    }

    func removeAll() {
        handler.removeAllNotifications()
    }

    func message(_ message: ForwardingMessage) {
        handler.messageHandler(message)
    }

    func invalidated() {
        handler.didInvalidate()
    }
}
