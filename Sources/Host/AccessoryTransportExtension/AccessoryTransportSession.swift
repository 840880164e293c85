import Phone
import Synchronization

/// A session between the phone and the transport extension, for one accessory.
public final class AccessoryTransportSession: Sendable, CustomStringConvertible {
    private let port: TransportPort
    private let named: Mutex<AccessoryTransport?>

    init(_ port: TransportPort) {
        self.port = port
        named = Mutex(port.transport)
    }

    /// The transport that this session is for: the system launches the extension once for each.
    ///
    /// An extension may note another one here for itself; the system goes by its own.
    public var transport: AccessoryTransport? {
        get { named.withLock { $0 } }
        set { named.withLock { $0 = newValue } }
    }

    /// Why something did not succeed.
    public enum Error: Swift.Error, Sendable, Hashable, CustomStringConvertible {
        /// The session is over.
        case invalidated
        /// The phone does not take this value or operation; its log says why.
        case unsupported
        /// There is no more to say.
        case unknown

        public var description: String {
            switch self {
            case .invalidated: "the session is over"
            case .unsupported: "the phone does not support this value or operation; its log says why"
            case .unknown: "failed for an unknown reason"
            }
        }
    }

    /// What an extension does in a session. The phone calls it on one queue, a call at a time.
    public protocol EventHandler {
        /// Carries a message to the accessory.
        ///
        /// - Parameter completion: Say `success`, or `transportFailed` to be asked again. Letting go of it says `success`.
        func messageReceived(
            _ message: TransportMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void)
        /// The session is over. Implement this one or the next.
        func sessionInvalidated(error: (any Swift.Error)?)
        /// The session is over. Implement this one or the one before.
        func sessionInvalidated(error: AccessoryTransportSession.Error?)
    }

    /// A session that the phone offers.
    public final class Request: Sendable {
        /// The session, if it is accepted.
        public let session: AccessoryTransportSession

        init(session: AccessoryTransportSession) {
            self.session = session
        }

        /// What the extension says to the offer.
        public struct Decision {
            let outcome: SessionOffer<any EventHandler>
        }

        /// Takes the session, with the handler that `sessionRequestHandler` makes.
        public func accept<Handler: EventHandler>(_ sessionRequestHandler: () -> Handler) -> Decision {
            Decision(outcome: .accepted(sessionRequestHandler()))
        }

        /// Refuses the session.
        public func reject(error: AccessoryTransportSession.Error?) -> Decision {
            Decision(outcome: .rejected(error))
        }
    }

    /// What the accessory's server shows to send this session something over the internet; nil for other transports.
    public var pushToken: Data? { port.pushToken }

    /// What a central manager of the extension takes as its restore identifier; nil here, where extensions are not suspended.
    public var transportStateRestoreIdentifier: String? { nil }

    /// Hands on what the accessory sent: the phone opens it, and the data provider's `messageHandler` gets it.
    ///
    /// - Parameter message: The session that the accessory named, and 12 bytes of nonce, ciphertext, 16 bytes of tag under
    ///   the AccessoryToHost secret. One that does not open starts a new key exchange; one that came before is dropped.
    /// - Throws: `invalidated` once the session is over, `unsupported` for another session than this accessory's and for too
    ///   long a message, `unknown` when messages come faster than the phone opens them; the reason is in the phone's log.
    public func sendMessageToDataProvider(_ message: TransportMessage) throws(AccessoryTransportSession.Error) {
        do { try port.send(message) } catch {
            switch error {
            case .invalidated: throw .invalidated
            case .unsupported: throw .unsupported
            case .flooded: throw .unknown
            }
        }
    }

    /// Ends the session.
    public func cancel(error: (any Swift.Error)?) {
        port.cancel(error)
    }

    /// For logs.
    public var description: String { "AccessoryTransportSession" }

    /// The phone's view of an app's handler.
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
