import RadioModel

/// Enhanced credit-based channels: several with one request, and a later change of their lengths.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.25 to 4.28.
extension L2CAPLink {
    /// The smallest MTU and MPS of an enhanced channel in bytes.
    private static let least: UInt16 = 64

    /// Asks the peer for several channels at once, on an LE link.
    ///
    /// - Parameter count: 1 to 5.
    /// - Throws: As ``open(psm:mtu:at:)`` does.
    package mutating func openEnhanced(
        psm: UInt16, count: Int, mtu: UInt16? = nil, at now: Duration
    ) throws(L2CAPError) -> ([LocalChannel], [Output]) {
        guard transport == .le else { throw .wrongTransport }
        guard (0x0001...0x00FF).contains(psm) else { throw .invalidPort(psm) }
        let wanted = mtu ?? configuration.mtu
        guard wanted >= Self.least else { throw .invalidMTU(wanted) }
        guard (1...5).contains(count), freeChannels(count).count == count else {
            throw .noFreeChannel(most: configuration.maxChannels)
        }
        let terms = enhancedTerms(wanted)
        var ids: [LocalChannel] = []
        for _ in 0..<count {
            let id = try newChannel(psm: psm, mtu: wanted, isEnhanced: true)
            channels[id.cid]?.receiver = SegmentReceiver(terms: terms, configuration: configuration)
            ids.append(id)
        }
        let request = SignalingCommand.enhancedConnectionRequest(psm: psm, terms: terms, sources: ids.map(\.cid))
        return (ids, [ask(request, for: .enhancedConnection(ids), at: now)])
    }

    mutating func receiveEnhancedResponse(
        _ terms: CreditBasedTerms, _ result: UInt16, _ destinations: [UInt16], _ identifier: UInt8, at now: Duration
    ) -> [Output] {
        guard case .enhancedConnection(let ids)? = pending[identifier]?.request else {
            return unmatched(.enhancedConnectionResponse, identifier)
        }
        if (0x000D...0x000F).contains(result) {
            pending[identifier]?.deadline = now + configuration.extendedTimeout
            return []
        }
        pending[identifier] = nil
        // The other results refuse all channels (table 4.19).
        let isPartial = [0x0000, 0x0004, 0x0009, 0x000A].contains(result)
        var outputs: [Output] = []
        for (place, id) in ids.enumerated() {
            let destination = isPartial ? destinations.dropFirst(place).first ?? 0 : 0
            if destination == 0 {
                // “Successful” for all of them, and yet without this channel.
                let why =
                    result == 0
                    ? L2CAPRefusal(.violation, code: 0, detail: "a successful answer without its channel")
                    : L2CAPRefusal(result: result, on: .le)
                outputs += failOpening([id], why: why)
            } else {
                outputs += finishOpening(id, destination, terms, least: Self.least, at: now)
            }
        }
        return outputs
    }

    mutating func receiveEnhancedRequest(
        _ psm: UInt16, _ terms: CreditBasedTerms, _ sources: [UInt16], _ identifier: UInt8
    ) -> [Output] {
        if let reason = problem(ofEnhanced: psm, terms, sources) {
            let response = SignalingCommand.enhancedConnectionResponse(
                terms: CreditBasedTerms(mtu: 0, mps: 0, credits: 0), result: reason.result(on: .le),
                destinations: sources.map { _ in 0 })
            return [
                signal(response, identifier),
                .note("refused \(sources.count) channels of the peer to PSM \(Hex.field(psm)): \(reason.text)"),
            ]
        }
        let own = enhancedTerms(listeners[psm]?.mtu ?? configuration.mtu)
        var opened: [Output] = []
        var refused: L2CAPRefusal.Reason?
        let destinations = sources.map { source -> UInt16 in
            refused = problem(ofSource: source) ?? refused
            guard problem(ofSource: source) == nil else { return 0 }
            guard let id = acceptChannel(psm, from: source, terms, own: own, isEnhanced: true) else {
                refused = .noResources
                return 0
            }
            opened += [.opened(id, psm: psm, peerMTU: terms.mtu, byPeer: true)] + returnCredits(id.cid)
            return id.cid
        }
        let response = SignalingCommand.enhancedConnectionResponse(
            terms: own, result: refused?.result(on: .le) ?? 0, destinations: destinations)
        return [signal(response, identifier)] + opened
    }

    /// The peer changes how much it receives on some of its channels.
    mutating func receiveReconfiguration(
        _ mtu: UInt16, _ mps: UInt16, _ remotes: [UInt16], _ identifier: UInt8
    ) -> [Output] {
        let affected = channels.values.filter { $0.isOpen && $0.isEnhanced && remotes.contains($0.remoteCID) }
        let result: UInt16
        if !(1...5).contains(remotes.count) || mtu < Self.least || !(Self.least...65533).contains(mps) {
            result = 0x0004
        } else if affected.count != remotes.count {
            result = 0x0003
        } else if affected.contains(where: { mtu < $0.peerMTU }) {
            result = 0x0001
        } else if remotes.count > 1, affected.contains(where: { mps < $0.sender?.mps ?? 0 }) {
            result = 0x0002
        } else {
            result = 0
            for channel in affected {
                channels[channel.id.cid]?.peerMTU = mtu
                channels[channel.id.cid]?.sender?.mps = mps
            }
        }
        return [signal(.reconfigureResponse(result: result), identifier)]
    }

    /// Why all channels of a request are refused; nil if the peer gets some of them.
    private func problem(
        ofEnhanced psm: UInt16, _ terms: CreditBasedTerms, _ sources: [UInt16]
    ) -> L2CAPRefusal.Reason? {
        guard (1...5).contains(sources.count) else { return .invalidParameters }
        guard let listener = listeners[psm] else { return .portNotSupported }
        if let reason = lack(of: listener) { return reason }
        return terms.problem(least: Self.least) == nil && terms.credits > 0 ? nil : .unacceptableParameters
    }

    private func enhancedTerms(_ mtu: UInt16) -> CreditBasedTerms {
        var terms = configuration.terms(mtu: mtu, least: Self.least)
        terms.credits = max(1, terms.credits)
        return terms
    }
}
