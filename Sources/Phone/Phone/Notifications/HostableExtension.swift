import Foundation

/// An app extension that the phone can host. Apple's extension protocols refine this one; apps never name it.
public protocol HostableExtension: SendableMetatype {
    /// The extension point for this kind of extension, such as `com.apple.accessory-data-provider`.
    static var hostedPoint: String { get }
    /// The entitlement that the app needs to run this kind of extension.
    static var hostedEntitlement: String { get }
    /// The extension point that the extension declares, which must be ``hostedPoint``; nil if it declares none.
    var declaredPoint: String? { get }

    /// Called once for each launch.
    init()
}

/// An extension's answer to the offer of a session.
public enum SessionOffer<Handler> {
    /// The extension takes part, with this handler.
    case accepted(Handler)
    /// The extension takes no part; the error is its reason, if it gives one.
    case rejected((any Error)?)
}

/// An extension that exchanges keys with the accessory.
public protocol HostableSecurityExtension: HostableExtension {
    /// Offers a session. The phone calls the handler on the extension's queue only.
    func offer(_ port: SecurityPort) -> SessionOffer<any HostedSecurityHandler>
}

/// An extension that delivers sealed messages to the accessory.
public protocol HostableTransportExtension: HostableExtension {
    /// Offers a session. The phone calls the handler on the extension's queue only.
    func offer(_ port: TransportPort) -> SessionOffer<any HostedTransportHandler>
}

/// An extension that turns notifications into messages.
public protocol HostableDataProvider: HostableExtension {
    /// Makes the handlers of the features that the extension declares.
    func makeNotificationHandlers() -> [any HostedNotificationsHandler]
}

/// The security extension's side of a session.
public protocol HostedSecurityHandler {
    /// Sends an encapsulated key to the accessory.
    func receive(_ message: SecurityMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void)
    /// The session has ended.
    func invalidated(_ error: (any Error)?)
}

/// The transport extension's side of a session.
public protocol HostedTransportHandler {
    /// Sends a sealed message to the accessory.
    func receive(_ message: TransportMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void)
    /// The session has ended.
    func invalidated(_ error: (any Error)?)
}

/// The data provider's side of a session.
public protocol HostedNotificationsHandler: Sendable {
    /// The session has begun: the handler may use the port from now on.
    func activate(_ port: NotificationsPort)
    /// Sends a new notification to the accessory. Returns whether the accessory alerts the person.
    func add(_ notification: PhoneNotification, _ alerting: Alerting) async throws -> Bool
    /// Sends the new content of a notification to the accessory.
    func update(_ notification: PhoneNotification)
    /// Removes a notification from the accessory.
    func remove(_ identifier: PhoneNotification.Identifier)
    /// Removes all notifications from the accessory.
    func removeAll()
    /// Handles a message from the accessory, already decrypted. `session`: the identifier of the feature's session.
    func message(_ message: AccessoryMessage, inSession session: UUID)
    /// The session has ended.
    func invalidated()
}

/// The calls that the security extension may make to the phone.
public struct SecurityPort: Sendable {
    /// Hands the accessory's public key to the phone.
    package let send: @Sendable (SecurityMessage) throws(SecurityPortError) -> Void
    /// Ends the session.
    package let cancel: @Sendable ((any Error)?) -> Void
}

/// Why the phone refused a key from an extension.
package enum SecurityPortError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The session has ended.
    case invalidated
    /// The phone cannot use this key; the text says why.
    case unsupported(String)

    package var description: String {
        switch self {
        case .invalidated: "the session is over"
        case .unsupported(let why): why
        }
    }
}

/// The calls that the transport extension may make to the phone.
public struct TransportPort: Sendable {
    /// The transport that the session is for.
    package let transport: AccessoryTransport
    /// The token with which the accessory's server reaches this session over the internet; nil for other transports.
    package let pushToken: Data?
    /// Names the state of a central manager that outlives the extension's process; nil for transports other than Bluetooth.
    package let restoreIdentifier: String?
    /// Hands a sealed message from the accessory to the phone.
    package let send: @Sendable (TransportMessage) throws(TransportPortError) -> Void
    /// Ends the session.
    package let cancel: @Sendable ((any Error)?) -> Void
}

/// Why the phone refused a message from an extension.
package enum TransportPortError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The session has ended.
    case invalidated
    /// The phone cannot use this message; the text says why.
    case unsupported(String)
    /// Too many messages wait for decryption; the text says how many.
    case flooded(String)

    package var description: String {
        switch self {
        case .invalidated: "the session is over"
        case .unsupported(let why), .flooded(let why): why
        }
    }
}

/// The calls that the data provider may make to the phone.
public struct NotificationsPort: Sendable {
    /// Identifies the feature's session. It stays the same as long as the accessory is set up.
    package let sessionID: UUID
    /// Gives access to the notification centre.
    let link: PhoneLink
    /// Seals a message and delivers it; returns when the transport extension has handed it over.
    package let send: @Sendable (AccessoryMessage) async throws -> Void
}
