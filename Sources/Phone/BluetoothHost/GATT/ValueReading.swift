/// Read Characteristic Value and Read Long Characteristic Values; the same for descriptors.
///
/// A value that fills the response may be longer: Read Blob asks for the rest.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.8.1, 4.8.3, 4.12.1 and 4.12.2.
struct ValueReading: GATTProcedure {
    private let handle: UInt16
    private let context: String
    private let habits: GATTHabits
    private var value: [UInt8]
    private var isLong: Bool
    /// The MTU at the last request, in bytes.
    private var askedMTU = 23

    /// - Parameter begin: The known first bytes of the value; nil for none.
    init(_ handle: UInt16, after begin: [UInt8]? = nil, for context: String, _ habits: GATTHabits) {
        self.handle = handle
        self.context = context
        self.habits = habits
        value = begin ?? []
        isLong = begin != nil
    }

    mutating func start(mtu: Int) -> GATTStep {
        askedMTU = mtu
        return isLong ? blob() : .request(.readRequest(handle: handle), for: context)
    }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.readResponse(let part)) where !isLong: return take(part, mtu: mtu)
        case .success(.readBlobResponse(let part)) where isLong: return take(part, mtu: mtu)
        case .success(let pdu): return .failed(.unexpected(pdu, for: context))
        case .failure(.refused(let error, _)) where isLong && habits.endsOfLongRead.contains(error): return finish()
        case .failure(let failure): return .failed(failure)
        }
    }

    private mutating func take(_ part: [UInt8], mtu: Int) -> GATTStep {
        // The server may have cut the response before it knew of a larger MTU.
        let isFull = part.count >= max(1, min(askedMTU, mtu) - 1)
        isLong = true
        askedMTU = mtu
        value += part
        return isFull && value.count < habits.longestValue ? blob() : finish()
    }

    private func blob() -> GATTStep {
        .request(.readBlobRequest(handle: handle, offset: UInt16(clamping: value.count)), for: context)
    }

    private func finish() -> GATTStep { .done(.value(Array(value.prefix(habits.longestValue)))) }
}
