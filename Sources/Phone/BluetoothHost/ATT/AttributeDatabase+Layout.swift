import RadioModel

extension AttributeDatabase {
    /// Adds services. After an error the database is unchanged.
    ///
    /// - Returns: The handles from the first to the last of the new services, for Service Changed.
    @discardableResult
    package mutating func add(_ definitions: [ServiceDefinition]) throws(AttributeDatabaseError) -> HandleRange? {
        for definition in definitions { try AttributeDatabase.check(definition) }
        let (ranges, next) = try places(for: definitions)
        var added: [Service] = []
        var new: [Attribute] = []
        for (offset, definition) in definitions.enumerated() {
            let included = try definition.included.map { id throws(AttributeDatabaseError) in
                try self.included(id, among: definitions, at: ranges)
            }
            var builder = ServiceBuilder(definition, at: ranges[offset])
            builder.append(included: included)
            for characteristic in definition.characteristics { builder.append(characteristic) }
            new += builder.attributes
            added.append(
                Service(
                    id: ServiceID(nextID.number + offset), range: ranges[offset], included: definition.included,
                    layout: builder.layout))
        }
        attributes = (attributes + new).sorted { $0.handle < $1.handle }
        services = (services + added).sorted { $0.range.first < $1.range.first }
        nextID = ServiceID(nextID.number + definitions.count)
        nextHandle = next
        guard let first = ranges.map(\.first).min(), let last = ranges.map(\.last).max() else { return nil }
        return HandleRange(first, last)
    }

    /// Removes a service with all its attributes.
    ///
    /// - Returns: Its handles, for Service Changed.
    /// - Throws: For an unknown service, and for one that another service includes.
    @discardableResult
    package mutating func remove(_ id: ServiceID) throws(AttributeDatabaseError) -> HandleRange {
        guard let service = services.first(where: { $0.id == id }) else { throw .unknownService(id) }
        if let other = services.first(where: { $0.id != id && $0.included.contains(id) }) {
            throw .included(id, by: other.id)
        }
        attributes.removeAll { service.range.contains($0.handle) }
        services.removeAll { $0.id == id }
        return service.range
    }

    private static func check(_ definition: ServiceDefinition) throws(AttributeDatabaseError) {
        for characteristic in definition.characteristics {
            let values =
                [(characteristic.uuid, characteristic.value)]
                + characteristic.descriptors.map { ($0.uuid, $0.value) }
            for case (let uuid, .stored(let value)) in values where value.count > 512 {
                throw .valueTooLong(uuid, bytes: value.count)
            }
        }
    }

    /// An included service: one of the database, or one that is added at the same time.
    private func included(
        _ id: ServiceID, among definitions: [ServiceDefinition], at ranges: [HandleRange]
    ) throws(AttributeDatabaseError) -> (range: HandleRange, uuid: BluetoothUUID) {
        if let service = services.first(where: { $0.id == id }) { return (service.range, service.layout.uuid) }
        let offset = id.number - nextID.number
        guard definitions.indices.contains(offset) else { throw .unknownService(id) }
        return (ranges[offset], definitions[offset].uuid)
    }
}

/// The choice of handles.
extension AttributeDatabase {
    /// The handles of new services: first of those that ask for certain ones, then of the others.
    ///
    /// - Returns: A range for each service, and the new ``nextHandle``.
    private func places(
        for definitions: [ServiceDefinition]
    ) throws(AttributeDatabaseError) -> (ranges: [HandleRange], next: Int) {
        var taken = services.map(\.range)
        var ranges = [HandleRange](repeating: .all, count: definitions.count)
        for (index, definition) in definitions.enumerated() {
            guard let handle = definition.handle else { continue }
            let last = Int(handle) + definition.attributeCount - 1
            guard handle > 0, last <= 0xFFFF else { throw .noHandles(forService: definition.uuid) }
            ranges[index] = HandleRange(handle, UInt16(last))
            guard !taken.contains(where: ranges[index].overlaps) else {
                throw .handlesTaken(ranges[index], forService: definition.uuid)
            }
            taken.append(ranges[index])
        }
        var next = nextHandle
        for (index, definition) in definitions.enumerated() where definition.handle == nil {
            let count = definition.attributeCount
            // Handles of removed services come again only when all others are used.
            guard
                let range = AttributeDatabase.gap(of: count, from: next, between: taken)
                    ?? AttributeDatabase.gap(of: count, from: 1, between: taken)
            else { throw .noHandles(forService: definition.uuid) }
            ranges[index] = range
            taken.append(range)
            next = max(next, Int(range.last) + 1)
        }
        return (ranges, next)
    }

    /// The first free handles from a handle on.
    private static func gap(of count: Int, from start: Int, between taken: [HandleRange]) -> HandleRange? {
        var first = start
        for range in taken.sorted(by: { $0.first < $1.first }) where Int(range.last) >= first {
            if first + count <= Int(range.first) { break }
            first = Int(range.last) + 1
        }
        guard first + count - 1 <= 0xFFFF else { return nil }
        return HandleRange(UInt16(first), UInt16(first + count - 1))
    }
}

extension ServiceDefinition {
    /// The number of handles that the service needs.
    var attributeCount: Int {
        1 + included.count + characteristics.reduce(0) { $0 + 2 + $1.allDescriptors.count }
    }
}

extension CharacteristicDefinition {
    /// The descriptors with the configuration that subscriptions need.
    var allDescriptors: [DescriptorDefinition] {
        let isThere = descriptors.contains { $0.uuid == AttributeType.clientConfiguration }
        let isNeeded = !properties.isDisjoint(with: [.notify, .indicate]) && !isThere
        return (isNeeded ? [.clientConfiguration] : []) + descriptors
    }
}
