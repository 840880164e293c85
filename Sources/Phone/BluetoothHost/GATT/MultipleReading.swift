/// Read Multiple Characteristic Values, and Read Multiple Variable Length Characteristic Values.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.8.4 and 4.8.5.
struct MultipleReading: GATTProcedure {
    private let handles: [UInt16]
    /// Whether the answer has the length of each value. If not, it has the values one after the other.
    private let isVariable: Bool
    private static let context = "reading several values"

    init(_ handles: [UInt16], isVariable: Bool) {
        self.handles = handles
        self.isVariable = isVariable
    }

    mutating func start(mtu: Int) -> GATTStep {
        guard handles.count >= 2, 1 + 2 * handles.count <= mtu else {
            let text = "\(handles.count) handles in one request; 2 to \((mtu - 1) / 2) are possible"
            return .failed(.invalid("\(MultipleReading.context): \(text)"))
        }
        let pdu: ATTPDU =
            isVariable ? .readMultipleVariableRequest(handles: handles) : .readMultipleRequest(handles: handles)
        return .request(pdu, for: MultipleReading.context)
    }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.readMultipleResponse(let values)) where !isVariable: .done(.value(values))
        case .success(.readMultipleVariableResponse(let values)) where isVariable: take(values)
        case .success(let pdu): .failed(.unexpected(pdu, for: MultipleReading.context))
        case .failure(let failure): .failed(failure)
        }
    }

    /// A value that the MTU has cut is left out.
    private func take(_ values: [VariableValue]) -> GATTStep {
        guard values.count <= handles.count else {
            let text = "\(values.count) values for \(handles.count) handles"
            return .failed(.broken("\(MultipleReading.context): \(text)"))
        }
        return .done(.values(zip(handles, values).filter { $1.isWhole }.map { HandleValue($0, $1.bytes) }))
    }
}
