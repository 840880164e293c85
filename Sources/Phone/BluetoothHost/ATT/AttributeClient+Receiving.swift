import RadioModel

extension AttributeClient {
    /// Takes a PDU of the peer's server. PDUs for a server are ignored.
    package mutating func receive(_ bytes: [UInt8], at now: Duration) -> [Output] {
        guard end == nil, let opcode = bytes.first.flatMap(ATTOpcode.init(rawValue:)), !opcode.isForServer else {
            return []
        }
        if opcode.kind == .response { return receiveResponse(bytes, opcode, at: now) }
        do {
            return receive(unasked: try decode(bytes))
        } catch {
            return [.violation("\(error.description): \(Hex.spaced(bytes))")]
        }
    }

    private func decode(_ bytes: [UInt8]) throws(Malformed) -> ATTPDU {
        let pdu = try ATTPDU.decode(bytes)
        guard bytes.count <= mtu else {
            throw Malformed("\(pdu.opcode.name) of \(bytes.count) bytes; the MTU is \(mtu)")
        }
        return pdu
    }
}

/// Notifications and indications.
extension AttributeClient {
    private mutating func receive(unasked pdu: ATTPDU) -> [Output] {
        switch pdu {
        case .notification(let value): notifications([value], in: pdu)
        case .multipleNotification(let values): notifications(values, in: pdu)
        case .indication(let value): receive(indication: value)
        default: []
        }
    }

    private func notifications(_ values: [HandleValue], in pdu: ATTPDU) -> [Output] {
        values.map {
            $0.handle == 0
                ? .violation("\(pdu.opcode.name) of the reserved handle 0x0000")
                : .notified(handle: $0.handle, value: $0.value)
        }
    }

    private mutating func receive(indication value: HandleValue) -> [Output] {
        guard value.handle != 0 else { return [.violation("Handle Value Indication of the reserved handle 0x0000")] }
        if let unconfirmed {
            return [
                .violation(
                    "Handle Value Indication, handle \(HandleRange.text(value.handle)), before the confirmation of "
                        + "the last one, handle \(HandleRange.text(unconfirmed))")
            ]
        }
        unconfirmed = value.handle
        let output = Output.indicated(handle: value.handle, value: value.value)
        let isConfirmed = configuration.confirmsAtOnce && !withheldHandles.contains(value.handle)
        return [output] + (isConfirmed ? confirm() : [])
    }
}

/// Responses.
extension AttributeClient {
    private mutating func receiveResponse(_ bytes: [UInt8], _ opcode: ATTOpcode, at now: Duration) -> [Output] {
        guard let (request, _) = outstanding else {
            return [.violation("\(opcode.name) without a request: \(Hex.spaced(bytes))")]
        }
        guard opcode == .errorResponse || opcode == request.pdu.opcode.response else {
            return [.violation("\(opcode.name) as the answer to \(request.text): \(Hex.spaced(bytes))")]
        }
        let response: ATTPDU
        do {
            response = try decode(bytes)
        } catch {
            return receive(wrong: bytes, opcode, because: error.description, at: now)
        }
        if case .errorResponse(let code, let handle, let error) = response {
            guard code == request.pdu.opcode.rawValue else {
                return [.violation(errorResponse(to: code, during: request) + ": \(Hex.spaced(bytes))")]
            }
            return refuse(request, error, handle, at: now)
        }
        if let mistake = request.pdu.mistake(of: response) {
            return receive(wrong: bytes, opcode, because: mistake, at: now)
        }
        outstanding = nil
        return finish(request, response) + sendNext(at: now)
    }

    private func errorResponse(to code: UInt8, during request: Request) -> String {
        let other = ATTOpcode(rawValue: code)?.name ?? "the unknown opcode 0x\(Hex.text([code]))"
        return "Error Response to \(other) as the answer to \(request.text)"
    }

    /// The answer to the right request, but in the wrong form: the request fails.
    private mutating func receive(
        wrong bytes: [UInt8], _ opcode: ATTOpcode, because mistake: String, at now: Duration
    ) -> [Output] {
        guard let (request, _) = outstanding else { return [] }
        outstanding = nil
        let text = "\(opcode.name) of the wrong form to \(request.text): \(mistake): \(Hex.spaced(bytes))"
        return [.violation(text), .failed(request.token, text)] + sendNext(at: now)
    }

    private mutating func refuse(
        _ request: Request, _ error: ATTError, _ handle: UInt16, at now: Duration
    ) -> [Output] {
        outstanding = nil
        var outputs: [Output] = [.refused(request.token, error, handle: handle, request: request.pdu)]
        if let asked = request.pdu.handles, !asked.contains(handle) {
            outputs.append(.note("Error Response to \(request.text) with handle \(HandleRange.text(handle))"))
        }
        return outputs + sendNext(at: now)
    }

    private mutating func finish(_ request: Request, _ response: ATTPDU) -> [Output] {
        guard case .exchangeMTUResponse(let peerMTU) = response, case .exchangeMTURequest(let offered) = request.pdu
        else { return [.answered(request.token, response)] }
        let outputs = adopt(mtu: min(Int(peerMTU), Int(offered)), of: peerMTU)
        return [.answered(request.token, response)] + outputs
    }

    /// An MTU below the default one counts as the default: Vol 3, Part F, 3.4.2.2.
    private mutating func adopt(mtu wanted: Int, of peerMTU: UInt16) -> [Output] {
        let before = mtu
        mtu = max(wanted, configuration.defaultMTU)
        let note = "Exchange MTU Response with an MTU of \(peerMTU); \(configuration.defaultMTU) is the smallest"
        return (mtu == before ? [] : [.mtuChanged(mtu)])
            + (Int(peerMTU) < configuration.defaultMTU ? [.note(note)] : [])
    }
}
