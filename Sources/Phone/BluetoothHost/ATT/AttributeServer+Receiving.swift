import RadioModel

extension AttributeServer {
    /// Takes a PDU of the peer's client. PDUs for a client are ignored.
    package mutating func receive(
        _ bytes: [UInt8], at now: Duration, in database: inout AttributeDatabase
    ) -> [Output] {
        guard end == nil else { return [] }
        guard let code = bytes.first else { return [.violation("ATT PDU of 0 bytes")] }
        let opcode = ATTOpcode(rawValue: code)
        if let opcode, !opcode.isForServer { return [] }
        guard let opcode, !configuration.unsupported.contains(opcode) else { return receive(unsupported: bytes, code) }
        switch opcode.kind {
        case .request: return receiveRequest(bytes, opcode, in: &database)
        case .command: return receiveCommand(bytes, opcode, in: &database)
        default: return receiveConfirmation(bytes, at: now)
        }
    }

    /// Takes the answer of the layer above. An answer after the link's end is ignored.
    package mutating func answer(
        _ token: RequestToken, _ answer: Answer, in database: inout AttributeDatabase
    ) -> [Output] {
        guard let current = pending, current.token == token else { return [] }
        pending = nil
        do {
            return try finish(current, answer, in: &database)
        } catch {
            return reply(error, to: current.pdu.opcode.rawValue)
        }
    }

    /// Unknown requests are refused, unknown commands are ignored: Vol 3, Part F, 3.3.
    private func receive(unsupported bytes: [UInt8], _ code: UInt8) -> [Output] {
        let name = ATTOpcode(rawValue: code)?.name ?? "PDU with the unknown opcode 0x\(Hex.text([code]))"
        if ATTOpcode.isCommand(code) { return [.note("\(name) was ignored: \(Hex.spaced(bytes))")] }
        if let pending { return [tooEarly(name, pending, bytes)] }
        return reply(Refusal(.requestNotSupported, 0), to: code) + [.note("\(name) was refused: \(Hex.spaced(bytes))")]
    }

    private mutating func receiveRequest(
        _ bytes: [UInt8], _ opcode: ATTOpcode, in database: inout AttributeDatabase
    ) -> [Output] {
        if let pending { return [tooEarly(opcode.name, pending, bytes)] }
        let pdu: ATTPDU
        do {
            pdu = try ATTPDU.decode(bytes)
        } catch {
            return reply(Refusal(.invalidPDU, 0), to: opcode.rawValue)
                + [.note("\(error.description): \(Hex.spaced(bytes))")]
        }
        guard bytes.count <= mtu else {
            return [tooLong(pdu, bytes)] + reply(Refusal(.invalidPDU, 0), to: opcode.rawValue)
        }
        do {
            try checkAwareness(for: pdu)
            return try perform(pdu, in: &database)
        } catch {
            return reply(error, to: opcode.rawValue)
        }
    }

    private mutating func perform(
        _ pdu: ATTPDU, in database: inout AttributeDatabase
    ) throws(Refusal) -> [Output] {
        switch pdu {
        case .exchangeMTURequest(let peerMTU): return exchangeMTU(with: peerMTU)
        case .findInformationRequest(let range): return reply(try findInformation(range, in: database))
        case .findByTypeValueRequest(let range, let type, let value):
            return reply(try findByTypeValue(range, BluetoothUUID(short: type), value, in: database))
        case .readByGroupTypeRequest(let range, let type):
            return reply(try readByGroupType(range, type, in: database))
        case .readByTypeRequest(let range, let type): return try readByType(range, type, for: pdu, in: database)
        case .readRequest(let handle): return try read(handle, for: pdu, in: database)
        case .readBlobRequest(let handle, let offset):
            return try read(handle, from: offset, for: pdu, in: database)
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
            return try readMultiple(handles, for: pdu, in: database)
        case .writeRequest(let handle, let value):
            return try write(HandleValue(handle, value), for: pdu, in: &database)
        case .prepareWriteRequest(let write): return try prepare(write, in: database)
        case .executeWriteRequest(let commits): return try execute(commits: commits, for: pdu, in: &database)
        default: return []
        }
    }

    private mutating func finish(
        _ current: Pending, _ answer: Answer, in database: inout AttributeDatabase
    ) throws(Refusal) -> [Output] {
        switch (answer, current.step) {
        case (.refused(let error, let handle), _): throw Refusal(error, handle ?? current.handle)
        case (.value(let value), .read): return reply(readResponse(value, to: current.pdu))
        case (.value(let value), .readByType):
            let bytes = Array(value.prefix(min(mtu - 4, 253)))
            return reply(.readByTypeResponse([HandleValue(current.handle, bytes)]))
        case (.value(let value), .readMultiple(let handles, let known)):
            return try readMultiple(handles, after: known + [value], for: current.pdu, in: database)
        case (.written, .write): return reply(.writeResponse)
        case (.written, .execute(let stored)):
            return reply(.executeWriteResponse) + commit(stored, in: &database)
        default: throw Refusal(.unlikelyError, current.handle)
        }
    }
}

/// The MTU, and breaches of the protocol.
extension AttributeServer {
    /// A second exchange is refused: Vol 3, Part F, 3.4.2.1. An MTU below the default one counts as the default.
    private mutating func exchangeMTU(with peerMTU: UInt16) -> [Output] {
        guard !hasAnsweredMTU else {
            return reply(Refusal(.requestNotSupported, 0), to: ATTOpcode.exchangeMTURequest.rawValue)
                + [.note("second Exchange MTU Request")]
        }
        hasAnsweredMTU = true
        let (before, smallest) = (mtu, max(23, configuration.defaultMTU))
        mtu = max(smallest, min(Int(peerMTU), Int(configuration.offeredMTU)))
        var outputs = reply(.exchangeMTUResponse(mtu: configuration.offeredMTU))
        if mtu != before { outputs.append(.mtuChanged(mtu)) }
        if Int(peerMTU) < smallest {
            outputs.append(.note("Exchange MTU Request with an MTU of \(peerMTU); \(smallest) is the smallest"))
        }
        return outputs
    }

    private func tooEarly(_ name: String, _ pending: Pending, _ bytes: [UInt8]) -> Output {
        .violation("\(name) before the answer to \(pending.pdu): \(Hex.spaced(bytes))")
    }

    func tooLong(_ pdu: ATTPDU, _ bytes: [UInt8]) -> Output {
        .violation("\(pdu) of \(bytes.count) bytes; the MTU is \(mtu): \(Hex.spaced(bytes))")
    }
}
