import RadioModel

/// SDUs on open channels, and their credits.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 3.4, 4.24 and 10.1.
extension L2CAPLink {
    /// Sends an SDU, as far as the peer's credits go; the rest waits for more credits. ``Output/sent(_:)`` comes when all of
    /// it has left, at once on a classic link.
    ///
    /// - Throws: ``L2CAPError/notOpen(_:)``, ``L2CAPError/tooLong(length:most:)`` or ``L2CAPError/queueFull(waiting:)``.
    package mutating func send(sdu: [UInt8], on id: LocalChannel) throws(L2CAPError) -> [Output] {
        guard let channel = channel(id), channel.isOpen else { throw .notOpen(id) }
        let most = min(Int(channel.peerMTU), configuration.maxSDU)
        guard sdu.count <= most else { throw .tooLong(length: sdu.count, most: most) }
        guard let sender = channel.sender else {
            return [data(sdu, to: channel.remoteCID), .sent(id)]
        }
        guard sender.queue.count < configuration.queuedSDUs else { throw .queueFull(waiting: sender.queue.count) }
        channels[id.cid]?.sender?.enqueue(sdu)
        return sendQueued(id.cid)
    }

    /// The reader has taken SDUs from a channel, and the peer may get credits for as many. Has no effect on a classic link,
    /// which has no flow control by its reader.
    package mutating func consumed(_ count: Int = 1, on id: LocalChannel) -> [Output] {
        guard let channel = channel(id), channel.isOpen else { return [] }
        channels[id.cid]?.receiver?.consume(count)
        return returnCredits(id.cid)
    }

    mutating func receiveData(_ payload: [UInt8], on identifier: ChannelIdentifier, at now: Duration) -> [Output] {
        guard let channel = channels[identifier.rawValue] else {
            return [.note("ignored \(payload.count) bytes for \(identifier), which is no channel of this link")]
        }
        guard channel.isOpen else {
            // Data that the peer sent before it heard of the end is usual.
            return channel.isClosing ? [] : [.note("ignored \(payload.count) bytes for \(channel.id), not open yet")]
        }
        let sdu: [UInt8]?
        do { sdu = try take(payload, on: channel) } catch { return breakOff(channel, error.description, at: now) }
        return (sdu.map { [.received(channel.id, $0)] } ?? []) + returnCredits(channel.id.cid)
    }

    private mutating func take(_ payload: [UInt8], on channel: L2CAPChannel) throws(Malformed) -> [UInt8]? {
        if channel.receiver != nil { return try channels[channel.id.cid]?.receiver?.receive(payload) }
        guard payload.count <= Int(channel.mtu) else {
            throw Malformed("an SDU of \(payload.count) bytes; our MTU is \(channel.mtu)")
        }
        return payload
    }

    /// The peer may receive more frames.
    mutating func receiveCredits(
        _ credits: UInt16, from remote: UInt16, _ identifier: UInt8, at now: Duration
    ) -> [Output] {
        guard remote != 0, let channel = channels.values.first(where: { $0.remoteCID == remote }) else {
            return [
                signal(.commandReject(.invalidChannel(local: 0, remote: remote)), identifier),
                .note("the peer sent Flow Control Credit for \(Hex.field(remote)), which is no channel"),
            ]
        }
        guard channel.isOpen else { return [] }
        guard credits > 0 else { return [.note("the peer sent Flow Control Credit with no credits")] }
        guard channels[channel.id.cid]?.sender?.add(credits: credits) == true else {
            return breakOff(channel, "\(credits) credits, which makes more than 65535", at: now)
        }
        return sendQueued(channel.id.cid)
    }

    /// Sends what the credits allow.
    private mutating func sendQueued(_ cid: UInt16) -> [Output] {
        guard let channel = channels[cid] else { return [] }
        var outputs: [Output] = []
        while let (payload, endsSDU) = channels[cid]?.sender?.next() {
            outputs.append(data(payload, to: channel.remoteCID))
            if endsSDU { outputs.append(.sent(channel.id)) }
        }
        return outputs
    }

    /// Gives the peer the credits that are due.
    mutating func returnCredits(_ cid: UInt16) -> [Output] {
        guard let credits = channels[cid]?.receiver?.creditsToReturn() else { return [] }
        return [signal(.flowControlCredit(channel: cid, credits: credits), nextIdentifier())]
    }

    private func data(_ payload: [UInt8], to remote: UInt16) -> Output {
        .frame(L2CAPFrame(channel: ChannelIdentifier(rawValue: remote), payload: payload).bytes)
    }
}
