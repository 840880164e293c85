import HILBluetoothHost

// Writes that are right in their form, and too long or too many.
extension AttackPacket {
    /// A PDU of the attribute protocol.
    package init(_ pdu: ATTPDU) { self.init(.attributes, pdu.bytes) }

    /// Values of each length up to 512 bytes for each of these handles, as requests, and some as commands.
    ///
    /// - Parameter most: How many packets there are at most; then only every second, third … length is tried.
    package static func values(for handles: [UInt16], most: Int) -> [AttackPacket] {
        let stride = max(1, (handles.count * 513 + most - 1) / max(1, most))
        let writes = handles.flatMap { handle in
            (0...512).filter { $0.isMultiple(of: stride) || [1, 512].contains($0) }.flatMap { length in
                let value = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
                let request = AttackPacket(ATTPDU.writeRequest(handle: handle, value: value))
                guard length.isMultiple(of: 64) else { return [request] }
                return [request, AttackPacket(ATTPDU.writeCommand(handle: handle, value: value))]
            }
        }
        return [AttackPacket(ATTPDU.exchangeMTURequest(mtu: 517))] + writes.prefix(max(0, most - 1))
    }

    /// Prepared writes that nothing executes, for these handles in turn.
    package static func preparedWrites(for handles: [UInt16], count: Int) -> [AttackPacket] {
        guard !handles.isEmpty else { return [] }
        let part = (0..<18).map { UInt8($0) }
        return (0..<count).map { number in
            let place = number / handles.count
            let write = AttributeWrite(
                handles[number % handles.count], offset: UInt16(truncatingIfNeeded: place * part.count), part)
            return AttackPacket(ATTPDU.prepareWriteRequest(write))
        }
    }
}
