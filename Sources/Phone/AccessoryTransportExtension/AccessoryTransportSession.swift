import HILPhone
import Synchronization

/// A session between the phone and the transport extension, for one accessory.
public final class AccessoryTransportSession: Sendable, CustomStringConvertible {
    private let port: TransportPort
    private let currentTransport: Mutex<AccessoryTransport?>

    init(_ port: TransportPort) {
        self.port = port
        currentTransport = Mutex(port.transport)
    }

    /// The transport of this session. The system launches the extension once for each transport.
    ///
    /// An extension may store a different value here for its own use. The system ignores it.
    public var transport: AccessoryTransport? {
        get { currentTransport.withLock { $0 } }
        set { currentTransport.withLock { $0 = newValue } }
    }

    /// The reason why a call or a session has failed.
    public enum Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The session is over.
        case invalidated
        /// The phone does not support this value or operation; its log says why.
        case unsupported
        /// The reason is not known.
        case unknown

        public var description: String {
            switch self {
            case .invalidated: "the session is over"
            case .unsupported: "the phone does not support this value or operation; its log says why"
            case .unknown: "failed for an unknown reason"
            }
        }
    }

    /// Receives the phone's messages in a session. All calls come on one queue, one at a time.
    public protocol EventHandler {
        /// Carries a message to the accessory.
        ///
        /// - Parameter completion: Call it with `success`, or with `transportFailed` for a retry. If it is released
        ///   without a call, that counts as `success`.
        func messageReceived(
            _ message: TransportMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void)
        /// The session is over. Implement this method or the one with a typed error.
        func sessionInvalidated(error: (any Swift.Error)?)
        /// The session is over. Implement this method or the one with an untyped error.
        func sessionInvalidated(error: AccessoryTransportSession.Error?)
    }

    /// The phone's offer of a session, which the extension accepts or rejects.
    public final class Request: Sendable {
        /// The offered session, for use after it is accepted.
        public let session: AccessoryTransportSession

        init(session: AccessoryTransportSession) {
            self.session = session
        }

        /// The extension's answer to the offer.
        public struct Decision {
            let outcome: SessionOffer<any EventHandler>
        }

        /// Accepts the session. `sessionRequestHandler` makes the handler for it.
        public func accept<Handler: EventHandler>(_ sessionRequestHandler: () -> Handler) -> Decision {
            Decision(outcome: .accepted(sessionRequestHandler()))
        }

        /// Rejects the session, with a reason for the phone's log.
        public func reject(error: AccessoryTransportSession.Error?) -> Decision {
            Decision(outcome: .rejected(error))
        }
    }

    /// The token that the accessory's server needs to send messages to this session over the internet; nil for other
    /// transports.
    public var pushToken: Data? { port.pushToken }

    /// The restore identifier for a central manager of the extension; nil for transports other than Bluetooth.
    ///
    /// It stays the same as long as the accessory is set up. After the end of the extension's process, a central manager
    /// with it takes over the connection of the last one, with its discoveries and subscriptions. Source:
    /// <https://developer.apple.com/documentation/accessorytransportextension/accessorytransportsession/transportstaterestoreidentifier>.
    public var transportStateRestoreIdentifier: String? { port.restoreIdentifier }

    /// Passes a message of the accessory to the phone, which decrypts it for the data provider's `messageHandler`.
    ///
    /// A message that cannot be decrypted starts a new key exchange. A repeated message is dropped.
    ///
    /// - Parameter message: The session that the accessory named, and the bytes: 12 bytes of nonce, the ciphertext, and
    ///   16 bytes of tag, encrypted with the AccessoryToHost secret.
    /// - Throws: `invalidated` once the session is over; `unsupported` for a session of another accessory and for a
    ///   message that is too long; `unknown` if messages arrive faster than the phone decrypts them. The phone's log
    ///   has the reason.
    public func sendMessageToDataProvider(_ message: TransportMessage) throws(AccessoryTransportSession.Error) {
        do { try port.send(message) } catch {
            switch error {
            case .invalidated: throw .invalidated
            case .unsupported: throw .unsupported
            case .flooded: throw .unknown
            }
        }
    }

    /// Ends the session, with an optional reason for the phone's log.
    public func cancel(error: AccessoryTransportSession.Error?) {
        port.cancel(error)
    }

    /// Ends the session, with an error of the app for the phone's log.
    ///
    /// Apple's declaration takes only ``Error``. This one exists because the listings of Apple's article "Receiving iOS
    /// notifications on an accessory" pass the error of a `catch` clause.
    @_disfavoredOverload public func cancel(error: (any Swift.Error)?) {
        port.cancel(error)
    }

    /// A text for logs.
    public var description: String { "AccessoryTransportSession" }

    /// Adapts an app's handler to the protocol that the phone calls.
    struct Hosted: HostedTransportHandler {
        let handler: any EventHandler

        func receive(
            _ message: TransportMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
        ) {
            handler.messageReceived(message, completion: completion)
        }

        func invalidated(_ error: (any Swift.Error)?) {
            handler.sessionInvalidated(error: error)
        }
    }
}

extension AccessoryTransportSession.EventHandler {
    public func sessionInvalidated(error: (any Swift.Error)?) {
        let typed: AccessoryTransportSession.Error? = error.map { $0 as? AccessoryTransportSession.Error ?? .unknown }
        sessionInvalidated(error: typed)
    }

    public func sessionInvalidated(error: AccessoryTransportSession.Error?) {}
}
