import Phone

/// A session between the phone and the security extension, for one accessory.
public final class AccessorySecuritySession: Sendable, CustomStringConvertible {
    private let port: SecurityPort

    init(_ port: SecurityPort) {
        self.port = port
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
            _ message: SecurityMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void)
        /// The session is over. Implement this one or the next.
        func sessionInvalidated(error: (any Swift.Error)?)
        /// The session is over. Implement this one or the one before.
        func sessionInvalidated(error: AccessorySecuritySession.Error?)
    }

    /// A session that the phone offers.
    public final class Request: Sendable {
        /// The session, if it is accepted.
        public let session: AccessorySecuritySession

        init(session: AccessorySecuritySession) {
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
        public func reject(error: AccessorySecuritySession.Error?) -> Decision {
            Decision(outcome: .rejected(error))
        }
    }

    /// Hands the accessory's public key to the phone, which answers with an encapsulated key. A new one may be sent at any
    /// time, and starts a new exchange.
    ///
    /// - Throws: `unsupported` for transports other than Bluetooth with P-256, and for keys of a wrong length or that are
    ///   none; the reason is in the phone's log. `invalidated` once the session is over.
    public func sendSecurityMessage(_ message: SecurityMessage) throws(AccessorySecuritySession.Error) {
        do { try port.send(message) } catch {
            switch error {
            case .invalidated: throw .invalidated
            case .unsupported: throw .unsupported
            }
        }
    }

    /// Ends the session.
    public func cancel(error: (any Swift.Error)?) {
        port.cancel(error)
    }

    /// For logs.
    public var description: String { "AccessorySecuritySession" }

    /// The phone's view of an app's handler.
    struct Hosted: HostedSecurityHandler {
        let handler: any EventHandler

        func receive(
            _ message: SecurityMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void
        ) {
            handler.messageReceived(message, completion: completion)
        }

        func invalidated(_ error: (any Swift.Error)?) {
            handler.sessionInvalidated(error: error)
        }
    }
}

extension AccessorySecuritySession.EventHandler {
    public func sessionInvalidated(error: (any Swift.Error)?) {
        let typed: AccessorySecuritySession.Error? = error.map { $0 as? AccessorySecuritySession.Error ?? .unknown }
        sessionInvalidated(error: typed)
    }

    public func sessionInvalidated(error: AccessorySecuritySession.Error?) {}
}
