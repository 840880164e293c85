/// The kind of a signalling command, by its number on the air.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4, table 4.2.
package enum SignalingCode: UInt8, Sendable, Hashable, CaseIterable {
    case commandReject = 0x01
    case connectionRequest = 0x02
    case connectionResponse = 0x03
    case configurationRequest = 0x04
    case configurationResponse = 0x05
    case disconnectionRequest = 0x06
    case disconnectionResponse = 0x07
    case echoRequest = 0x08
    case echoResponse = 0x09
    case informationRequest = 0x0A
    case informationResponse = 0x0B
    case parameterUpdateRequest = 0x12
    case parameterUpdateResponse = 0x13
    case creditBasedConnectionRequest = 0x14
    case creditBasedConnectionResponse = 0x15
    case flowControlCredit = 0x16
    case enhancedConnectionRequest = 0x17
    case enhancedConnectionResponse = 0x18
    case reconfigureRequest = 0x19
    case reconfigureResponse = 0x1A

    /// Whether it answers an earlier command. Nothing answers it in turn.
    package var isResponse: Bool {
        switch self {
        case .commandReject, .connectionResponse, .configurationResponse, .disconnectionResponse, .echoResponse,
            .informationResponse, .parameterUpdateResponse, .creditBasedConnectionResponse, .enhancedConnectionResponse,
            .reconfigureResponse:
            true
        default: false
        }
    }

    /// The name in the specification.
    package var name: String {
        switch self {
        case .commandReject: "Command Reject"
        case .connectionRequest: "Connection Request"
        case .connectionResponse: "Connection Response"
        case .configurationRequest: "Configuration Request"
        case .configurationResponse: "Configuration Response"
        case .disconnectionRequest: "Disconnection Request"
        case .disconnectionResponse: "Disconnection Response"
        case .echoRequest: "Echo Request"
        case .echoResponse: "Echo Response"
        case .informationRequest: "Information Request"
        case .informationResponse: "Information Response"
        case .parameterUpdateRequest: "Connection Parameter Update Request"
        case .parameterUpdateResponse: "Connection Parameter Update Response"
        case .creditBasedConnectionRequest: "LE Credit Based Connection Request"
        case .creditBasedConnectionResponse: "LE Credit Based Connection Response"
        case .flowControlCredit: "Flow Control Credit"
        case .enhancedConnectionRequest: "Credit Based Connection Request"
        case .enhancedConnectionResponse: "Credit Based Connection Response"
        case .reconfigureRequest: "Credit Based Reconfigure Request"
        case .reconfigureResponse: "Credit Based Reconfigure Response"
        }
    }
}
