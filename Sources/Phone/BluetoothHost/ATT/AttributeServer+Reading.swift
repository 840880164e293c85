import RadioModel

/// Requests that read values.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.4.
extension AttributeServer {
    /// The whole value; nil if the layer above has it.
    func value(of attribute: Attribute) -> [UInt8]? {
        switch attribute.content {
        case .stored(let value): value
        case .dynamic: nil
        case .configuration: (configurations[attribute.handle] ?? []).bytes
        }
    }

    /// Read Request and Read Blob Request.
    mutating func read(
        _ handle: UInt16, from offset: UInt16 = 0, for pdu: ATTPDU, in database: AttributeDatabase
    ) throws(Refusal) -> [Output] {
        let attribute = try readable(handle, in: database)
        guard let value = value(of: attribute) else {
            return ask(.read(handle: handle, offset: offset), of: handle, for: pdu, .read)
        }
        if case .readBlobRequest = pdu, configuration.refusesShortBlobs, value.count <= mtu - 1 {
            throw Refusal(.attributeNotLong, handle)
        }
        guard Int(offset) <= value.count else { throw Refusal(.invalidOffset, handle) }
        return reply(readResponse(Array(value.dropFirst(Int(offset))), to: pdu))
    }

    /// - Parameter value: The value from the asked offset on.
    func readResponse(_ value: [UInt8], to pdu: ATTPDU) -> ATTPDU {
        let bytes = Array(value.prefix(mtu - 1))
        if case .readBlobRequest = pdu { return .readBlobResponse(value: bytes) }
        return .readResponse(value: bytes)
    }

    /// The values of a type, as many as have the length of the first one.
    ///
    /// The layer above is asked for the first value only: another one may turn out to be of no use.
    mutating func readByType(
        _ range: HandleRange, _ type: BluetoothUUID, for pdu: ATTPDU, in database: AttributeDatabase
    ) throws(Refusal) -> [Output] {
        let found = try search(range, in: database).filter { $0.type == type }
        guard let first = found.first else { throw Refusal(.attributeNotFound, range.first) }
        if let error = refusalOfReading(first) { throw Refusal(error, first.handle) }
        guard let value = value(of: first) else {
            return ask(.read(handle: first.handle, offset: 0), of: first.handle, for: pdu, .readByType)
        }
        let length = min(value.count, mtu - 4, 253)
        var entries: [HandleValue] = []
        for attribute in found.prefix((mtu - 2) / (2 + length)) {
            guard refusalOfReading(attribute) == nil, let next = self.value(of: attribute), next.count == value.count
            else { break }
            entries.append(HandleValue(attribute.handle, Array(next.prefix(length))))
        }
        return reply(.readByTypeResponse(entries))
    }

    /// Read Multiple Request and Read Multiple Variable Request.
    ///
    /// - Parameter known: The values of the first handles, from an earlier call.
    mutating func readMultiple(
        _ handles: [UInt16], after known: [[UInt8]] = [], for pdu: ATTPDU, in database: AttributeDatabase
    ) throws(Refusal) -> [Output] {
        var isVariable = false
        if case .readMultipleVariableRequest = pdu { isVariable = true }
        // All are checked first, so that the layer above is not asked in vain.
        let attributes = try handles.map { handle throws(Refusal) in try readable(handle, in: database) }
        var values = known
        for attribute in attributes.dropFirst(known.count) {
            let length = values.reduce(0) { $0 + $1.count + (isVariable ? 2 : 0) }
            guard length < mtu - 1 else { break }
            guard let value = value(of: attribute) else {
                let request = Request.read(handle: attribute.handle, offset: 0)
                return ask(request, of: attribute.handle, for: pdu, .readMultiple(handles, known: values))
            }
            values.append(value)
        }
        if isVariable { return reply(.readMultipleVariableResponse(variable(values))) }
        return reply(.readMultipleResponse(values: Array(values.joined().prefix(mtu - 1))))
    }

    /// Values with their lengths, cut to the MTU. A length is never cut.
    private func variable(_ values: [[UInt8]]) -> [VariableValue] {
        var room = mtu - 1
        var entries: [VariableValue] = []
        for value in values where room >= 2 {
            let bytes = Array(value.prefix(room - 2))
            entries.append(VariableValue(length: UInt16(clamping: value.count), bytes: bytes))
            room -= 2 + bytes.count
        }
        return entries
    }
}
