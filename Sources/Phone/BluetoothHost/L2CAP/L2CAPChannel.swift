import RadioModel

/// Names a channel of one link. The name stays unique after the channel is closed.
package struct LocalChannel: Sendable, Hashable, CustomStringConvertible {
    /// The number at this end of the link.
    package let cid: UInt16
    /// Counts the channels of the link. A CID is used again, a serial number is not.
    package let serial: Int

    package var description: String { "channel \(Hex.field(cid))" }
}

/// One connection-oriented channel of a link.
struct L2CAPChannel: Sendable {
    /// How far the channel is.
    enum State: Sendable {
        /// The peer has not answered the request of this end. An abandoned channel is closed as soon as it is open.
        case opening(isAbandoned: Bool)
        /// A classic channel, between its connection and its first SDU.
        case configuring(ClassicSetup)
        case open
        /// The peer has not answered this end's Disconnection Request. The layer above knows of the end, or not yet.
        case closing(isTold: Bool)
    }

    /// The configuration of a classic channel in its two directions.
    struct ClassicSetup: Sendable {
        /// Whether the peer has accepted the request of this end.
        var isOwnAccepted = false
        /// Whether this end has accepted the request of the peer.
        var isPeersAccepted = false
        /// How many requests this end has sent.
        var tries = 1
        var deadline: Duration
    }

    let id: LocalChannel
    let psm: UInt16
    let isByPeer: Bool
    let isEnhanced: Bool
    /// 0 before the peer has told it.
    var remoteCID: UInt16 = 0
    var state: State
    /// The longest SDU in bytes that this end receives.
    var mtu: UInt16
    /// The longest SDU in bytes that the peer receives. At first the default of a classic channel (5.1).
    var peerMTU: UInt16 = 672
    /// The two directions of an LE channel; nil on a classic link.
    var sender: SegmentSender?
    var receiver: SegmentReceiver?

    var isOpen: Bool { if case .open = state { true } else { false } }
    var isClosing: Bool { if case .closing = state { true } else { false } }
    var isAbandoned: Bool { if case .opening(isAbandoned: true) = state { true } else { false } }
    var setup: ClassicSetup? { if case .configuring(let setup) = state { setup } else { nil } }
}

/// A command of this end that the peer must answer.
package enum L2CAPRequest: Sendable, Hashable, CustomStringConvertible {
    case connection(LocalChannel)
    case enhancedConnection([LocalChannel])
    case configuration(LocalChannel)
    case disconnection(LocalChannel)
    case parameters(ConnectionParameters)
    case information(InformationType)

    package var description: String {
        switch self {
        case .connection(let channel): "the request to open \(channel)"
        case .enhancedConnection(let channels):
            "the request to open \(channels.map(\.description).joined(separator: ", "))"
        case .configuration(let channel): "the configuration of \(channel)"
        case .disconnection(let channel): "the request to close \(channel)"
        case .parameters(let parameters): "the request for connection parameters (\(parameters))"
        case .information(let type): "the request for information (\(type))"
        }
    }
}
