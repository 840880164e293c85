import Foundation

/// A way to an accessory. Apps know it as `AccessoryTransport`.
public enum ForwardingTransport: Sendable, Hashable, CaseIterable {
    case bluetooth
    case localNetwork
    case internet
}

/// What a data provider sends to the accessory. Apps know it as `AccessoryMessage`.
///
/// The phone seals each payload by itself and delivers them in order. A payload's transport is a wish: over a transport that
/// no payload names, those of the transport named first go. So one notification may be cut into payloads of one transport,
/// or be made anew for each transport, smaller for the internet.
public struct ForwardingMessage: Sendable, Hashable {
    /// One piece of data, which becomes one sealed message.
    public struct Payload: Sendable, Hashable {
        /// The transport that the data was made for.
        public let transport: ForwardingTransport
        /// The data, not yet encrypted.
        public let data: Data

        public init(transport: ForwardingTransport = .bluetooth, data: Data) {
            self.transport = transport
            self.data = data
        }
    }

    /// Why a message did not reach the accessory.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// The transport failed and may recover: the phone tries again.
        case transportFailed
        /// The transport is not there: the phone takes the next one.
        case transportUnavailable
    }

    /// What an extension says of a message that it was to carry.
    public enum Result: Sendable, Hashable {
        case success
        case failure(ForwardingMessage.Error)
    }

    /// The pieces, in the order of their delivery.
    public let payloads: [Payload]

    init(payloads: [Payload]) {
        self.payloads = payloads
    }

    /// The message of the payloads that `builder` lists.
    public init(@Builder _ builder: () -> ForwardingMessage) {
        self = builder()
    }

    /// Lists payloads, one a line, with `if`, `switch` and `for` around them.
    @resultBuilder public struct Builder {
        public static func buildExpression(_ expression: Payload) -> ForwardingMessage {
            ForwardingMessage(payloads: [expression])
        }
        public static func buildBlock(_ components: ForwardingMessage...) -> ForwardingMessage {
            buildArray(components)
        }
        public static func buildArray(_ components: [ForwardingMessage]) -> ForwardingMessage {
            ForwardingMessage(payloads: components.flatMap(\.payloads))
        }
        public static func buildOptional(_ component: ForwardingMessage?) -> ForwardingMessage {
            component ?? ForwardingMessage(payloads: [])
        }
        public static func buildEither(first component: ForwardingMessage) -> ForwardingMessage { component }
        public static func buildEither(second component: ForwardingMessage) -> ForwardingMessage { component }
    }
}

/// One sealed payload on its way to the accessory. Apps know it as `TransportMessage`.
public struct SealedMessage: Sendable, Hashable {
    /// Names the feature that the data belongs to; the same for as long as the accessory stays set up.
    public let sessionID: UUID
    /// 12 bytes of nonce, ciphertext, 16 bytes of tag.
    public let data: Data

    public init(sessionID: UUID, data: Data) {
        self.sessionID = sessionID
        self.data = data
    }
}
