import RadioModel

/// Channels that the peer opens.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.22 and 4.23; Part C, 10.3.1.
extension L2CAPLink {
    mutating func receiveConnectionRequest(
        _ psm: UInt16, from source: UInt16, _ terms: CreditBasedTerms, _ identifier: UInt8
    ) -> [Output] {
        func refuse(_ reason: L2CAPRefusal.Reason, _ why: String) -> [Output] {
            let nothing = CreditBasedTerms(mtu: 0, mps: 0, credits: 0)
            let result = reason.result(on: .le)
            return [
                signal(.creditBasedConnectionResponse(destination: 0, terms: nothing, result: result), identifier),
                .note("refused a channel of the peer to PSM \(Hex.field(psm)): \(why)"),
            ]
        }
        guard let listener = listeners[psm] else { return refuse(.portNotSupported, "nothing listens there") }
        if let reason = lack(of: listener) { return refuse(reason, reason.text) }
        if let reason = problem(ofSource: source) { return refuse(reason, "\(reason.text) \(Hex.field(source))") }
        if let problem = terms.problem(least: 23) { return refuse(.unacceptableParameters, problem) }
        let own = configuration.terms(mtu: listener.mtu, least: 23)
        guard let id = acceptChannel(psm, from: source, terms, own: own, isEnhanced: false) else {
            return refuse(.noResources, "\(channels.count) channels are in use")
        }
        return [
            signal(.creditBasedConnectionResponse(destination: id.cid, terms: own, result: 0), identifier),
            .opened(id, psm: psm, peerMTU: terms.mtu, byPeer: true),
        ] + returnCredits(id.cid)
    }

    /// Makes an open LE channel; nil if the link has too many.
    mutating func acceptChannel(
        _ psm: UInt16, from source: UInt16, _ terms: CreditBasedTerms, own: CreditBasedTerms, isEnhanced: Bool
    ) -> LocalChannel? {
        guard let id = try? newChannel(psm: psm, mtu: own.mtu, isByPeer: true, isEnhanced: isEnhanced) else {
            return nil
        }
        channels[id.cid]?.remoteCID = source
        channels[id.cid]?.state = .open
        channels[id.cid]?.peerMTU = terms.mtu
        channels[id.cid]?.sender = SegmentSender(mps: terms.mps, credits: terms.credits)
        channels[id.cid]?.receiver = SegmentReceiver(terms: own, configuration: configuration)
        return id
    }

    /// What is wrong with the CID that the peer has for its end; nil if nothing is.
    func problem(ofSource source: UInt16) -> L2CAPRefusal.Reason? {
        if !isPeersChannel(source) { return .invalidSource }
        return isRemoteInUse(source) ? .sourceInUse : nil
    }

    /// What the link lacks for a listener; nil if it lacks nothing.
    func lack(of listener: Listener) -> L2CAPRefusal.Reason? {
        if listener.protection != .none, !security.isEncrypted {
            return hasKey ? .insufficientEncryption : .insufficientAuthentication
        }
        if !security.satisfies(listener.protection) { return .insufficientAuthentication }
        if listener.protection != .none, security.keySize < listener.minimumKeySize { return .keyTooShort }
        return listener.isAuthorized ? nil : .insufficientAuthorization
    }
}
