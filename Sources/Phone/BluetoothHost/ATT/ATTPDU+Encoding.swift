import RadioModel

extension ATTPDU {
    /// The PDU as it is on the air.
    package var bytes: [UInt8] {
        var bytes = [opcode.rawValue]
        switch opcode.kind {
        case .request: appendRequest(to: &bytes)
        case .response: appendResponse(to: &bytes)
        default: appendOther(to: &bytes)
        }
        return bytes
    }

    private func appendRequest(to bytes: inout [UInt8]) {
        switch self {
        case .exchangeMTURequest(let mtu): bytes.append(uint16: mtu)
        case .findInformationRequest(let range): bytes.append(range: range)
        case .findByTypeValueRequest(let range, let type, let value):
            bytes.append(range: range)
            bytes.append(uint16: type)
            bytes += value
        case .readByTypeRequest(let range, let type), .readByGroupTypeRequest(let range, let type):
            bytes.append(range: range)
            bytes.append(uuid: type)
        case .readRequest(let handle): bytes.append(uint16: handle)
        case .readBlobRequest(let handle, let offset):
            bytes.append(uint16: handle)
            bytes.append(uint16: offset)
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
            for handle in handles { bytes.append(uint16: handle) }
        case .writeRequest(let handle, let value): bytes.append(HandleValue(handle, value))
        case .prepareWriteRequest(let write): bytes.append(write)
        case .executeWriteRequest(let commits): bytes.append(commits ? 1 : 0)
        default: break
        }
    }

    private func appendResponse(to bytes: inout [UInt8]) {
        switch self {
        case .errorResponse(let request, let handle, let error):
            bytes.append(request)
            bytes.append(uint16: handle)
            bytes.append(error.code)
        case .exchangeMTUResponse(let mtu): bytes.append(uint16: mtu)
        case .findInformationResponse(let entries): bytes.append(entries)
        case .findByTypeValueResponse(let found): for range in found { bytes.append(range: range) }
        case .readByTypeResponse(let values): bytes.append(values)
        case .readByGroupTypeResponse(let groups): bytes.append(groups)
        case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value): bytes += value
        case .readMultipleVariableResponse(let values):
            for value in values {
                bytes.append(uint16: value.length)
                bytes += value.bytes
            }
        case .prepareWriteResponse(let write): bytes.append(write)
        default: break
        }
    }

    private func appendOther(to bytes: inout [UInt8]) {
        switch self {
        case .writeCommand(let handle, let value): bytes.append(HandleValue(handle, value))
        case .signedWriteCommand(let handle, let value, let signature):
            bytes.append(HandleValue(handle, value + signature))
        case .notification(let value), .indication(let value): bytes.append(value)
        case .multipleNotification(let values):
            for value in values {
                bytes.append(uint16: value.handle)
                bytes.append(uint16: UInt16(clamping: value.value.count))
                bytes += value.value.prefix(Int(UInt16.max))
            }
        default: break
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(range: HandleRange) {
        append(uint16: range.first)
        append(uint16: range.last)
    }

    fileprivate mutating func append(_ value: HandleValue) {
        append(uint16: value.handle)
        append(contentsOf: value.value)
    }

    fileprivate mutating func append(_ write: AttributeWrite) {
        append(uint16: write.handle)
        append(uint16: write.offset)
        append(contentsOf: write.value)
    }

    /// One form for all types: a type with a short form is written whole beside one without.
    fileprivate mutating func append(_ entries: [AttributeInformation]) {
        let isShort = entries.allSatisfy { $0.type.hasShortForm }
        append(isShort ? 1 : 2)
        for entry in entries {
            append(uint16: entry.handle)
            append(contentsOf: (isShort ? entry.type.shortest : entry.type.bytes).reversed())
        }
    }

    /// The length of the first value is the length of all. Its field has one byte.
    fileprivate mutating func append(_ values: [HandleValue]) {
        let length = Swift.min(values.first?.value.count ?? 0, 253)
        append(UInt8(2 + length))
        for value in values { append(HandleValue(value.handle, Array(value.value.prefix(length)))) }
    }

    fileprivate mutating func append(_ groups: [AttributeGroup]) {
        let length = Swift.min(groups.first?.value.count ?? 0, 251)
        append(UInt8(4 + length))
        for group in groups {
            append(range: group.range)
            append(contentsOf: group.value.prefix(length))
        }
    }
}

extension BluetoothUUID {
    /// Whether the Attribute Protocol writes it with 2 bytes.
    var hasShortForm: Bool { shortest.count == 2 }
}
