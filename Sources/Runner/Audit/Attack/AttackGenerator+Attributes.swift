import HILBluetoothHost

// Packets of the attribute protocol: each opcode, also those that only servers send.
extension AttackGenerator {
    private static let types: [UInt16] = [
        0x2800, 0x2801, 0x2802, 0x2803, 0x2900, 0x2902, 0x2A00, 0x2A05, 0x2B29, 0x2B2A, 0,
    ]

    /// What a server may be sent at any time.
    private static let asked = ATTOpcode.allCases.filter { [.request, .command, .notification].contains($0.kind) }

    /// A payload of the right form.
    mutating func attribute() -> [UInt8] {
        // An opcode that no specification has: a command or a request.
        guard !chance.happens(4) else { return [chance.byte()] + chance.bytes(chance.length()) }
        // Most servers end the link, or close it to this protocol, after an answer to no question.
        let opcode = chance.one(of: chance.happens(97) ? AttackGenerator.asked : ATTOpcode.allCases)
        var bytes = [opcode.rawValue]
        switch opcode {
        case .exchangeMTURequest, .exchangeMTUResponse: bytes.append(uint16: chance.edge())
        case .findInformationRequest: bytes += range()
        case .findByTypeValueRequest:
            bytes += range()
            bytes.append(uint16: chance.one(of: AttackGenerator.types))
            bytes += chance.bytes(chance.one(of: [0, 2, 16, 40]))
        case .readByTypeRequest, .readByGroupTypeRequest: bytes += range() + type()
        case .readRequest: bytes.append(uint16: handle())
        case .readBlobRequest:
            bytes.append(uint16: handle())
            bytes.append(uint16: chance.edge())
        case .readMultipleRequest, .readMultipleVariableRequest:
            for _ in 0..<chance.one(of: [0, 1, 2, 3, 10, 60]) { bytes.append(uint16: handle()) }
        case .prepareWriteRequest, .prepareWriteResponse:
            bytes.append(uint16: handle())
            bytes.append(uint16: chance.edge())
            bytes += chance.bytes(chance.length())
        case .executeWriteRequest: bytes.append(chance.one(of: [0, 1, 1, 2, 0xFF]))
        case .errorResponse:
            bytes.append(chance.one(of: ATTOpcode.allCases).rawValue)
            bytes.append(uint16: handle())
            bytes.append(chance.byte())
        case .writeRequest, .writeCommand, .notification, .indication:
            bytes.append(uint16: handle())
            bytes += chance.bytes(chance.length())
        case .signedWriteCommand:
            bytes.append(uint16: handle())
            bytes += chance.bytes(chance.length()) + chance.bytes(12)
        case .confirmation, .writeResponse, .executeWriteResponse: break
        case .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse, .readResponse, .readBlobResponse,
            .readMultipleResponse, .readByGroupTypeResponse, .readMultipleVariableResponse, .multipleNotification:
            bytes += chance.bytes(chance.length())
        }
        return bytes
    }

    /// A handle: mostly one of the accessory's.
    private mutating func handle() -> UInt16 {
        switch chance.number(below: 20) {
        case 0: 0
        case 1: 0xFFFF
        case 2: chance.word()
        case 3: lastHandle &+ UInt16(chance.number(in: 1...20))
        default: UInt16(chance.number(in: 1...Int(lastHandle)))
        }
    }

    private mutating func range() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(uint16: chance.happens(50) ? 1 : handle())
        bytes.append(uint16: chance.happens(50) ? 0xFFFF : handle())
        return bytes
    }

    private mutating func type() -> [UInt8] {
        guard chance.happens(80) else { return chance.bytes(16) }
        var bytes: [UInt8] = []
        bytes.append(uint16: chance.one(of: AttackGenerator.types))
        return bytes
    }
}
