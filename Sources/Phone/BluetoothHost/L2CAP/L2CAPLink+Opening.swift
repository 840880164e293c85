import RadioModel

/// Channels that this end opens.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.2, 4.22 and 4.23.
extension L2CAPLink {
    /// Asks the peer for a channel: a credit-based one of an LE link, or one in basic mode of a classic link.
    ///
    /// - Parameters:
    ///   - psm: 0x0001 to 0x00FF on an LE link. On a classic link, its lowest bit is 1 and its bit 8 is 0 (4.2).
    ///   - mtu: The longest SDU in bytes that this end receives; nil for that of the configuration.
    /// - Throws: ``L2CAPError/invalidPort(_:)``, ``L2CAPError/invalidMTU(_:)`` or ``L2CAPError/noFreeChannel(most:)``.
    package mutating func open(
        psm: UInt16, mtu: UInt16? = nil, at now: Duration
    ) throws(L2CAPError) -> (LocalChannel, [Output]) {
        guard isPort(psm) else { throw .invalidPort(psm) }
        let wanted = mtu ?? (transport == .le ? configuration.mtu : configuration.classicMTU)
        guard wanted >= leastMTU else { throw .invalidMTU(wanted) }
        let id = try newChannel(psm: psm, mtu: wanted)
        let request: SignalingCommand
        if transport == .le {
            let terms = configuration.terms(mtu: wanted, least: leastMTU)
            channels[id.cid]?.receiver = SegmentReceiver(terms: terms, configuration: configuration)
            request = .creditBasedConnectionRequest(psm: psm, source: id.cid, terms: terms)
        } else {
            request = .connectionRequest(psm: psm, source: id.cid)
        }
        return (id, [ask(request, for: .connection(id), at: now)])
    }

    mutating func receiveConnectionResponse(
        _ destination: UInt16, _ terms: CreditBasedTerms, _ result: UInt16, _ identifier: UInt8, at now: Duration
    ) -> [Output] {
        guard case .connection(let id)? = pending[identifier]?.request else {
            return unmatched(.creditBasedConnectionResponse, identifier)
        }
        pending[identifier] = nil
        guard result == 0 else { return failOpening([id], why: L2CAPRefusal(result: result, on: .le)) }
        return finishOpening(id, destination, terms, least: 23, at: now)
    }

    /// The peer has accepted an LE channel.
    mutating func finishOpening(
        _ id: LocalChannel, _ destination: UInt16, _ terms: CreditBasedTerms, least: UInt16, at now: Duration
    ) -> [Output] {
        guard let channel = channel(id) else { return [] }
        guard isPeersChannel(destination), !isRemoteInUse(destination) else {
            let detail = "\(Hex.field(destination)) is no free channel of the peer"
            return failOpening([id], why: L2CAPRefusal(.violation, code: 0, detail: detail))
        }
        channels[id.cid]?.remoteCID = destination
        if channel.isAbandoned { return disconnect(id.cid, isTold: true, at: now) }
        if let problem = terms.problem(least: least) {
            return disconnect(id.cid, isTold: true, at: now)
                + [.openFailed(id, why: L2CAPRefusal(.violation, code: 0, detail: problem))]
        }
        channels[id.cid]?.state = .open
        channels[id.cid]?.peerMTU = terms.mtu
        channels[id.cid]?.sender = SegmentSender(mps: terms.mps, credits: terms.credits)
        return [.opened(id, psm: channel.psm, peerMTU: terms.mtu, byPeer: false)] + returnCredits(id.cid)
    }

    /// Forgets channels that the peer has not accepted.
    mutating func failOpening(_ ids: [LocalChannel], why: L2CAPRefusal) -> [Output] {
        ids.flatMap { id -> [Output] in
            guard let channel = channel(id) else { return [] }
            channels[id.cid] = nil
            return channel.isAbandoned ? [] : [.openFailed(id, why: why)]
        }
    }

    /// A channel at this end in its first state, with the lowest free CID.
    mutating func newChannel(
        psm: UInt16, mtu: UInt16, isByPeer: Bool = false, isEnhanced: Bool = false
    ) throws(L2CAPError) -> LocalChannel {
        guard let cid = freeChannels(1).first else { throw .noFreeChannel(most: configuration.maxChannels) }
        lastSerial += 1
        let id = LocalChannel(cid: cid, serial: lastSerial)
        channels[cid] = L2CAPChannel(
            id: id, psm: psm, isByPeer: isByPeer, isEnhanced: isEnhanced, state: .opening(isAbandoned: false), mtu: mtu)
        return id
    }

    /// The lowest CIDs without a channel, at most `count`.
    func freeChannels(_ count: Int) -> [UInt16] {
        let room = min(count, configuration.maxChannels - channels.count)
        return Array(ownRange.lazy.filter { channels[$0] == nil }.prefix(max(0, room)))
    }

    /// The CIDs of connection-oriented channels (2.1, tables 2.2 and 2.3). A classic link has more of them; the identifiers
    /// of requests would not be enough for all.
    private var ownRange: ClosedRange<UInt16> { transport == .le ? 0x0040...0x007F : 0x0040...0x00BF }

    func isPeersChannel(_ cid: UInt16) -> Bool { cid >= 0x0040 && (transport == .classic || cid <= 0x007F) }

    /// Whether the peer already uses this CID of its own.
    func isRemoteInUse(_ cid: UInt16) -> Bool { channels.values.contains { $0.remoteCID == cid } }

    /// The smallest MTU in bytes that the specification allows.
    var leastMTU: UInt16 { transport == .le ? 23 : 48 }

    private func isPort(_ psm: UInt16) -> Bool {
        transport == .le ? (0x0001...0x00FF).contains(psm) : Self.isClassicPort(psm)
    }

    /// Whether a channel of a classic link may have this PSM: its lowest bit is 1, and its bit 8 is 0 (4.2).
    static func isClassicPort(_ psm: UInt16) -> Bool { psm & 0x0101 == 0x0001 }
}
