import RadioModel

extension SignalingCommand {
    /// Reads the fields of a command.
    ///
    /// - Throws: If the data is too short or too long for the command.
    package init(_ code: SignalingCode, data: [UInt8]) throws(Malformed) {
        var reader = PacketReader(data, of: "the data of \(code.name)")
        switch code {
        case .connectionRequest, .connectionResponse, .configurationRequest, .configurationResponse, .echoRequest,
            .echoResponse, .informationRequest, .informationResponse:
            self = try Self.classic(code, &reader)
        case .creditBasedConnectionRequest, .creditBasedConnectionResponse, .flowControlCredit,
            .enhancedConnectionRequest, .enhancedConnectionResponse, .reconfigureRequest, .reconfigureResponse:
            self = try Self.creditBased(code, &reader)
        case .commandReject: self = .commandReject(try Self.rejectReason(&reader))
        case .disconnectionRequest:
            self = .disconnectionRequest(destination: try reader.uint16(), source: try reader.uint16())
        case .disconnectionResponse:
            self = .disconnectionResponse(destination: try reader.uint16(), source: try reader.uint16())
        case .parameterUpdateRequest:
            self = .parameterUpdateRequest(
                ConnectionParameters(
                    shortestInterval: try reader.uint16(), longestInterval: try reader.uint16(),
                    latency: try reader.uint16(), timeout: try reader.uint16()))
        case .parameterUpdateResponse: self = .parameterUpdateResponse(isAccepted: try reader.uint16() == 0)
        }
        try reader.end()
    }

    private static func classic(
        _ code: SignalingCode, _ reader: inout PacketReader
    ) throws(Malformed) -> SignalingCommand {
        switch code {
        case .connectionRequest: return .connectionRequest(psm: try reader.uint16(), source: try reader.uint16())
        case .connectionResponse:
            return .connectionResponse(
                destination: try reader.uint16(), source: try reader.uint16(), result: try reader.uint16(),
                status: try reader.uint16())
        case .configurationRequest:
            return .configurationRequest(
                destination: try reader.uint16(), isContinued: try reader.uint16() & 1 != 0,
                options: try ConfigurationOption.read(&reader))
        case .configurationResponse:
            return .configurationResponse(
                source: try reader.uint16(), isContinued: try reader.uint16() & 1 != 0,
                result: ConfigurationResult(rawValue: try reader.uint16()),
                options: try ConfigurationOption.read(&reader))
        case .echoRequest: return .echoRequest(reader.remainder())
        case .echoResponse: return .echoResponse(reader.remainder())
        case .informationRequest: return .informationRequest(InformationType(rawValue: try reader.uint16()))
        default: return try informationResponse(&reader)
        }
    }

    private static func creditBased(
        _ code: SignalingCode, _ reader: inout PacketReader
    ) throws(Malformed) -> SignalingCommand {
        switch code {
        case .creditBasedConnectionRequest:
            return .creditBasedConnectionRequest(
                psm: try reader.uint16(), source: try reader.uint16(), terms: try terms(&reader))
        case .creditBasedConnectionResponse:
            return .creditBasedConnectionResponse(
                destination: try reader.uint16(), terms: try terms(&reader), result: try reader.uint16())
        case .flowControlCredit:
            return .flowControlCredit(channel: try reader.uint16(), credits: try reader.uint16())
        case .enhancedConnectionRequest:
            return .enhancedConnectionRequest(
                psm: try reader.uint16(), terms: try terms(&reader), sources: try channels(&reader))
        case .enhancedConnectionResponse:
            return .enhancedConnectionResponse(
                terms: try terms(&reader), result: try reader.uint16(), destinations: try channels(&reader))
        case .reconfigureRequest:
            return .reconfigureRequest(
                mtu: try reader.uint16(), mps: try reader.uint16(), channels: try channels(&reader))
        default: return .reconfigureResponse(result: try reader.uint16())
        }
    }

    private static func rejectReason(_ reader: inout PacketReader) throws(Malformed) -> RejectReason {
        switch try reader.uint16() {
        case 0: return .notUnderstood
        case 1: return .mtuExceeded(try reader.uint16())
        case 2: return .invalidChannel(local: try reader.uint16(), remote: try reader.uint16())
        case let code:
            _ = reader.remainder()
            return .other(code)
        }
    }

    private static func informationResponse(_ reader: inout PacketReader) throws(Malformed) -> SignalingCommand {
        let type = InformationType(rawValue: try reader.uint16())
        guard try reader.uint16() == 0, let length = type.length else {
            _ = reader.remainder()
            return .informationResponse(type, value: nil)
        }
        let value = try reader.bytes(length).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .informationResponse(type, value: value)
    }

    private static func terms(_ reader: inout PacketReader) throws(Malformed) -> CreditBasedTerms {
        CreditBasedTerms(mtu: try reader.uint16(), mps: try reader.uint16(), credits: try reader.uint16())
    }

    private static func channels(_ reader: inout PacketReader) throws(Malformed) -> [UInt16] {
        var channels: [UInt16] = []
        while reader.count > 0 { channels.append(try reader.uint16()) }
        return channels
    }
}
