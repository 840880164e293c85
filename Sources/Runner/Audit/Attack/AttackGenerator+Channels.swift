import HILBluetoothHost

// Packets of L2CAP: signalling commands, data on channels that may not be open, pieces, and wrong headers.
extension AttackGenerator {
    mutating func channelCourse() -> [AttackPacket] {
        switch chance.number(below: 10) {
        case 0..<6: return [signalingFrame()]
        case 6, 7: return [dataFrame()]
        case 8: return inPieces(chance.happens(50) ? signalingFrame() : dataFrame())
        default:
            // Less than a header, or noise.
            let piece = AttackPacket(chance.bytes(chance.number(in: 1...12)), continues: chance.happens(30))
            return [piece]
        }
    }

    private mutating func signalingFrame() -> AttackPacket {
        var commands = payload(signaling())
        // One command a frame is the rule on LE.
        while chance.happens(8) { commands += signaling() }
        let channel: ChannelIdentifier = chance.happens(92) ? .leSignaling : .classicSignaling
        return framed(channel, commands, badHeaders: 12)
    }

    private mutating func dataFrame() -> AttackPacket {
        let channel = ChannelIdentifier(rawValue: chance.happens(60) ? dynamicChannel() : fixedChannel())
        var payload = chance.bytes(chance.length())
        if chance.happens(40) {
            // The length of an SDU, which may be more or less than what follows.
            var whole: [UInt8] = []
            whole.append(uint16: chance.happens(50) ? UInt16(clamping: payload.count) : chance.edge())
            payload = whole + payload
        }
        return framed(channel, payload, badHeaders: 12)
    }

    private mutating func dynamicChannel() -> UInt16 {
        chance.happens(80) ? UInt16(0x40 + chance.number(below: 8)) : UInt16(0x40 + chance.number(below: 0x40))
    }

    private mutating func fixedChannel() -> UInt16 {
        chance.one(of: [0x0000, 0x0002, 0x0003, 0x0004, 0x0006, 0x0007, 0x0008, 0x001F, 0x003A, 0x003F, 0x0080, 0xFFFF])
    }

    private mutating func service() -> UInt16 {
        chance.one(of: [0x0027, 0x0025, 0x001F, 0x0080, 0x0081, 0x00C0, 0x00FF, 0x0001, 0x0003, 0, 0x0100, 0xFFFF])
    }

    /// A signalling command of the right form.
    private mutating func signaling() -> [UInt8] {
        let code = chance.happens(6) ? chance.byte() : chance.one(of: SignalingCode.allCases).rawValue
        identifier = chance.happens(90) ? identifier % 255 + 1 : chance.one(of: [0, 1, 255])
        let data = SignalingCode(rawValue: code).map { self.data(of: $0) } ?? chance.bytes(chance.number(below: 20))
        var bytes = [code, identifier]
        bytes.append(uint16: chance.happens(90) ? UInt16(clamping: data.count) : chance.edge())
        return bytes + data
    }

    private mutating func data(of code: SignalingCode) -> [UInt8] {
        var data: [UInt8] = []
        switch code {
        case .commandReject:
            data.append(uint16: UInt16(chance.number(below: 4)))
            data += chance.bytes(chance.one(of: [0, 2, 4]))
        case .connectionRequest: data = fields(service(), dynamicChannel())
        case .connectionResponse: data = fields(dynamicChannel(), dynamicChannel(), chance.edge(), 0)
        case .configurationRequest: data = fields(dynamicChannel(), 0) + chance.bytes(chance.one(of: [0, 4, 11, 30]))
        case .configurationResponse:
            data = fields(dynamicChannel(), 0, chance.edge()) + chance.bytes(chance.one(of: [0, 4]))
        case .disconnectionRequest, .disconnectionResponse: data = fields(dynamicChannel(), dynamicChannel())
        case .echoRequest, .echoResponse: data = chance.bytes(chance.length())
        case .informationRequest: data = fields(UInt16(chance.number(below: 5)))
        case .informationResponse:
            data = fields(UInt16(chance.number(below: 5)), 0) + chance.bytes(chance.one(of: [0, 4, 8]))
        case .parameterUpdateRequest: data = fields(chance.edge(), chance.edge(), chance.edge(), chance.edge())
        case .parameterUpdateResponse: data = fields(UInt16(chance.number(below: 3)))
        case .creditBasedConnectionRequest:
            data = fields(service(), dynamicChannel(), chance.edge(), chance.edge(), chance.edge())
        case .creditBasedConnectionResponse:
            data = fields(
                dynamicChannel(), chance.edge(), chance.edge(), chance.edge(), UInt16(chance.number(below: 12)))
        case .flowControlCredit: data = fields(dynamicChannel(), chance.edge())
        case .enhancedConnectionRequest:
            data = fields(service(), chance.edge(), chance.edge(), chance.edge()) + channels()
        case .enhancedConnectionResponse:
            data = fields(chance.edge(), chance.edge(), chance.edge(), UInt16(chance.number(below: 12))) + channels()
        case .reconfigureRequest: data = fields(chance.edge(), chance.edge()) + channels()
        case .reconfigureResponse: data = fields(UInt16(chance.number(below: 5)))
        }
        return data
    }

    /// The CIDs of no, one or several channels; five are the most that a request may have.
    private mutating func channels() -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<chance.one(of: [0, 1, 2, 5, 6, 30]) { bytes.append(uint16: dynamicChannel()) }
        return bytes
    }

    private func fields(_ values: UInt16...) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values { bytes.append(uint16: value) }
        return bytes
    }
}
