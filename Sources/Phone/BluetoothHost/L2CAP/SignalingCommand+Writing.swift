import RadioModel

extension SignalingCommand {
    /// The command with its header.
    ///
    /// - Parameter identifier: That of the request; a new one in a request.
    package func bytes(identifier: UInt8) -> [UInt8] {
        SignalingPacket(code: code.rawValue, identifier: identifier, data: data).bytes
    }

    private var data: [UInt8] {
        switch self {
        case .commandReject(let reason): Self.fields(of: reason)
        case .connectionRequest(let psm, let source): Self.fields(psm, source)
        case .connectionResponse(let destination, let source, let result, let status):
            Self.fields(destination, source, result, status)
        case .configurationRequest(let destination, let isContinued, let options):
            Self.fields(destination, isContinued ? 1 : 0) + options.flatMap(\.bytes)
        case .configurationResponse(let source, let isContinued, let result, let options):
            Self.fields(source, isContinued ? 1 : 0, result.rawValue) + options.flatMap(\.bytes)
        case .disconnectionRequest(let destination, let source), .disconnectionResponse(let destination, let source):
            Self.fields(destination, source)
        case .echoRequest(let data), .echoResponse(let data): data
        case .informationRequest(let type): Self.fields(type.rawValue)
        case .informationResponse(let type, let value): Self.fields(of: type, value: value)
        case .parameterUpdateRequest(let wanted):
            Self.fields(wanted.shortestInterval, wanted.longestInterval, wanted.latency, wanted.timeout)
        case .parameterUpdateResponse(let isAccepted): Self.fields(isAccepted ? 0 : 1)
        case .creditBasedConnectionRequest(let psm, let source, let terms):
            Self.fields(psm, source, terms.mtu, terms.mps, terms.credits)
        case .creditBasedConnectionResponse(let destination, let terms, let result):
            Self.fields(destination, terms.mtu, terms.mps, terms.credits, result)
        case .flowControlCredit(let channel, let credits): Self.fields(channel, credits)
        case .enhancedConnectionRequest(let psm, let terms, let sources):
            Self.fields(psm, terms.mtu, terms.mps, terms.credits) + sources.flatMap { Self.fields($0) }
        case .enhancedConnectionResponse(let terms, let result, let destinations):
            Self.fields(terms.mtu, terms.mps, terms.credits, result) + destinations.flatMap { Self.fields($0) }
        case .reconfigureRequest(let mtu, let mps, let channels):
            Self.fields(mtu, mps) + channels.flatMap { Self.fields($0) }
        case .reconfigureResponse(let result): Self.fields(result)
        }
    }

    private static func fields(_ values: UInt16...) -> [UInt8] {
        values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private static func fields(of reason: RejectReason) -> [UInt8] {
        switch reason {
        case .notUnderstood, .other: fields(reason.code)
        case .mtuExceeded(let mtu): fields(reason.code, mtu)
        case .invalidChannel(let local, let remote): fields(reason.code, local, remote)
        }
    }

    /// A type of an unknown length is answered as not supported.
    private static func fields(of type: InformationType, value: UInt64?) -> [UInt8] {
        guard let value, let length = type.length else { return fields(type.rawValue, 1) }
        return fields(type.rawValue, 0) + (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
}
