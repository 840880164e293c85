import AccessorySetupKit
import AccessoryTransportExtension
import HILPhone

/// The operations of a data provider in a session: send messages to the accessory, and pass its answers to the phone.
public protocol AccessoryNotificationsSession: Sendable {
    /// Encrypts a message and delivers it. Returns when the transport extension has taken it.
    func send(message: AccessoryMessage) async throws
    /// Passes the person's response on the accessory to the phone.
    func sendResponse(_ response: NotificationResponse) async throws
    /// Removes notifications from the phone, as if the person had cleared them there. Their apps are not notified.
    func removeNotifications(identifiers: [AccessoryNotification.Identifier]) async throws
}

extension AccessoryNotificationsSession {
    /// Removes notifications of one app from the phone. `sourceIdentifier` is the app's bundle identifier.
    public func removeNotifications(
        withIdentifiers identifiers: [String], sourceIdentifier: String
    ) async throws {
        try await removeNotifications(
            identifiers: identifiers.map { .init(notificationIdentifier: $0, sourceIdentifier: sourceIdentifier) })
    }
}

extension NotificationsForwarding {
    /// A session of a data provider with one accessory and the phone.
    public final class Session: AccessoryNotificationsSession {
        private let port: NotificationsPort
        private let record: AccessoryRecord?

        init(_ port: NotificationsPort) {
            self.port = port
            record = port.accessory
        }

        /// Identifies the session. It stays the same as long as the accessory is set up.
        public var sessionID: UUID { port.sessionID }

        /// The accessory of the session in its current state; after the session's end, in its state at the beginning.
        public var accessory: ASAccessory {
            ASAccessory(
                port.accessory ?? record
                    ?? AccessoryRecord(state: .unauthorized, displayName: "", descriptor: DiscoveryDescriptor()))
        }

        /// Encrypts a message and delivers it. Returns when the transport extension has taken it.
        ///
        /// - Throws: `AccessoryMessage.Error` if the transport did not take the message after all retries; another
        ///   error if there are no keys or the session is over.
        public func send(message: AccessoryMessage) async throws {
            try await port.send(message)
        }

        /// Passes the person's response on the accessory to the phone. The phone acts as if the person had done it
        /// there.
        ///
        /// - Throws: ``AccessoryError/invalidNotificationResponse`` if the notification no longer exists, does not have
        ///   the action, or the text is missing; ``AccessoryError/accessoryNotificationsUnavailable`` once the session
        ///   is over.
        public func sendResponse(_ response: NotificationResponse) async throws {
            do throws(ForwardingError) {
                try port.respond(
                    to: .init(
                        notificationIdentifier: response.notificationIdentifier,
                        sourceIdentifier: response.sourceIdentifier),
                    action: response.actionIdentifier, text: response.userText)
            } catch { throw AccessoryError(error) }
        }

        /// Removes notifications from the phone, as if the person had cleared them there. Their apps are not notified.
        ///
        /// - Throws: ``AccessoryError/accessoryNotificationsUnavailable`` once the session is over. A notification that
        ///   no longer exists is not an error.
        public func removeNotifications(identifiers: [AccessoryNotification.Identifier]) async throws {
            do throws(ForwardingError) { try port.remove(identifiers) } catch { throw AccessoryError(error) }
        }
    }
}
