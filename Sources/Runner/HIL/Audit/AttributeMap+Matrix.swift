import HILBluetoothHost
import HILRecord
import RadioModel

// One line of the access matrix.
extension AttributeMap.Value {
    /// Tries what the characteristic offers, as anybody would: a read, a write of one byte, a subscription.
    ///
    /// - Throws: ``StackFailure`` if no answer comes, which says nothing about the accessory's protection.
    @MainActor
    func probe(
        _ device: DeviceAddress, by stranger: Stranger
    ) async throws -> [AuditMatrix.Operation: AuditMatrix.Seen] {
        var seen: [AuditMatrix.Operation: AuditMatrix.Seen] = [
            .read: .notOffered, .write: .notOffered, .subscribe: .notOffered,
        ]
        if isReadable {
            let answer = try await stranger.request(.readRequest(handle: handle), of: device)
            seen[.read] = if case .readResponse = answer { .yes } else { .no }
        }
        if isWritable {
            let answer = try await stranger.request(.writeRequest(handle: handle, value: [0]), of: device)
            seen[.write] = if case .writeResponse = answer { .yes } else { .no }
        }
        if let configuration {
            let answer = try await stranger.request(.writeRequest(handle: configuration, value: [1, 0]), of: device)
            seen[.subscribe] = if case .writeResponse = answer { .yes } else { .no }
        }
        return seen
    }

    /// The characteristic's line.
    func row(_ cells: [AuditMatrix.Level: [AuditMatrix.Operation: AuditMatrix.Cell]]) -> AuditMatrix.Row {
        AuditMatrix.Row(
            service: Hex.text(service.shortest), characteristic: name, handle: Int(handle), cells: cells)
    }
}
