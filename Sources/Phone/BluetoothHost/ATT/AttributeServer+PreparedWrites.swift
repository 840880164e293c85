/// Writes in two steps: of long values, and of several values at once.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.4.6.
extension AttributeServer {
    mutating func prepare(_ write: AttributeWrite, in database: AttributeDatabase) throws(Refusal) -> [Output] {
        _ = try writable(write.handle, in: database)
        let bytes = prepared.reduce(write.value.count) { $0 + $1.value.count }
        guard prepared.count < configuration.preparedWritesLimit, bytes <= configuration.preparedBytesLimit else {
            throw Refusal(.prepareQueueFull, write.handle)
        }
        prepared.append(write)
        return reply(.prepareWriteResponse(write))
    }

    /// Writes all or nothing. The queue is empty afterwards in any case.
    mutating func execute(
        commits: Bool, for pdu: ATTPDU, in database: inout AttributeDatabase
    ) throws(Refusal) -> [Output] {
        let writes = prepared
        prepared = []
        guard commits else { return reply(.executeWriteResponse) }
        var stored: [HandleValue] = []
        var asked: [AttributeWrite] = []
        for write in writes {
            let attribute = try writable(write.handle, in: database)
            guard let current = value(of: attribute) else {
                guard Int(write.offset) + write.value.count <= attribute.maximumLength else {
                    throw Refusal(.invalidAttributeValueLength, write.handle)
                }
                asked.append(write)
                continue
            }
            let place = stored.firstIndex { $0.handle == write.handle } ?? stored.count
            if place == stored.count { stored.append(HandleValue(write.handle, current)) }
            stored[place].value = try merge(write, into: stored[place].value)
        }
        for value in stored { try check(value.value, for: try writable(value.handle, in: database)) }
        guard let first = asked.first else { return reply(.executeWriteResponse) + commit(stored, in: &database) }
        return ask(.write(asked), of: first.handle, for: pdu, .execute(stored))
    }

    /// The value ends where the write ends, as after a Write Request.
    private func merge(_ write: AttributeWrite, into value: [UInt8]) throws(Refusal) -> [UInt8] {
        guard Int(write.offset) <= value.count else { throw Refusal(.invalidOffset, write.handle) }
        return Array(value.prefix(Int(write.offset))) + write.value
    }
}
