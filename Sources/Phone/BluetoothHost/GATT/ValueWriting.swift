/// Write Characteristic Value, or Write Long Characteristic Values for a value that is too long for one request; the
/// same for descriptors.
///
/// A signed write is not offered: an iPhone distributes no signing key since iOS 8.2 (rdar 20687228).
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.9.3, 4.9.4, 4.12.3 and 4.12.4.
struct ValueWriting: GATTProcedure {
    private let value: HandleValue
    private let context: String
    private let habits: GATTHabits
    private var long: PreparedWriting?

    init(_ value: HandleValue, for context: String, _ habits: GATTHabits) {
        self.value = value
        self.context = context
        self.habits = habits
    }

    var hasPreparedWrites: Bool { long?.hasPreparedWrites ?? false }

    mutating func start(mtu: Int) -> GATTStep {
        guard value.value.count > mtu - 3 || value.value.count > habits.longestValue else {
            return .request(.writeRequest(handle: value.handle, value: value.value), for: context)
        }
        var writing = PreparedWriting([value], for: context, habits)
        let step = writing.start(mtu: mtu)
        long = writing
        return step
    }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        if let step = long?.take(answer, mtu: mtu) { return step }
        switch answer {
        case .success(.writeResponse): return .done(.done)
        case .success(let pdu): return .failed(.unexpected(pdu, for: context))
        case .failure(let failure): return .failed(failure)
        }
    }
}
