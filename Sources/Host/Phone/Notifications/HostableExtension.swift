import Foundation

/// An app extension as the phone hosts it. Apple's extension protocols refine this; apps never name it.
public protocol HostableExtension: SendableMetatype {
    /// Where iOS would plug this kind of extension in: `com.apple.accessory-data-provider`.
    static var hostedPoint: String { get }
    /// The entitlement without which it is not launched.
    static var hostedEntitlement: String { get }
    /// The point that the extension itself names, which must be ``hostedPoint``; nil if it names none.
    var declaredPoint: String? { get }

    /// Made once for each launch.
    init()
}

/// What an extension says to a session that it is offered.
public enum SessionOffer<Handler> {
    case accepted(Handler)
    case rejected((any Error)?)
}

/// The extension that exchanges keys.
public protocol HostableSecurityExtension: HostableExtension {
    /// Offers a session; the handler is then called on the extension's queue only.
    func offer(_ port: SecurityPort) -> SessionOffer<any HostedSecurityHandler>
}

/// The extension that carries sealed messages.
public protocol HostableTransportExtension: HostableExtension {
    /// Offers a session; the handler is then called on the extension's queue only.
    func offer(_ port: TransportPort) -> SessionOffer<any HostedTransportHandler>
}

/// The extension that turns notifications into messages.
public protocol HostableDataProvider: HostableExtension {
    /// Makes the handlers of the features that the extension declares.
    func makeNotificationHandlers() -> [any HostedNotificationsHandler]
}

/// What the security extension does in a session.
public protocol HostedSecurityHandler {
    /// Carries an encapsulated key to the accessory.
    func receive(_ message: KeyMessage, completion: @escaping @Sendable (ForwardingMessage.Result) -> Void)
    /// The session is over.
    func invalidated(_ error: (any Error)?)
}

/// What the transport extension does in a session.
public protocol HostedTransportHandler {
    /// Carries a sealed message to the accessory.
    func receive(_ message: SealedMessage, completion: @escaping @Sendable (ForwardingMessage.Result) -> Void)
    /// The session is over.
    func invalidated(_ error: (any Error)?)
}

/// What the data provider does in a session.
public protocol HostedNotificationsHandler: Sendable {
    func activate(_ port: NotificationsPort)
    /// Gives whether the accessory alerts.
    func add(_ notification: PhoneNotification, _ alerting: Alerting) async throws -> Bool
    func update(_ notification: PhoneNotification)
    func remove(_ identifier: PhoneNotification.Identifier)
    func removeAll()
    /// The accessory sent something; its payload is opened already.
    func message(_ message: ForwardingMessage)
    func invalidated()
}

/// The security extension's way back to the phone.
public struct SecurityPort: Sendable {
    /// Hands the accessory's public key to the phone.
    public let send: @Sendable (KeyMessage) throws(SecurityPortError) -> Void
    /// Ends the session from the extension's side.
    public let cancel: @Sendable ((any Error)?) -> Void
}

/// Why the phone did not take a key from an extension.
public enum SecurityPortError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The session is over.
    case invalidated
    /// The phone cannot work with this message; the text says why.
    case unsupported(String)

    public var description: String {
        switch self {
        case .invalidated: "the session is over"
        case .unsupported(let why): why
        }
    }
}

/// The transport extension's way back to the phone.
public struct TransportPort: Sendable {
    /// The transport that the session is for.
    public let transport: ForwardingTransport
    /// What the accessory's server shows to send this session something over the internet; nil for the other transports.
    public let pushToken: Data?
    /// Hands on what the accessory sent, still sealed.
    public let send: @Sendable (SealedMessage) throws(TransportPortError) -> Void
    /// Ends the session from the extension's side.
    public let cancel: @Sendable ((any Error)?) -> Void
}

/// Why the phone did not take a message from an extension.
public enum TransportPortError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The session is over.
    case invalidated
    /// The phone cannot work with this message; the text says why.
    case unsupported(String)
    /// More messages came than the phone can open; the text says how many wait.
    case flooded(String)

    public var description: String {
        switch self {
        case .invalidated: "the session is over"
        case .unsupported(let why), .flooded(let why): why
        }
    }
}

/// The data provider's way back to the phone.
public struct NotificationsPort: Sendable {
    /// Names the feature's session; the same for as long as the accessory stays set up.
    public let sessionID: UUID
    /// The way to the notification centre.
    let link: PhoneLink
    /// Seals a message and delivers it; returns when it was handed over.
    public let send: @Sendable (ForwardingMessage) async throws -> Void
}
