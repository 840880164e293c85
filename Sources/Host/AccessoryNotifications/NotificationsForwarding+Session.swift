import AccessorySetupKit
import AccessoryTransportExtension
import Phone

/// What a data provider can do in a session: reach the accessory, and tell the phone what came back.
public protocol AccessoryNotificationsSession: Sendable {
    /// Seals a message and delivers it; returns when the transport extension has handed it over.
    func send(message: AccessoryMessage) async throws
    /// Hands the phone what the person did on the accessory.
    func sendResponse(_ response: NotificationResponse) async throws
    /// Has the phone remove notifications, as if the person had cleared them there; their apps hear nothing.
    func removeNotifications(identifiers: [AccessoryNotification.Identifier]) async throws
}

extension AccessoryNotificationsSession {
    /// Has the phone remove notifications of one app, whose bundle identifier is `sourceIdentifier`.
    public func removeNotifications(
        withIdentifiers identifiers: [String], sourceIdentifier: String
    ) async throws {
        try await removeNotifications(
            identifiers: identifiers.map { .init(notificationIdentifier: $0, sourceIdentifier: sourceIdentifier) })
    }
}

extension NotificationsForwarding {
    /// A session with one accessory: the data provider's way to it, and to the phone.
    public final class Session: AccessoryNotificationsSession {
        private let port: NotificationsPort
        private let record: AccessoryRecord?

        init(_ port: NotificationsPort) {
            self.port = port
            record = port.accessory
        }

        /// Names the session; the same for as long as the accessory stays set up.
        public var sessionID: UUID { port.sessionID }

        /// The accessory of the session, as it is now; after its end as it was at the beginning.
        public var accessory: ASAccessory {
            ASAccessory(
                port.accessory ?? record
                    ?? AccessoryRecord(state: .unauthorized, displayName: "", descriptor: DiscoveryDescriptor()))
        }

        /// Seals a message and delivers it; returns when the transport extension has handed it over.
        ///
        /// - Throws: `AccessoryMessage.Error` if the transport did not take it after all tries, or another error if there
        ///   are no keys or the session is over.
        public func send(message: AccessoryMessage) async throws {
            try await port.send(message)
        }

        /// Hands the phone what the person did on the accessory, which it carries out as if it had been done there.
        ///
        /// - Throws: ``AccessoryError/invalidNotificationResponse`` for a notification that is gone, an action that it does
        ///   not have, or a missing text; ``AccessoryError/accessoryNotificationsUnavailable`` once the session is over.
        public func sendResponse(_ response: NotificationResponse) async throws {
            do throws(ForwardingError) {
                try port.respond(
                    to: .init(
                        notificationIdentifier: response.notificationIdentifier,
                        sourceIdentifier: response.sourceIdentifier),
                    action: response.actionIdentifier, text: response.userText)
            } catch { throw AccessoryError(error) }
        }

        /// Has the phone remove notifications, as if the person had cleared them there; their apps hear nothing.
        ///
        /// - Throws: ``AccessoryError/accessoryNotificationsUnavailable`` once the session is over; not for notifications
        ///   that are gone.
        public func removeNotifications(identifiers: [AccessoryNotification.Identifier]) async throws {
            do throws(ForwardingError) { try port.remove(identifiers) } catch { throw AccessoryError(error) }
        }
    }
}
