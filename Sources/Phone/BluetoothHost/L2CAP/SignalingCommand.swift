import RadioModel

/// A command on the signalling channel of a link, with its fields.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.
package enum SignalingCommand: Sendable, Hashable {
    /// Any link (4.1).
    case commandReject(RejectReason)
    /// A classic link (4.2). `source` is the sender's channel.
    case connectionRequest(psm: UInt16, source: UInt16)
    /// A classic link (4.3). `source` is the channel of the sender of the request.
    case connectionResponse(destination: UInt16, source: UInt16, result: UInt16, status: UInt16)
    /// A classic link (4.4). `destination` is the receiver's channel.
    case configurationRequest(destination: UInt16, isContinued: Bool, options: [ConfigurationOption])
    /// A classic link (4.5). `source` is the receiver's channel.
    case configurationResponse(
        source: UInt16, isContinued: Bool, result: ConfigurationResult, options: [ConfigurationOption])
    /// Any link (4.6). `source` is the sender's channel.
    case disconnectionRequest(destination: UInt16, source: UInt16)
    /// Any link (4.7), with the fields of the request.
    case disconnectionResponse(destination: UInt16, source: UInt16)
    /// A classic link (4.8).
    case echoRequest([UInt8])
    /// A classic link (4.9).
    case echoResponse([UInt8])
    /// A classic link (4.10).
    case informationRequest(InformationType)
    /// A classic link (4.11). `value` is nil if the type is not supported.
    case informationResponse(InformationType, value: UInt64?)
    /// An LE link, to the central (4.20).
    case parameterUpdateRequest(ConnectionParameters)
    /// An LE link, to the peripheral (4.21).
    case parameterUpdateResponse(isAccepted: Bool)
    /// An LE link (4.22). `source` is the sender's channel.
    case creditBasedConnectionRequest(psm: UInt16, source: UInt16, terms: CreditBasedTerms)
    /// An LE link (4.23). `destination` is the sender's channel.
    case creditBasedConnectionResponse(destination: UInt16, terms: CreditBasedTerms, result: UInt16)
    /// An LE link (4.24). `channel` is the sender's channel.
    case flowControlCredit(channel: UInt16, credits: UInt16)
    /// An LE link (4.25). `sources` are the sender's channels.
    case enhancedConnectionRequest(psm: UInt16, terms: CreditBasedTerms, sources: [UInt16])
    /// An LE link (4.26). `destinations` are the sender's channels, 0 for a refused one.
    case enhancedConnectionResponse(terms: CreditBasedTerms, result: UInt16, destinations: [UInt16])
    /// An LE link (4.27). `channels` are the sender's channels.
    case reconfigureRequest(mtu: UInt16, mps: UInt16, channels: [UInt16])
    /// An LE link (4.28).
    case reconfigureResponse(result: UInt16)

    package var code: SignalingCode {
        switch self {
        case .commandReject: .commandReject
        case .connectionRequest: .connectionRequest
        case .connectionResponse: .connectionResponse
        case .configurationRequest: .configurationRequest
        case .configurationResponse: .configurationResponse
        case .disconnectionRequest: .disconnectionRequest
        case .disconnectionResponse: .disconnectionResponse
        case .echoRequest: .echoRequest
        case .echoResponse: .echoResponse
        case .informationRequest: .informationRequest
        case .informationResponse: .informationResponse
        case .parameterUpdateRequest: .parameterUpdateRequest
        case .parameterUpdateResponse: .parameterUpdateResponse
        case .creditBasedConnectionRequest: .creditBasedConnectionRequest
        case .creditBasedConnectionResponse: .creditBasedConnectionResponse
        case .flowControlCredit: .flowControlCredit
        case .enhancedConnectionRequest: .enhancedConnectionRequest
        case .enhancedConnectionResponse: .enhancedConnectionResponse
        case .reconfigureRequest: .reconfigureRequest
        case .reconfigureResponse: .reconfigureResponse
        }
    }
}
