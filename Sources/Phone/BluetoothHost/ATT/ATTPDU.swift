import RadioModel

/// A PDU of the Attribute Protocol.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.
package enum ATTPDU: Sendable, Hashable {
    case errorResponse(request: UInt8, handle: UInt16, error: ATTError)
    case exchangeMTURequest(mtu: UInt16)
    case exchangeMTUResponse(mtu: UInt16)
    case findInformationRequest(HandleRange)
    /// All types are written with 2 bytes, or all with 16.
    case findInformationResponse([AttributeInformation])
    case findByTypeValueRequest(HandleRange, type: UInt16, value: [UInt8])
    /// The found attributes, each with the end of its group.
    case findByTypeValueResponse([HandleRange])
    case readByTypeRequest(HandleRange, type: BluetoothUUID)
    /// All values have the same length.
    case readByTypeResponse([HandleValue])
    case readRequest(handle: UInt16)
    case readResponse(value: [UInt8])
    case readBlobRequest(handle: UInt16, offset: UInt16)
    case readBlobResponse(value: [UInt8])
    case readMultipleRequest(handles: [UInt16])
    /// The values one after the other; only the client knows their lengths.
    case readMultipleResponse(values: [UInt8])
    case readByGroupTypeRequest(HandleRange, type: BluetoothUUID)
    /// All values have the same length.
    case readByGroupTypeResponse([AttributeGroup])
    case writeRequest(handle: UInt16, value: [UInt8])
    case writeResponse
    case writeCommand(handle: UInt16, value: [UInt8])
    /// The signature has 12 bytes.
    case signedWriteCommand(handle: UInt16, value: [UInt8], signature: [UInt8])
    case prepareWriteRequest(AttributeWrite)
    case prepareWriteResponse(AttributeWrite)
    /// Writes the prepared values, or drops them.
    case executeWriteRequest(commits: Bool)
    case executeWriteResponse
    case readMultipleVariableRequest(handles: [UInt16])
    case readMultipleVariableResponse([VariableValue])
    case notification(HandleValue)
    case multipleNotification([HandleValue])
    case indication(HandleValue)
    case confirmation
}

/// Bytes for an attribute's value, from an offset on.
package struct AttributeWrite: Sendable, Hashable {
    package var handle: UInt16
    package var offset: UInt16
    package var value: [UInt8]

    package init(_ handle: UInt16, offset: UInt16 = 0, _ value: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.value = value
    }
}

extension ATTPDU {
    package var opcode: ATTOpcode {
        switch self {
        case .errorResponse: .errorResponse
        case .exchangeMTURequest: .exchangeMTURequest
        case .exchangeMTUResponse: .exchangeMTUResponse
        case .findInformationRequest: .findInformationRequest
        case .findInformationResponse: .findInformationResponse
        case .findByTypeValueRequest: .findByTypeValueRequest
        case .findByTypeValueResponse: .findByTypeValueResponse
        case .readByTypeRequest: .readByTypeRequest
        case .readByTypeResponse: .readByTypeResponse
        case .readRequest: .readRequest
        case .readResponse: .readResponse
        case .readBlobRequest: .readBlobRequest
        case .readBlobResponse: .readBlobResponse
        case .readMultipleRequest: .readMultipleRequest
        case .readMultipleResponse: .readMultipleResponse
        case .readByGroupTypeRequest: .readByGroupTypeRequest
        case .readByGroupTypeResponse: .readByGroupTypeResponse
        case .writeRequest: .writeRequest
        case .writeResponse: .writeResponse
        case .writeCommand: .writeCommand
        case .signedWriteCommand: .signedWriteCommand
        case .prepareWriteRequest: .prepareWriteRequest
        case .prepareWriteResponse: .prepareWriteResponse
        case .executeWriteRequest: .executeWriteRequest
        case .executeWriteResponse: .executeWriteResponse
        case .readMultipleVariableRequest: .readMultipleVariableRequest
        case .readMultipleVariableResponse: .readMultipleVariableResponse
        case .notification: .notification
        case .multipleNotification: .multipleNotification
        case .indication: .indication
        case .confirmation: .confirmation
        }
    }

    /// The handles that a PDU names, as far as they are one range; nil for other PDUs.
    package var handles: HandleRange? {
        switch self {
        case .findInformationRequest(let range), .findByTypeValueRequest(let range, _, _),
            .readByTypeRequest(let range, _), .readByGroupTypeRequest(let range, _):
            range
        case .errorResponse(_, let handle, _), .readRequest(let handle), .readBlobRequest(let handle, _),
            .writeRequest(let handle, _), .writeCommand(let handle, _), .signedWriteCommand(let handle, _, _):
            HandleRange(handle, handle)
        case .prepareWriteRequest(let write), .prepareWriteResponse(let write):
            HandleRange(write.handle, write.handle)
        case .notification(let value), .indication(let value): HandleRange(value.handle, value.handle)
        default: nil
        }
    }
}

extension ATTPDU: CustomStringConvertible {
    /// The name with the handles: `Read Request, handle 0x0012`.
    package var description: String {
        if let handles {
            let isOne = handles.first == handles.last
            return "\(opcode.name), " + (isOne ? "handle \(HandleRange.text(handles.first))" : "handles \(handles)")
        }
        switch self {
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
            return "\(opcode.name), handles " + handles.map(HandleRange.text).joined(separator: ", ")
        default: return opcode.name
        }
    }
}
