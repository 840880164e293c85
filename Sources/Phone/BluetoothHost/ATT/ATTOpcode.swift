/// The opcodes of the Attribute Protocol.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.8.
package enum ATTOpcode: UInt8, Sendable, Hashable, CaseIterable {
    case errorResponse = 0x01
    case exchangeMTURequest = 0x02
    case exchangeMTUResponse = 0x03
    case findInformationRequest = 0x04
    case findInformationResponse = 0x05
    case findByTypeValueRequest = 0x06
    case findByTypeValueResponse = 0x07
    case readByTypeRequest = 0x08
    case readByTypeResponse = 0x09
    case readRequest = 0x0A
    case readResponse = 0x0B
    case readBlobRequest = 0x0C
    case readBlobResponse = 0x0D
    case readMultipleRequest = 0x0E
    case readMultipleResponse = 0x0F
    case readByGroupTypeRequest = 0x10
    case readByGroupTypeResponse = 0x11
    case writeRequest = 0x12
    case writeResponse = 0x13
    case prepareWriteRequest = 0x16
    case prepareWriteResponse = 0x17
    case executeWriteRequest = 0x18
    case executeWriteResponse = 0x19
    case notification = 0x1B
    case indication = 0x1D
    case confirmation = 0x1E
    case readMultipleVariableRequest = 0x20
    case readMultipleVariableResponse = 0x21
    case multipleNotification = 0x23
    case writeCommand = 0x52
    case signedWriteCommand = 0xD2

    /// The part of a PDU in a transaction. Source: Vol 3, Part F, 3.3.
    package enum Kind: Sendable, Hashable {
        case request
        case response
        case command
        case notification
        case indication
        case confirmation
    }

    package var kind: Kind {
        switch self {
        case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readRequest,
            .readBlobRequest, .readMultipleRequest, .readByGroupTypeRequest, .writeRequest, .prepareWriteRequest,
            .executeWriteRequest, .readMultipleVariableRequest:
            .request
        case .writeCommand, .signedWriteCommand: .command
        case .notification, .multipleNotification: .notification
        case .indication: .indication
        case .confirmation: .confirmation
        default: .response
        }
    }

    /// The opcode of the response to a request; nil for other PDUs.
    package var response: ATTOpcode? { kind == .request ? ATTOpcode(rawValue: rawValue + 1) : nil }

    /// Whether clients send it to servers.
    package var isForServer: Bool { kind == .request || kind == .command || kind == .confirmation }

    /// Whether an opcode, known or not, is a command: a PDU without an answer. Source: Vol 3, Part F, 3.3.1.
    package static func isCommand(_ opcode: UInt8) -> Bool { opcode & 0x40 != 0 }
}

extension ATTOpcode {
    /// The name in the specification, without `ATT_` and in words: `Read By Type Request`.
    package var name: String {
        switch self {
        case .errorResponse: "Error Response"
        case .exchangeMTURequest: "Exchange MTU Request"
        case .exchangeMTUResponse: "Exchange MTU Response"
        case .findInformationRequest: "Find Information Request"
        case .findInformationResponse: "Find Information Response"
        case .findByTypeValueRequest: "Find By Type Value Request"
        case .findByTypeValueResponse: "Find By Type Value Response"
        case .readByTypeRequest: "Read By Type Request"
        case .readByTypeResponse: "Read By Type Response"
        case .readRequest: "Read Request"
        case .readResponse: "Read Response"
        case .readBlobRequest: "Read Blob Request"
        case .readBlobResponse: "Read Blob Response"
        case .readMultipleRequest: "Read Multiple Request"
        case .readMultipleResponse: "Read Multiple Response"
        case .readByGroupTypeRequest: "Read By Group Type Request"
        case .readByGroupTypeResponse: "Read By Group Type Response"
        case .writeRequest: "Write Request"
        case .writeResponse: "Write Response"
        case .prepareWriteRequest: "Prepare Write Request"
        case .prepareWriteResponse: "Prepare Write Response"
        case .executeWriteRequest: "Execute Write Request"
        case .executeWriteResponse: "Execute Write Response"
        case .notification: "Handle Value Notification"
        case .indication: "Handle Value Indication"
        case .confirmation: "Handle Value Confirmation"
        case .readMultipleVariableRequest: "Read Multiple Variable Request"
        case .readMultipleVariableResponse: "Read Multiple Variable Response"
        case .multipleNotification: "Multiple Handle Value Notification"
        case .writeCommand: "Write Command"
        case .signedWriteCommand: "Signed Write Command"
        }
    }
}
