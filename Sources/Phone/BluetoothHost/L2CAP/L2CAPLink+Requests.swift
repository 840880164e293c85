import RadioModel

/// Commands that wait for an answer, and their timers.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 6.2.1 and 6.2.2.
extension L2CAPLink {
    /// The next moment at which something is due.
    package var deadline: Duration? {
        (pending.values.map(\.deadline) + channels.values.compactMap { $0.setup?.deadline }).min()
    }

    /// Does what is due.
    package mutating func advance(to now: Duration) -> [Output] {
        var outputs: [Output] = []
        let due = pending.filter { $0.value.deadline <= now }
        for (identifier, late) in due.sorted(by: { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }) {
            // An earlier one of the list may have taken it along.
            guard pending.removeValue(forKey: identifier) != nil else { continue }
            outputs += expire(late.request, at: now)
        }
        for channel in sortedChannels {
            guard let setup = channel.setup, setup.deadline <= now else { continue }
            outputs.append(.timedOut(.configuration(channel.id)))
            outputs += failConfiguration(of: channel, why: L2CAPRefusal(.noAnswer), at: now)
        }
        return outputs
    }

    /// Sends a command that the peer must answer.
    mutating func ask(_ command: SignalingCommand, for request: L2CAPRequest, at now: Duration) -> Output {
        let identifier = nextIdentifier()
        pending[identifier] = PendingRequest(request: request, deadline: now + configuration.requestTimeout)
        return signal(command, identifier)
    }

    /// A signalling frame.
    func signal(_ command: SignalingCommand, _ identifier: UInt8) -> Output {
        .frame(L2CAPFrame(channel: signalingChannel, payload: command.bytes(identifier: identifier)).bytes)
    }

    /// An identifier of no unanswered command, 1 to 255.
    mutating func nextIdentifier() -> UInt8 {
        for _ in 0..<Int(UInt8.max) {
            lastIdentifier = lastIdentifier == UInt8.max ? 1 : lastIdentifier + 1
            if pending[lastIdentifier] == nil { break }
        }
        return lastIdentifier
    }

    /// A response without its request.
    func unmatched(_ code: SignalingCode, _ identifier: UInt8) -> [Output] {
        [.note("the peer sent \(code.name) with identifier \(identifier), of which no request is open")]
    }

    /// A Command Reject ends the request as a refusal does.
    mutating func receiveReject(_ reason: RejectReason, _ identifier: UInt8, at now: Duration) -> [Output] {
        guard let rejected = pending.removeValue(forKey: identifier)?.request else {
            return [.note("the peer sent Command Reject (\(reason)) for identifier \(identifier), which is not open")]
        }
        let refusal = L2CAPRefusal(.commandRejected, code: reason.code, detail: reason.description)
        switch rejected {
        case .connection(let id): return failOpening([id], why: refusal)
        case .enhancedConnection(let ids): return failOpening(ids, why: refusal)
        case .configuration(let id):
            return channel(id).map { failConfiguration(of: $0, why: refusal, at: now) } ?? []
        case .disconnection(let id): return finishClosing(id, why: .requested)
        case .parameters:
            return [
                .note("the peer answered the request for parameters with Command Reject (\(reason))"),
                .parametersAnswered(accepted: false),
            ]
        case .information(let type): return [.peerInformation(type, value: nil)]
        }
    }

    private mutating func expire(_ request: L2CAPRequest, at now: Duration) -> [Output] {
        let told = Output.timedOut(request)
        switch request {
        case .connection(let id): return [told] + failOpening([id], why: L2CAPRefusal(.noAnswer))
        case .enhancedConnection(let ids): return [told] + failOpening(ids, why: L2CAPRefusal(.noAnswer))
        case .configuration(let id):
            return [told] + (channel(id).map { failConfiguration(of: $0, why: L2CAPRefusal(.noAnswer), at: now) } ?? [])
        case .disconnection(let id): return [told] + finishClosing(id, why: .noAnswer)
        case .parameters, .information: return [told]
        }
    }

    /// The channel of this name, if it still exists.
    func channel(_ id: LocalChannel) -> L2CAPChannel? { channels[id.cid].flatMap { $0.id == id ? $0 : nil } }
}
