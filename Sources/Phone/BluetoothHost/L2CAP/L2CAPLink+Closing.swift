import RadioModel

/// Channels that end.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.6 and 4.7.
extension L2CAPLink {
    /// Closes a channel. What it has not sent yet is lost.
    ///
    /// The attempt to open a channel ends at once, with ``Output/openFailed(_:why:)``. An unknown channel is left alone.
    package mutating func close(_ id: LocalChannel, at now: Duration) -> [Output] {
        guard let channel = channel(id) else { return [] }
        switch channel.state {
        case .opening(isAbandoned: false):
            channels[id.cid]?.state = .opening(isAbandoned: true)
            return [.openFailed(id, why: L2CAPRefusal(.cancelled))]
        case .configuring: return failConfiguration(of: channel, why: L2CAPRefusal(.cancelled), at: now)
        case .open: return disconnect(id.cid, isTold: false, at: now)
        case .opening, .closing: return []
        }
    }

    /// Sends the Disconnection Request. From now on, data on the channel is discarded.
    mutating func disconnect(_ cid: UInt16, isTold: Bool, at now: Duration) -> [Output] {
        guard let channel = channels[cid] else { return [] }
        forgetConfiguration(of: channel.id)
        channels[cid]?.state = .closing(isTold: isTold)
        channels[cid]?.sender = nil
        channels[cid]?.receiver = nil
        let request = SignalingCommand.disconnectionRequest(destination: channel.remoteCID, source: cid)
        return [ask(request, for: .disconnection(channel.id), at: now)]
    }

    /// The peer broke a rule of an open channel, which closes the channel.
    mutating func breakOff(_ channel: L2CAPChannel, _ mistake: String, at now: Duration) -> [Output] {
        disconnect(channel.id.cid, isTold: true, at: now)
            + [.closed(channel.id, byPeer: false, why: .violation("the peer sent \(mistake)"))]
    }

    /// The peer closes a channel.
    mutating func receiveDisconnection(
        of destination: UInt16, from source: UInt16, _ identifier: UInt8
    ) -> [Output] {
        guard let channel = channels[destination] else {
            return [
                signal(.commandReject(.invalidChannel(local: destination, remote: source)), identifier),
                .note("the peer sent Disconnection Request for \(Hex.field(destination)), which is no channel"),
            ]
        }
        guard channel.remoteCID == source, source != 0 else {
            return [.note("the peer sent Disconnection Request for \(channel.id) with a wrong Source CID")]
        }
        forgetConfiguration(of: channel.id)
        if channel.isClosing {
            // Both ends close it at the same time. Its CID stays in use until the peer has answered, too.
            channels[destination]?.state = .closing(isTold: true)
        } else {
            channels[destination] = nil
        }
        let answer = signal(.disconnectionResponse(destination: destination, source: source), identifier)
        return [answer] + ending(of: channel)
    }

    private func ending(of channel: L2CAPChannel) -> [Output] {
        switch channel.state {
        case .open: [.closed(channel.id, byPeer: true, why: .requested)]
        case .closing(isTold: false): [.closed(channel.id, byPeer: false, why: .requested)]
        case .configuring where channel.isByPeer: [.note("the peer closed \(channel.id) before it was open")]
        case .configuring: [.openFailed(channel.id, why: L2CAPRefusal(.closedByPeer))]
        case .opening, .closing: []
        }
    }

    /// The peer confirms that a channel is closed.
    mutating func receiveDisconnected(
        _ destination: UInt16, _ source: UInt16, _ identifier: UInt8
    ) -> [Output] {
        guard case .disconnection(let id)? = pending[identifier]?.request else {
            return unmatched(.disconnectionResponse, identifier)
        }
        if let channel = channel(id), channel.remoteCID != destination || id.cid != source {
            return [.note("the peer sent Disconnection Response with other channels than the request")]
        }
        pending[identifier] = nil
        return finishClosing(id, why: .requested)
    }

    mutating func finishClosing(_ id: LocalChannel, why: ChannelEnd) -> [Output] {
        guard let channel = channel(id) else { return [] }
        channels[id.cid] = nil
        guard case .closing(isTold: false) = channel.state else { return [] }
        return [.closed(id, byPeer: false, why: why)]
    }

    private mutating func forgetConfiguration(of id: LocalChannel) {
        pending = pending.filter { $0.value.request != .configuration(id) }
    }
}
