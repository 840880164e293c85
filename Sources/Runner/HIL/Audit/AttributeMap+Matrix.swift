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
            seen[.read] = try await stranger.request(.readRequest(handle: handle), of: device).reach
        }
        if isWritable {
            seen[.write] = try await stranger.request(.writeRequest(handle: handle, value: [0]), of: device).reach
        }
        if let configuration {
            let on = ATTPDU.writeRequest(handle: configuration, value: [1, 0])
            seen[.subscribe] = try await stranger.request(on, of: device).reach
        }
        return seen
    }

    /// The characteristic's line.
    func row(_ cells: [AuditMatrix.Level: [AuditMatrix.Operation: AuditMatrix.Cell]]) -> AuditMatrix.Row {
        let named = uuid.namedText
        return AuditMatrix.Row(
            service: Hex.text(service.shortest), characteristic: name, handle: Int(handle),
            name: named == uuid.shortText ? nil : named, cells: cells)
    }
}

extension ATTPDU {
    /// Whether the answer shows that the request reached the attribute: it was done, or refused only for its value.
    fileprivate var reach: AuditMatrix.Seen {
        switch self {
        case .errorResponse(_, _, let error): AuditMatrix.errorsOfValues.contains(error) ? .yes : .no
        default: .yes
        }
    }
}

extension AuditMatrix {
    /// Refusals of a value, which come after the checks of who asks. An error of the application may be such a check.
    fileprivate static let errorsOfValues: Set<ATTError> = [.invalidAttributeValueLength, .valueNotAllowed]
}
