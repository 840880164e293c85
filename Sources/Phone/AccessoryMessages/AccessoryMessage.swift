import Foundation

/// A transport to an accessory: Bluetooth, local network or internet, tried in this order.
public enum AccessoryTransport: Sendable, Hashable, CaseIterable {
    case bluetooth
    case localNetwork
    case internet
}

/// A message from a data provider to the accessory.
///
/// The phone seals each payload separately and delivers them in order. A payload's transport is only a preference: if
/// the phone uses a transport that no payload names, it sends the payloads of the transport that is named first. So an
/// app may split one notification into several payloads for one transport, or make different payloads for each
/// transport, such as a smaller one for the internet.
public struct AccessoryMessage: Sendable, Hashable {
    /// A piece of data that becomes one sealed message.
    public struct Payload: Sendable, Hashable {
        /// The transport that the data is meant for.
        public let transport: AccessoryTransport
        /// The data, not yet encrypted.
        public let data: Data

        public init(transport: AccessoryTransport = .bluetooth, data: Data) {
            self.transport = transport
            self.data = data
        }
    }

    /// Why a message did not reach the accessory.
    public enum Error: Swift.Error, Sendable, Hashable {
        /// The transport failed but may recover: the phone tries again.
        case transportFailed
        /// The transport is not available: the phone tries the next one.
        case transportUnavailable
    }

    /// An extension's answer after it tried to deliver a message.
    public enum Result: Sendable, Hashable {
        case success
        case failure(AccessoryMessage.Error)
    }

    /// The payloads, in the order of delivery.
    public let payloads: [Payload]

    init(payloads: [Payload]) {
        self.payloads = payloads
    }

    /// A message with the payloads that `builder` lists.
    public init(@Builder _ builder: () -> AccessoryMessage) {
        self = builder()
    }

    /// Lists payloads, one per line; `if`, `switch` and `for` are allowed.
    @resultBuilder public struct Builder {
        public static func buildExpression(_ expression: Payload) -> AccessoryMessage {
            AccessoryMessage(payloads: [expression])
        }
        public static func buildBlock(_ components: AccessoryMessage...) -> AccessoryMessage {
            buildArray(components)
        }
        public static func buildArray(_ components: [AccessoryMessage]) -> AccessoryMessage {
            AccessoryMessage(payloads: components.flatMap(\.payloads))
        }
        public static func buildOptional(_ component: AccessoryMessage?) -> AccessoryMessage {
            component ?? AccessoryMessage(payloads: [])
        }
        public static func buildEither(first component: AccessoryMessage) -> AccessoryMessage { component }
        public static func buildEither(second component: AccessoryMessage) -> AccessoryMessage { component }
    }
}

/// One encrypted payload to or from the accessory, which the transport extension carries.
public struct TransportMessage: Sendable, Hashable {
    /// Identifies the feature that the data belongs to. It stays the same as long as the accessory is set up.
    public let sessionID: UUID
    /// 12 bytes of nonce, the ciphertext, 16 bytes of tag.
    public let data: Data

    public init(sessionID: UUID, data: Data) {
        self.sessionID = sessionID
        self.data = data
    }
}
