import RadioModel

/// Commands of the peer.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4 and 4.1.
extension L2CAPLink {
    mutating func receiveSignaling(_ payload: [UInt8], at now: Duration) -> [Output] {
        let (packets, stray) = SignalingPacket.split(payload)
        guard payload.count <= signalingMTU else { return refuseLongFrame(packets, payload.count) }
        // An LE link has one command in a frame, a classic link has several.
        if transport == .le, packets.count > 1 || packets.contains(where: { !$0.isWhole }) || stray > 0 {
            return refuse(packets.first, "a signalling frame of \(payload.count) bytes that is not one whole command")
        }
        var outputs: [Output] = []
        for packet in packets { outputs += receive(packet, at: now) }
        if stray > 0 || packets.isEmpty {
            outputs.append(.note("the peer sent a signalling frame with \(stray) bytes of no command"))
        }
        return outputs
    }

    private mutating func receive(_ packet: SignalingPacket, at now: Duration) -> [Output] {
        guard packet.isWhole else { return refuse(packet, "a signalling command with too little data") }
        guard packet.identifier != 0 else { return refuse(packet, "a signalling command with identifier 0") }
        guard let code = SignalingCode(rawValue: packet.code) else {
            return refuse(packet, "the unknown signalling command \(Hex.text([packet.code]))")
        }
        guard code.isUsed(on: transport), configuration.allowsEnhancedChannels || !code.opensEnhancedChannels else {
            return refuse(packet, "\(code.name), which this link does not have")
        }
        do {
            return receive(try SignalingCommand(code, data: packet.data), packet.identifier, at: now)
        } catch { return refuse(packet, error.description) }
    }

    private mutating func receive(_ command: SignalingCommand, _ identifier: UInt8, at now: Duration) -> [Output] {
        switch command {
        case .commandReject(let reason): receiveReject(reason, identifier, at: now)
        case .disconnectionRequest(let destination, let source):
            receiveDisconnection(of: destination, from: source, identifier)
        case .disconnectionResponse(let destination, let source):
            receiveDisconnected(destination, source, identifier)
        case .parameterUpdateRequest(let wanted): receiveParameterRequest(wanted, identifier)
        case .parameterUpdateResponse(let isAccepted): receiveParameterResponse(isAccepted, identifier)
        case .creditBasedConnectionRequest(let psm, let source, let terms):
            receiveConnectionRequest(psm, from: source, terms, identifier)
        case .creditBasedConnectionResponse(let destination, let terms, let result):
            receiveConnectionResponse(destination, terms, result, identifier, at: now)
        case .flowControlCredit(let channel, let credits):
            receiveCredits(credits, from: channel, identifier, at: now)
        case .enhancedConnectionRequest(let psm, let terms, let sources):
            receiveEnhancedRequest(psm, terms, sources, identifier)
        case .enhancedConnectionResponse(let terms, let result, let destinations):
            receiveEnhancedResponse(terms, result, destinations, identifier, at: now)
        case .reconfigureRequest(let mtu, let mps, let channels):
            receiveReconfiguration(mtu, mps, channels, identifier)
        default: receiveClassic(command, identifier, at: now)
        }
    }

    private mutating func receiveClassic(
        _ command: SignalingCommand, _ identifier: UInt8, at now: Duration
    ) -> [Output] {
        switch command {
        case .connectionRequest(let psm, let source):
            receiveClassicRequest(psm, from: source, identifier, at: now)
        case .connectionResponse(let destination, let source, let result, _):
            receiveClassicResponse(destination, source, result, identifier, at: now)
        case .configurationRequest(let destination, let isContinued, let options):
            receiveConfiguration(of: destination, isContinued, options, identifier, at: now)
        case .configurationResponse(let source, _, let result, let options):
            receiveConfigured(source, result, options, identifier, at: now)
        case .echoRequest(let data): [signal(.echoResponse(data), identifier)]
        case .informationRequest(let type): [answerInformation(type, identifier)]
        case .informationResponse(let type, let value): receiveInformation(type, value, identifier)
        default: unmatched(command.code, identifier)
        }
    }

    /// Answers with Command Reject where the specification allows it, and tells of the peer's mistake.
    private func refuse(_ packet: SignalingPacket?, _ mistake: String) -> [Output] {
        let note = Output.note("the peer sent \(mistake)")
        guard let packet, packet.isRejectable, packet.identifier != 0 else { return [note] }
        return [signal(.commandReject(.notUnderstood), packet.identifier), note]
    }

    /// The reject has the identifier of the first request; a frame with responses only is discarded.
    private func refuseLongFrame(_ packets: [SignalingPacket], _ length: Int) -> [Output] {
        let note = Output.note("the peer sent a signalling frame of \(length) bytes; \(signalingMTU) are the most")
        guard let first = packets.first(where: { $0.isRejectable && $0.identifier != 0 }) else { return [note] }
        return [signal(.commandReject(.mtuExceeded(UInt16(clamping: signalingMTU))), first.identifier), note]
    }
}

extension SignalingCode {
    /// Whether this host knows the command on such a link. Credit-based channels are on LE links only.
    fileprivate func isUsed(on transport: L2CAPLink.Transport) -> Bool {
        switch self {
        case .commandReject, .disconnectionRequest, .disconnectionResponse: true
        case .connectionRequest, .connectionResponse, .configurationRequest, .configurationResponse, .echoRequest,
            .echoResponse, .informationRequest, .informationResponse:
            transport == .classic
        default: transport == .le
        }
    }

    fileprivate var opensEnhancedChannels: Bool { self == .enhancedConnectionRequest || self == .reconfigureRequest }
}
