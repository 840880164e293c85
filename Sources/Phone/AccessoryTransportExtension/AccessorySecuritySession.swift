import HILPhone

/// A session between the phone and the security extension, for one accessory.
public final class AccessorySecuritySession: Sendable, CustomStringConvertible {
    private let port: SecurityPort

    init(_ port: SecurityPort) {
        self.port = port
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
            _ message: SecurityMessage, completion: @escaping @Sendable (AccessoryMessage.Result) -> Void)
        /// The session is over. Implement this method or the one with a typed error.
        func sessionInvalidated(error: (any Swift.Error)?)
        /// The session is over. Implement this method or the one with an untyped error.
        func sessionInvalidated(error: AccessorySecuritySession.Error?)
    }

    /// The phone's offer of a session, which the extension accepts or rejects.
    public final class Request: Sendable {
        /// The offered session, for use after it is accepted.
        public let session: AccessorySecuritySession

        init(session: AccessorySecuritySession) {
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
        public func reject(error: AccessorySecuritySession.Error?) -> Decision {
            Decision(outcome: .rejected(error))
        }
    }

    /// Passes the accessory's public key to the phone, which answers with an encapsulated key.
    ///
    /// A new key may be sent at any time and starts a new key exchange.
    ///
    /// - Throws: `unsupported` for a transport other than Bluetooth with P-256, for a key of the wrong length, and for
    ///   bytes that are not a key; the phone's log has the reason. `invalidated` once the session is over.
    public func sendSecurityMessage(_ message: SecurityMessage) throws(AccessorySecuritySession.Error) {
        do { try port.send(message) } catch {
            switch error {
            case .invalidated: throw .invalidated
            case .unsupported: throw .unsupported
            }
        }
    }

    /// Ends the session, with an optional reason for the phone's log.
    public func cancel(error: AccessorySecuritySession.Error?) {
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
    public var description: String { "AccessorySecuritySession" }

    /// Adapts an app's handler to the protocol that the phone calls.
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
