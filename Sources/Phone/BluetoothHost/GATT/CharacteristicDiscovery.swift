import RadioModel

/// Discover All Characteristics of a Service, and Discover Characteristics by UUID.
///
/// Both send the same requests: the client selects the UUIDs itself.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 4.6.
struct CharacteristicDiscovery: GATTProcedure {
    private let service: DiscoveredService
    /// The UUIDs whose discovery ends the procedure early; nil if all are discovered.
    private let wanted: Set<BluetoothUUID>?
    private let habits: GATTHabits
    private var walk: HandleWalk
    private var characteristics: [DiscoveredCharacteristic] = []
    private var isComplete = false

    init(of service: DiscoveredService, wanted: [BluetoothUUID]? = nil, _ habits: GATTHabits) {
        self.service = service
        self.wanted = habits.endsWithWantedCharacteristics ? wanted.map(Set.init) : nil
        self.habits = habits
        walk = HandleWalk(
            service.range, for: "discovering characteristics of \(service.uuid.namedText)",
            most: habits.mostAttributes)
    }

    var findings: [GATTFinding] {
        isComplete || hasAllWanted ? [.characteristics(characteristics, of: service.handle, isAll: isComplete)] : []
    }

    mutating func start(mtu: Int) -> GATTStep { next() }

    mutating func take(_ answer: Result<ATTPDU, GATTFailure>, mtu: Int) -> GATTStep {
        switch answer {
        case .success(.readByTypeResponse(let values)): take(values)
        case .success(let pdu): .failed(.unexpected(pdu, for: walk.context))
        case .failure(.refused(.attributeNotFound, _)): finish()
        case .failure(let failure): .failed(failure)
        }
    }

    private var hasAllWanted: Bool { wanted?.isSubset(of: characteristics.map(\.uuid)) ?? false }

    private mutating func take(_ values: [HandleValue]) -> GATTStep {
        guard !values.isEmpty else { return .failed(walk.broken("an answer without a characteristic")) }
        do throws(GATTFailure) {
            for value in values { try take(value) }
        } catch {
            return .failed(error)
        }
        return next()
    }

    private mutating func take(_ entry: HandleValue) throws(GATTFailure) {
        let place = "characteristic at handle \(HandleRange.text(entry.handle))"
        guard entry.value.count == 5 || entry.value.count == 19,
            let uuid = BluetoothUUID(bytes: entry.value.dropFirst(3).reversed())
        else { throw walk.broken("\(place) with a declaration of \(entry.value.count) bytes; 5 or 19 are due") }
        let properties = GATTCharacteristic.Properties(rawValue: entry.value[0])
        let value = UInt16(entry.value[1]) | UInt16(entry.value[2]) << 8
        guard value > entry.handle, service.range.contains(value) else {
            throw walk.broken("\(place) with its value at handle \(HandleRange.text(value))")
        }
        guard !properties.isEmpty || !habits.requiresProperties else {
            throw walk.broken("\(place) without any property")
        }
        // A descriptor is due: Part G, 3.3.3.1.
        guard !properties.contains(.extendedProperties) || value < service.last else {
            throw walk.broken("\(place) with extended properties and without room for them")
        }
        try walk.pass(HandleRange(entry.handle, value), "characteristic")
        if let index = characteristics.indices.last { characteristics[index].last = entry.handle - 1 }
        characteristics.append(
            DiscoveredCharacteristic(entry.handle, value: value, last: service.last, uuid, properties))
    }

    private mutating func next() -> GATTStep {
        if hasAllWanted { return .done(.characteristics(characteristics)) }
        guard var rest = walk.rest else { return finish() }
        if !habits.continuesAfterValue, let last = characteristics.last { rest.first = last.declaration + 1 }
        return .request(.readByTypeRequest(rest, type: AttributeType.characteristic), for: walk.context)
    }

    private mutating func finish() -> GATTStep {
        isComplete = true
        return .done(.characteristics(characteristics))
    }
}
