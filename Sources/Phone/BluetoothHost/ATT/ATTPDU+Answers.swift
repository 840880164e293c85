import RadioModel

/// Whether an answer fits its request.
extension ATTPDU {
    /// The mistake of a response to this request; nil for a right one. The caller has compared the opcodes.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part F, 3.4.
    func mistake(of response: ATTPDU) -> String? {
        switch (self, response) {
        case (.findInformationRequest(let range), .findInformationResponse(let entries)):
            ATTPDU.mistake(ofHandles: entries.map(\.handle), in: range)
        case (.readByTypeRequest(let range, _), .readByTypeResponse(let values)):
            ATTPDU.mistake(ofHandles: values.map(\.handle), in: range)
        case (.findByTypeValueRequest(let range, _, _), .findByTypeValueResponse(let found)):
            ATTPDU.mistake(ofGroups: found, in: range)
        case (.readByGroupTypeRequest(let range, _), .readByGroupTypeResponse(let groups)):
            ATTPDU.mistake(ofGroups: groups.map(\.range), in: range)
        case (.prepareWriteRequest(let asked), .prepareWriteResponse(let written)):
            asked.handle == written.handle
                ? nil : "it names handle \(HandleRange.text(written.handle))"
        case (.readMultipleVariableRequest(let handles), .readMultipleVariableResponse(let values)):
            ATTPDU.mistake(ofValues: values, askedFor: handles.count)
        default: nil
        }
    }

    /// Handles must grow, and be in the range that the client asked for.
    private static func mistake(ofHandles handles: [UInt16], in range: HandleRange) -> String? {
        if let outside = handles.first(where: { !range.contains($0) }) {
            return "handle \(HandleRange.text(outside)) is outside of the range"
        }
        return zip(handles, handles.dropFirst()).first { $0 >= $1 }.map {
            "handle \(HandleRange.text($1)) follows handle \(HandleRange.text($0))"
        }
    }

    /// Groups must follow each other. The last one may end after the range: Vol 3, Part F, 3.4.3.4.
    private static func mistake(ofGroups groups: [HandleRange], in range: HandleRange) -> String? {
        if let empty = groups.first(where: { $0.first > $0.last }) { return "the group \(empty) ends before its begin" }
        if let text = mistake(ofHandles: groups.map(\.first), in: range) { return text }
        return zip(groups, groups.dropFirst()).first { $0.overlaps($1) }.map {
            "the groups \($0) and \($1) overlap"
        }
    }

    /// Only the last value may be cut.
    private static func mistake(ofValues values: [VariableValue], askedFor count: Int) -> String? {
        values.count > count ? "it has \(values.count) values; \(count) were asked for" : nil
    }
}
