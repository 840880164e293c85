import RadioModel

/// Channels in basic mode of a classic link, until their configuration.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.2, 4.3, 4.10 and 4.11.
extension L2CAPLink {
    /// Asks the peer of a classic link what it supports.
    package mutating func requestInformation(
        _ type: InformationType, at now: Duration
    ) throws(L2CAPError) -> [Output] {
        guard transport == .classic else { throw .wrongTransport }
        guard !pending.values.contains(where: { $0.request == .information(type) }) else { throw .unanswered }
        return [ask(.informationRequest(type), for: .information(type), at: now)]
    }

    mutating func receiveInformation(_ type: InformationType, _ value: UInt64?, _ identifier: UInt8) -> [Output] {
        guard pending[identifier]?.request == .information(type) else {
            return unmatched(.informationResponse, identifier)
        }
        pending[identifier] = nil
        return [.peerInformation(type, value: value)]
    }

    func answerInformation(_ type: InformationType, _ identifier: UInt8) -> Output {
        let value: UInt64? =
            switch type {
            case .features: UInt64(configuration.features)
            case .fixedChannels: configuration.fixedChannels
            default: nil
            }
        return signal(.informationResponse(type, value: value), identifier)
    }

    mutating func receiveClassicRequest(
        _ psm: UInt16, from source: UInt16, _ identifier: UInt8, at now: Duration
    ) -> [Output] {
        func refuse(_ reason: L2CAPRefusal.Reason) -> [Output] {
            let result = reason.result(on: .classic)
            return [
                signal(
                    .connectionResponse(destination: 0, source: source, result: result, status: 0), identifier),
                .note("refused a channel of the peer to PSM \(Hex.field(psm)): \(reason.text)"),
            ]
        }
        guard let listener = listeners[psm] else { return refuse(.portNotSupported) }
        if let reason = lack(of: listener) ?? problem(ofSource: source) { return refuse(reason) }
        guard let id = try? newChannel(psm: psm, mtu: max(leastMTU, listener.mtu), isByPeer: true) else {
            return refuse(.noResources)
        }
        channels[id.cid]?.remoteCID = source
        let response = SignalingCommand.connectionResponse(destination: id.cid, source: source, result: 0, status: 0)
        return [signal(response, identifier)] + startConfiguration(of: id, at: now)
    }

    mutating func receiveClassicResponse(
        _ destination: UInt16, _ source: UInt16, _ result: UInt16, _ identifier: UInt8, at now: Duration
    ) -> [Output] {
        guard case .connection(let id)? = pending[identifier]?.request else {
            return unmatched(.connectionResponse, identifier)
        }
        guard id.cid == source else {
            return [.note("the peer sent Connection Response with another Source CID than the request")]
        }
        if result == 1 {
            pending[identifier]?.deadline = now + configuration.extendedTimeout
            return []
        }
        pending[identifier] = nil
        guard result == 0 else { return failOpening([id], why: L2CAPRefusal(result: result, on: .classic)) }
        guard let channel = channel(id) else { return [] }
        guard isPeersChannel(destination), !isRemoteInUse(destination) else {
            let detail = "\(Hex.field(destination)) is no free channel of the peer"
            return failOpening([id], why: L2CAPRefusal(.violation, code: 0, detail: detail))
        }
        channels[id.cid]?.remoteCID = destination
        if channel.isAbandoned { return disconnect(id.cid, isTold: true, at: now) }
        return startConfiguration(of: id, at: now)
    }
}
