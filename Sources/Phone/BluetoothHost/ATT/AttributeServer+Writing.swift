import RadioModel

/// Write Request and Write Command.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.5.
extension AttributeServer {
    mutating func write(
        _ write: HandleValue, for pdu: ATTPDU, in database: inout AttributeDatabase
    ) throws(Refusal) -> [Output] {
        let attribute = try writable(write.handle, in: database)
        try check(write.value, for: attribute)
        if case .dynamic = attribute.content {
            return ask(.write([AttributeWrite(write.handle, write.value)]), of: write.handle, for: pdu, .write)
        }
        return reply(.writeResponse) + commit([write], in: &database)
    }

    mutating func receiveCommand(
        _ bytes: [UInt8], _ opcode: ATTOpcode, in database: inout AttributeDatabase
    ) -> [Output] {
        let pdu: ATTPDU
        do {
            pdu = try ATTPDU.decode(bytes)
        } catch {
            return [.note("\(error.description): \(Hex.spaced(bytes))")]
        }
        guard bytes.count <= mtu else { return [tooLong(pdu, bytes)] }
        guard case .writeCommand(let handle, let value) = pdu else {
            // The phone distributes no signing key, so that no signature can be right.
            return [.note("\(pdu), was ignored: the phone has no signing key")]
        }
        do {
            try checkAwareness(for: pdu)
            return try write(byCommand: HandleValue(handle, value), in: &database)
        } catch {
            return [.note("\(pdu), was ignored: \(error.error)")]
        }
    }

    private mutating func write(
        byCommand write: HandleValue, in database: inout AttributeDatabase
    ) throws(Refusal) -> [Output] {
        let attribute = try writable(write.handle, byCommand: true, in: database)
        try check(write.value, for: attribute)
        if case .dynamic = attribute.content { return [.written(handle: write.handle, value: write.value)] }
        return commit([write], in: &database)
    }

    /// Whether a value may become the value of an attribute.
    func check(_ value: [UInt8], for attribute: Attribute) throws(Refusal) {
        if case .configuration(_, let supported) = attribute.content {
            _ = try clientConfiguration(value, supported, attribute.handle)
        } else if value.count > attribute.maximumLength {
            throw Refusal(.invalidAttributeValueLength, attribute.handle)
        }
    }

    /// Takes checked values over.
    mutating func commit(_ values: [HandleValue], in database: inout AttributeDatabase) -> [Output] {
        var outputs: [Output] = []
        for value in values {
            guard let attribute = database.attribute(at: value.handle) else { continue }
            if case .configuration(let owner, let supported) = attribute.content {
                let new = (try? clientConfiguration(value.value, supported, value.handle)) ?? []
                outputs += configure(value.handle, ofValue: owner, new)
            } else {
                database.setValue(value.value, at: value.handle)
                outputs.append(.written(handle: value.handle, value: value.value))
            }
        }
        return outputs
    }

    private func clientConfiguration(
        _ value: [UInt8], _ supported: ClientConfiguration, _ handle: UInt16
    ) throws(Refusal) -> ClientConfiguration {
        guard value.count == 2 else { throw Refusal(.invalidAttributeValueLength, handle) }
        let wanted = ClientConfiguration(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8)
        if let error = configuration.unsupportedSubscriptionError, !wanted.isSubset(of: supported) {
            throw Refusal(error, handle)
        }
        return wanted.intersection(supported)
    }
}
