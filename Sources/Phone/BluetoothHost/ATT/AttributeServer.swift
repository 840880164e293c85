import RadioModel

/// The server half of an ATT bearer: answers one client over the database of all links.
///
/// One server belongs to one link. It begins connected; after ``linkEnded(because:)`` it ignores all input.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.3 and 3.4; Part G, 2.5.
package struct AttributeServer: Sendable {
    /// Names a request to the layer above.
    package struct RequestToken: Sendable, Hashable {
        let number: Int
    }

    /// A request for an attribute whose value the layer above has.
    package enum Request: Sendable, Hashable {
        /// The value from the offset on is wanted. The server cuts it to the MTU.
        case read(handle: UInt16, offset: UInt16)
        /// One write of a Write Request, or several prepared ones, in their order.
        case write([AttributeWrite])
    }

    /// The answer of the layer above to a ``Request``.
    package enum Answer: Sendable, Hashable {
        case value([UInt8])
        case written
        /// - Parameter handle: The attribute that failed; nil for the first one of the request.
        case refused(ATTError, handle: UInt16? = nil)
    }

    package enum Output: Sendable, Hashable {
        /// A PDU for the client.
        case send([UInt8])
        /// Waits for ``AttributeServer/answer(_:_:in:)``.
        case asks(RequestToken, Request)
        /// The client subscribed or unsubscribed.
        ///
        /// - Parameter handle: The handle of the characteristic's value.
        case subscribed(handle: UInt16, notifies: Bool, indicates: Bool)
        /// The client confirmed an indication.
        case confirmed(handle: UInt16)
        /// The client changed a stored value, or wrote one by a Write Command.
        case written(handle: UInt16, value: [UInt8])
        /// A notification or an indication was not sent.
        case unsent(handle: UInt16, String)
        /// The MTU of the bearer, in bytes.
        case mtuChanged(Int)
        /// The client broke the protocol.
        case violation(String)
        /// Something odd without harm.
        case note(String)
        /// The bearer cannot be used any longer.
        case linkMustEnd(String)
    }

    /// Why a request gets an Error Response.
    struct Refusal: Error {
        let error: ATTError
        let handle: UInt16

        init(_ error: ATTError, _ handle: UInt16) {
            self.error = error
            self.handle = handle
        }
    }

    /// A request of the client that the layer above has not answered yet.
    struct Pending: Sendable {
        /// The use of the answer.
        enum Step: Sendable {
            case read
            case readByType
            /// The values of the first handles are known.
            case readMultiple([UInt16], known: [[UInt8]])
            case write
            /// The new values of stored attributes.
            case execute([HandleValue])
        }

        let token: RequestToken
        let pdu: ATTPDU
        /// The first attribute that the layer above was asked for.
        let handle: UInt16
        let step: Step
    }

    package let configuration: Configuration
    /// The longest PDU on this bearer, in bytes.
    package internal(set) var mtu: Int
    /// The protection of the link now.
    package var security: LinkSecurity = .none
    /// Whether there is a bond with the client. It decides the error for a plain link.
    package var isBonded = false
    /// Whether the client uses robust caching: the first bit of Client Supported Features (2B29).
    package var usesRobustCaching = false
    /// Whether the client knows of the last change of the database.
    package var awareness = ChangeAwareness.aware
    /// The client's subscriptions by the handle of the descriptor 2902. They are saved with a bond.
    package internal(set) var configurations: [UInt16: ClientConfiguration] = [:]
    /// Whether the client has had its one Exchange MTU Response.
    package internal(set) var hasAnsweredMTU = false
    /// Prepared writes in the order of their arrival.
    package internal(set) var prepared: [AttributeWrite] = []
    var pending: Pending?
    var indications: [Indication] = []
    var unconfirmed: (indication: Indication, deadline: Duration)?
    /// Why the bearer is over; nil before.
    var end: String?
    private var tokens = 0

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        mtu = max(23, configuration.defaultMTU)
    }

    /// Ends the bearer: with its link, or after a time-out of either half. Subscriptions stay, to be saved.
    package mutating func linkEnded(because reason: String) {
        guard end == nil else { return }
        end = reason
        pending = nil
        prepared = []
        indications = []
        unconfirmed = nil
    }

    /// Asks the layer above.
    mutating func ask(_ request: Request, of handle: UInt16, for pdu: ATTPDU, _ step: Pending.Step) -> [Output] {
        tokens += 1
        let token = RequestToken(number: tokens)
        pending = Pending(token: token, pdu: pdu, handle: handle, step: step)
        return [.asks(token, request)]
    }

    func reply(_ pdu: ATTPDU) -> [Output] { [.send(pdu.bytes)] }

    func reply(_ refusal: Refusal, to opcode: UInt8) -> [Output] {
        reply(.errorResponse(request: opcode, handle: refusal.handle, error: refusal.error))
    }
}
