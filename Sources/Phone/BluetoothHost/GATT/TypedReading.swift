import RadioModel

/// Read Using Characteristic UUID. An iPhone reads the Device Name so: noble/noble#243.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.8.2.
struct TypedReading: GATTProcedure {
    private let range: HandleRange
    private let type: BluetoothUUID
    private let habits: GATTHabits
    private let context: String
    private var askedMTU = 23
    /// Reads the rest of a single value.
    private var rest: (handle: UInt16, reading: ValueReading)?

    init(_ type: BluetoothUUID, in range: HandleRange = .all, _ habits: GATTHabits) {
        self.type = type
        self.range = range
        self.habits = habits
        context = "reading \(type.namedText)"
    }

    mutating func start(mtu: Int) -> GATTStep {
        askedMTU = mtu
        guard range.isValid else { return .failed(.invalid("\(context): no handles in \(range)")) }
        return .request(.readByTypeRequest(range, type: type), for: context)
    }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        if rest != nil { return takeRest(answer, mtu: mtu) }
        switch answer {
        case .success(.readByTypeResponse(let values)): return take(values, mtu: mtu)
        case .success(let pdu): return .failed(.unexpected(pdu, for: context))
        case .failure(let failure): return .failed(failure)
        }
    }

    private mutating func take(_ values: [HandleValue], mtu: Int) -> GATTStep {
        var walk = HandleWalk(range, for: context, most: habits.mostAttributes)
        guard let first = values.first else { return .failed(walk.broken("an answer without a value")) }
        do throws(GATTFailure) {
            for value in values { try walk.pass(HandleRange(value.handle, value.handle), "value") }
        } catch {
            return .failed(error)
        }
        let isFull = first.value.count >= min(min(askedMTU, mtu) - 4, 253)
        guard habits.readsRestOfTypedValue, values.count == 1, isFull else { return .done(.values(values)) }
        var reading = ValueReading(first.handle, after: first.value, for: context, habits)
        let step = reading.start(mtu: mtu)
        rest = (first.handle, reading)
        return step
    }

    private mutating func takeRest(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        guard var reading = rest?.reading, let handle = rest?.handle else { return .failed(.invalid(context)) }
        let step = reading.take(answer, mtu: mtu)
        rest = (handle, reading)
        guard case .done(.value(let value)) = step else { return step }
        return .done(.values([HandleValue(handle, value)]))
    }
}
