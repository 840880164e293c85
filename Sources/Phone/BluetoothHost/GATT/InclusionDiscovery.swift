import RadioModel

/// Find Included Services. A UUID without a short form is read from the included service itself.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.5.1.
struct InclusionDiscovery: GATTProcedure {
    private let service: DiscoveredService
    private var walk: HandleWalk
    private var included: [IncludedService] = []
    /// Declarations without a UUID.
    private var unread: [(declaration: UInt16, range: HandleRange)] = []
    private var isComplete = false

    init(of service: DiscoveredService, _ habits: GATTHabits) {
        self.service = service
        walk = HandleWalk(
            service.range, for: "discovering what \(service.uuid.namedText) includes", most: habits.mostAttributes)
    }

    var findings: [GATTFinding] { isComplete ? [.included(included, by: service.handle)] : [] }

    mutating func start(mtu: Int) -> GATTStep { next() }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.readByTypeResponse(let values)) where unread.isEmpty: take(values)
        case .success(.readResponse(let value)) where !unread.isEmpty: take(uuid: value)
        case .success(let pdu): .failed(.unexpected(pdu, for: walk.context))
        case .failure(.refused(.attributeNotFound, _)) where unread.isEmpty: finish()
        case .failure(let failure): .failed(failure)
        }
    }

    private mutating func take(_ values: [HandleValue]) -> GATTStep {
        guard !values.isEmpty else { return .failed(walk.broken("an answer without an include declaration")) }
        do throws(GATTFailure) {
            for value in values { try take(value) }
        } catch {
            return .failed(error)
        }
        return next()
    }

    private mutating func take(_ entry: HandleValue) throws(GATTFailure) {
        try walk.pass(HandleRange(entry.handle, entry.handle), "include declaration")
        let place = "include declaration at handle \(HandleRange.text(entry.handle))"
        guard entry.value.count == 4 || entry.value.count == 6 else {
            throw walk.broken("\(place) with \(entry.value.count) bytes; 4 or 6 are due")
        }
        let numbers = stride(from: 0, to: entry.value.count, by: 2).map {
            UInt16(entry.value[$0]) | UInt16(entry.value[$0 + 1]) << 8
        }
        let range = HandleRange(numbers[0], numbers[1])
        guard range.isValid, range.first != service.handle else {
            throw walk.broken("\(place) of the handles \(range)")
        }
        if numbers.count == 2 {
            unread.append((entry.handle, range))
        } else {
            included.append(IncludedService(entry.handle, range, BluetoothUUID(short: numbers[2])))
        }
    }

    private mutating func take(uuid value: [UInt8]) -> GATTStep {
        let (declaration, range) = unread.removeFirst()
        guard value.count == 16, let uuid = BluetoothUUID(bytes: value.reversed()) else {
            let place = "included service at handle \(HandleRange.text(range.first))"
            return .failed(walk.broken("\(place) with a UUID of \(value.count) bytes; 16 are due"))
        }
        included.append(IncludedService(declaration, range, uuid))
        return next()
    }

    private mutating func next() -> GATTStep {
        if let first = unread.first {
            return .request(.readRequest(handle: first.range.first), for: walk.context)
        }
        guard let rest = walk.rest else { return finish() }
        return .request(.readByTypeRequest(rest, type: AttributeType.include), for: walk.context)
    }

    private mutating func finish() -> GATTStep {
        isComplete = true
        return .done(.included(included))
    }
}
