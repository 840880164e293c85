import RadioModel

extension ATTPDU {
    /// Reads a PDU from the air.
    ///
    /// - Throws: For an unknown opcode, and for parameters of the wrong form.
    package static func decode(_ bytes: [UInt8]) throws(Malformed) -> ATTPDU {
        guard let first = bytes.first else { throw Malformed("a PDU of 0 bytes") }
        guard let opcode = ATTOpcode(rawValue: first) else {
            throw Malformed("a PDU with the unknown opcode 0x\(Hex.text([first]))")
        }
        var reader = PacketReader(bytes, of: opcode.name)
        _ = try reader.uint8()
        let pdu =
            switch opcode.kind {
            case .request: try request(opcode, &reader)
            case .response: try response(opcode, &reader)
            default: try other(opcode, &reader)
            }
        try reader.end()
        return pdu
    }

    private static func request(_ opcode: ATTOpcode, _ reader: inout PacketReader) throws(Malformed) -> ATTPDU {
        switch opcode {
        case .findInformationRequest: return .findInformationRequest(try range(&reader))
        case .findByTypeValueRequest:
            return .findByTypeValueRequest(
                try range(&reader), type: try reader.uint16(), value: reader.remainder())
        case .readByTypeRequest:
            return .readByTypeRequest(try range(&reader), type: try attributeType(&reader, in: opcode))
        case .readRequest: return .readRequest(handle: try reader.uint16())
        case .readBlobRequest:
            return .readBlobRequest(handle: try reader.uint16(), offset: try reader.uint16())
        case .readMultipleRequest: return .readMultipleRequest(handles: try handles(&reader, in: opcode))
        case .readMultipleVariableRequest:
            return .readMultipleVariableRequest(handles: try handles(&reader, in: opcode))
        case .readByGroupTypeRequest:
            return .readByGroupTypeRequest(try range(&reader), type: try attributeType(&reader, in: opcode))
        case .writeRequest: return .writeRequest(handle: try reader.uint16(), value: reader.remainder())
        case .prepareWriteRequest: return .prepareWriteRequest(try write(&reader))
        case .executeWriteRequest:
            let flags = try reader.uint8()
            guard flags <= 1 else { throw Malformed("\(opcode.name) with the unknown flags 0x\(Hex.text([flags]))") }
            return .executeWriteRequest(commits: flags == 1)
        default: return .exchangeMTURequest(mtu: try reader.uint16())
        }
    }

    private static func response(_ opcode: ATTOpcode, _ reader: inout PacketReader) throws(Malformed) -> ATTPDU {
        switch opcode {
        case .exchangeMTUResponse: return .exchangeMTUResponse(mtu: try reader.uint16())
        case .findInformationResponse: return .findInformationResponse(try information(&reader))
        case .findByTypeValueResponse:
            var found: [HandleRange] = []
            repeat { found.append(try range(&reader)) } while reader.count > 0
            return .findByTypeValueResponse(found)
        case .readByTypeResponse:
            let size = try entrySize(&reader, atLeast: 2, in: opcode)
            var values: [HandleValue] = []
            repeat {
                values.append(HandleValue(try reader.uint16(), try reader.bytes(size - 2)))
            } while reader.count > 0
            return .readByTypeResponse(values)
        case .readResponse: return .readResponse(value: reader.remainder())
        case .readBlobResponse: return .readBlobResponse(value: reader.remainder())
        case .readMultipleResponse: return .readMultipleResponse(values: reader.remainder())
        case .readByGroupTypeResponse:
            let size = try entrySize(&reader, atLeast: 4, in: opcode)
            var groups: [AttributeGroup] = []
            repeat {
                groups.append(AttributeGroup(try range(&reader), try reader.bytes(size - 4)))
            } while reader.count > 0
            return .readByGroupTypeResponse(groups)
        case .writeResponse: return .writeResponse
        case .prepareWriteResponse: return .prepareWriteResponse(try write(&reader))
        case .executeWriteResponse: return .executeWriteResponse
        case .readMultipleVariableResponse: return .readMultipleVariableResponse(try variableValues(&reader))
        default:
            return .errorResponse(
                request: try reader.uint8(), handle: try reader.uint16(), error: ATTError(try reader.uint8()))
        }
    }

    private static func other(_ opcode: ATTOpcode, _ reader: inout PacketReader) throws(Malformed) -> ATTPDU {
        switch opcode {
        case .writeCommand: return .writeCommand(handle: try reader.uint16(), value: reader.remainder())
        case .signedWriteCommand:
            let handle = try reader.uint16()
            guard reader.count >= 12 else {
                throw Malformed("\(opcode.name) with a signature of \(reader.count) bytes; 12 are needed")
            }
            let value = try reader.bytes(reader.count - 12)
            return .signedWriteCommand(handle: handle, value: value, signature: reader.remainder())
        case .notification: return .notification(HandleValue(try reader.uint16(), reader.remainder()))
        case .indication: return .indication(HandleValue(try reader.uint16(), reader.remainder()))
        case .multipleNotification:
            var values: [HandleValue] = []
            repeat {
                let handle = try reader.uint16()
                values.append(HandleValue(handle, try reader.bytes(Int(try reader.uint16()))))
            } while reader.count > 0
            return .multipleNotification(values)
        default: return .confirmation
        }
    }
}

/// The fields that several PDUs have.
extension ATTPDU {
    private static func range(_ reader: inout PacketReader) throws(Malformed) -> HandleRange {
        HandleRange(try reader.uint16(), try reader.uint16())
    }

    private static func write(_ reader: inout PacketReader) throws(Malformed) -> AttributeWrite {
        AttributeWrite(try reader.uint16(), offset: try reader.uint16(), reader.remainder())
    }

    /// An attribute type of 2 or 16 bytes. There is no form of 4 bytes: Vol 3, Part F, 3.2.1.
    private static func attributeType(
        _ reader: inout PacketReader, in opcode: ATTOpcode
    ) throws(Malformed) -> BluetoothUUID {
        guard reader.count == 2 || reader.count == 16 else {
            throw Malformed("\(opcode.name) with a type of \(reader.count) bytes; 2 or 16 are needed")
        }
        return try reader.uuid(reader.count)
    }

    private static func handles(_ reader: inout PacketReader, in opcode: ATTOpcode) throws(Malformed) -> [UInt16] {
        guard reader.count >= 4 else {
            throw Malformed("\(opcode.name) with \(reader.count) bytes of handles; two handles are needed")
        }
        var handles: [UInt16] = []
        while reader.count > 0 { handles.append(try reader.uint16()) }
        return handles
    }

    private static func entrySize(
        _ reader: inout PacketReader, atLeast smallest: Int, in opcode: ATTOpcode
    ) throws(Malformed) -> Int {
        let size = Int(try reader.uint8())
        guard size >= smallest else {
            throw Malformed("\(opcode.name) with entries of \(size) bytes; at least \(smallest) are needed")
        }
        return size
    }

    private static func information(_ reader: inout PacketReader) throws(Malformed) -> [AttributeInformation] {
        let format = try reader.uint8()
        guard format == 1 || format == 2 else {
            throw Malformed("Find Information Response with the unknown format 0x\(Hex.text([format]))")
        }
        var entries: [AttributeInformation] = []
        repeat {
            entries.append(AttributeInformation(try reader.uint16(), try reader.uuid(format == 1 ? 2 : 16)))
        } while reader.count > 0
        return entries
    }

    /// The MTU may cut the last value, or the length of it.
    private static func variableValues(_ reader: inout PacketReader) throws(Malformed) -> [VariableValue] {
        var values: [VariableValue] = []
        repeat {
            let length = try reader.uint16()
            values.append(
                VariableValue(length: length, bytes: try reader.bytes(min(Int(length), reader.count))))
        } while reader.count > 1
        _ = reader.remainder()
        return values
    }
}
