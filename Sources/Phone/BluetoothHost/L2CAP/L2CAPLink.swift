import RadioModel

/// L2CAP on one link: its fixed channels, its signalling and its connection-oriented channels.
///
/// Frames, calls and times go in; ``Output`` comes out, in the order in which it must be done. Times are since the host
/// started.
///
/// Source: Core Specification 6.0, Vol 3, Part A.
package struct L2CAPLink: Sendable {
    /// The link's kind.
    package enum Transport: Sendable, Hashable {
        case le, classic
    }

    /// This end's role on the link.
    package enum Role: Sendable, Hashable {
        case central, peripheral
    }

    /// What a peer may open.
    package struct Listener: Sendable, Hashable {
        /// The longest SDU in bytes that this end receives.
        package var mtu: UInt16
        /// How the link must be protected.
        package var protection: LinkProtection
        /// The size in bytes of the shortest key for a link that must be encrypted.
        package var minimumKeySize: Int
        /// Whether this peer may use it. The answer to another one is “insufficient authorization”.
        package var isAuthorized: Bool

        package init(
            mtu: UInt16, protection: LinkProtection = .none, minimumKeySize: Int = 7, isAuthorized: Bool = true
        ) {
            self.mtu = mtu
            self.protection = protection
            self.minimumKeySize = minimumKeySize
            self.isAuthorized = isAuthorized
        }
    }

    package let role: Role
    package let transport: Transport
    package let configuration: L2CAPConfiguration
    /// By PSM, or by SPSM of an LE link.
    package var listeners: [UInt16: Listener] = [:]
    /// The link's protection at this moment. The layer above keeps it up to date.
    package var security = LinkSecurity.none
    /// Whether there is a key with which the link could be encrypted. Without encryption, the answer to a peer is then
    /// “insufficient encryption”, not “insufficient authentication”.
    package var hasKey = false

    /// By CID at this end.
    var channels: [UInt16: L2CAPChannel] = [:]
    /// The commands without an answer, by identifier.
    var pending: [UInt8: PendingRequest] = [:]
    /// The peer's request for parameters that the layer above has not answered.
    var parametersIdentifier: UInt8?
    var lastIdentifier: UInt8 = 0
    var lastSerial = 0

    /// A command that the peer must answer, and until when.
    struct PendingRequest: Sendable {
        var request: L2CAPRequest
        var deadline: Duration
    }

    package init(role: Role, transport: Transport, configuration: L2CAPConfiguration = L2CAPConfiguration()) {
        self.role = role
        self.transport = transport
        self.configuration = configuration
    }

    /// Takes one whole frame, header included.
    package mutating func receive(_ frame: [UInt8], at now: Duration) -> [Output] {
        let received: L2CAPFrame
        do { received = try L2CAPFrame(frame) } catch { return [.violation("the peer sent \(error)")] }
        switch received.channel {
        case signalingChannel: return receiveSignaling(received.payload, at: now)
        case let channel where fixedChannels.contains(channel): return [.fixed(channel, received.payload)]
        case let channel: return receiveData(received.payload, on: channel, at: now)
        }
    }

    /// Sends on a fixed channel: ATT or SMP.
    ///
    /// - Parameter payload: At most 65535 bytes.
    package func send(_ payload: [UInt8], on fixed: ChannelIdentifier) -> [Output] {
        guard payload.count <= Int(UInt16.max) else {
            return [.note("\(fixed): \(payload.count) bytes were not sent; a frame has at most 65535")]
        }
        return [.frame(L2CAPFrame(channel: fixed, payload: payload).bytes)]
    }

    /// The link has ended, and its channels with it. No later call is useful.
    package mutating func end() -> [Output] {
        let ended = sortedChannels
        channels = [:]
        pending = [:]
        parametersIdentifier = nil
        return ended.flatMap { channel -> [Output] in
            switch channel.state {
            case .opening(isAbandoned: false): [.openFailed(channel.id, why: L2CAPRefusal(.linkEnded))]
            case .configuring where !channel.isByPeer: [.openFailed(channel.id, why: L2CAPRefusal(.linkEnded))]
            case .open, .closing(isTold: false): [.closed(channel.id, byPeer: false, why: .linkEnded)]
            default: []
            }
        }
    }

    var signalingChannel: ChannelIdentifier { transport == .le ? .leSignaling : .classicSignaling }

    /// The longest payload in bytes of a signalling frame.
    var signalingMTU: Int {
        transport == .le ? configuration.signalingMTU : configuration.classicSignalingMTU
    }

    /// The channels of the layers above.
    private var fixedChannels: [ChannelIdentifier] {
        transport == .le ? [.attributes, .securityManager] : [.classicSecurityManager]
    }

    /// In a fixed order, so that the same calls give the same output.
    var sortedChannels: [L2CAPChannel] { channels.values.sorted { $0.id.cid < $1.id.cid } }
}
