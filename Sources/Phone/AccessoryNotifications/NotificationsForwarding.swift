import AccessoryTransportExtension
import HILPhone

/// The feature of a data provider that receives the phone's notifications.
public final class NotificationsForwarding: AccessoryFeature {
    /// The type that receives the notifications.
    public typealias AccessoryNotificationsHandler = AccessoryNotifications.AccessoryNotificationsHandler
    /// The methods of a session.
    public typealias AccessoryNotificationsSession = AccessoryNotifications.AccessoryNotificationsSession

    /// The name of this kind of feature. Apple does not document its text; this one is the phone's own.
    public static var featureID: String { "com.apple.accessory-notifications.forwarding" }

    /// Identifies this feature of the extension.
    public var id: String { Self.featureID }

    private let handlerFactory: @Sendable () -> any AccessoryNotificationsHandler

    /// Makes the feature. `handlerFactory` is called once for each session.
    public init(_ handlerFactory: @escaping @Sendable () -> any AccessoryNotificationsHandler) {
        self.handlerFactory = handlerFactory
    }

    public func makeHostedHandler() -> any HostedNotificationsHandler {
        HostedHandler(handler: handlerFactory())
    }
}

/// Receives the phone's notifications in a data provider. The phone makes one call at a time.
///
/// `@preconcurrency` because in Apple's own listing a class with a variable conforms to it.
@preconcurrency public protocol AccessoryNotificationsHandler: Sendable {
    /// A session has begun; keep it to send messages. Implement this method or ``didActivate(for:)``, its newer name.
    func activate(for session: NotificationsForwarding.Session)
    /// A session has begun; keep it to send messages.
    func didActivate(for session: NotificationsForwarding.Session)
    /// The session is over.
    func didInvalidate()
    /// A notification is new. Returns whether the accessory alerts; an error counts as “does not alert”.
    func addNotification(
        _ notification: AccessoryNotification, alertingContext: AlertingContext
    ) async throws -> Bool
    /// A notification has changed. The accessory must not alert again.
    func updateNotification(_ notification: AccessoryNotification)
    /// A notification no longer exists on the phone.
    func removeNotification(identifier: AccessoryNotification.Identifier)
    /// The phone has no notifications left.
    func removeAllNotifications()
    /// The accessory has sent a message; the phone has decrypted it. Source:
    /// <https://developer.apple.com/documentation/accessorynotifications/notificationsforwarding/accessorynotificationshandler/messagehandler(_:)>.
    func messageHandler(_ message: TransportMessage)
    /// The same as Apple's article "Receiving iOS notifications on an accessory" spells it. Implement one of the two.
    func messageHandler(_ message: AccessoryMessage)
}

extension AccessoryNotificationsHandler {
    public func activate(for session: NotificationsForwarding.Session) {}
    public func didActivate(for session: NotificationsForwarding.Session) { activate(for: session) }
    public func didInvalidate() {}
    public func messageHandler(_ message: TransportMessage) {
        let transport = HostedHandler.transport
        messageHandler(AccessoryMessage { AccessoryMessage.Payload(transport: transport, data: message.data) })
    }

    public func messageHandler(_ message: AccessoryMessage) {}
}

/// Adapts an app's handler to the protocol that the phone calls.
private struct HostedHandler: HostedNotificationsHandler {
    /// The transport of the message that is being handled.
    @TaskLocal static var transport = AccessoryTransport.bluetooth

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

    func message(_ message: AccessoryMessage, inSession session: UUID) {
        for payload in message.payloads {
            Self.$transport.withValue(payload.transport) {
                handler.messageHandler(TransportMessage(sessionID: session, data: payload.data))
            }
        }
    }

    func invalidated() {
        handler.didInvalidate()
    }
}
