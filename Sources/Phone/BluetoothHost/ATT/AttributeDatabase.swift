import RadioModel

/// An attribute of a GATT server.
///
/// Source: Core Specification 6.0, Vol 3, Part F, 3.2.
package struct Attribute: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case stored([UInt8])
        case dynamic
        /// A Client Characteristic Configuration; each client has a value of its own.
        case configuration(ofValue: UInt16, supported: ClientConfiguration)
    }

    package var handle: UInt16
    package var type: BluetoothUUID
    package var content: Content
    /// The protection that a link needs to read it; nil if nobody may.
    package var reading: LinkProtection?
    /// The protection that a link needs to write it; nil if nobody may.
    package var writing: LinkProtection?
    /// Whether Write Request and Prepare Write Request are for it.
    package var takesRequests = true
    /// Whether Write Command is for it.
    package var takesCommands = false
    /// The longest value that a client may write, in bytes.
    package var maximumLength = 512
}

/// Why services cannot be added or removed.
package enum AttributeDatabaseError: Error, Sendable, Hashable, CustomStringConvertible {
    case noHandles(forService: BluetoothUUID)
    case handlesTaken(HandleRange, forService: BluetoothUUID)
    case unknownService(ServiceID)
    case included(ServiceID, by: ServiceID)
    case valueTooLong(BluetoothUUID, bytes: Int)

    package var description: String {
        switch self {
        case .noHandles(let uuid): "no room for the handles of service \(uuid.namedText)"
        case .handlesTaken(let range, let uuid):
            "handles \(range) of service \(uuid.namedText) are not free"
        case .unknownService(let id): "unknown \(id)"
        case .included(let id, let other): "\(id) is included by \(other)"
        case .valueTooLong(let uuid, let count): "value of \(uuid.namedText) with \(count) bytes; 512 is the most"
        }
    }
}

/// The attributes of a GATT server, for all its links.
///
/// Handles are stable: they change neither while other services come and go, nor are they used again before all are
/// used up.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 2.6 and 3.
package struct AttributeDatabase: Sendable {
    struct Service: Sendable {
        let id: ServiceID
        let range: HandleRange
        let included: [ServiceID]
        let layout: GATTService
    }

    /// Sorted by handle.
    package internal(set) var attributes: [Attribute] = []
    /// Sorted by handle.
    var services: [Service] = []
    /// The number of the next service.
    package internal(set) var nextID: ServiceID = 0
    /// The handle after the highest one that was ever chosen.
    var nextHandle = 1

    package init() {}

    /// A database with its first services, whose numbers are their places in the list.
    package init(_ services: [ServiceDefinition]) throws(AttributeDatabaseError) {
        _ = try add(services)
    }

    /// A service as a client discovers it; nil for an unknown one.
    package func service(_ id: ServiceID) -> GATTService? { services.first { $0.id == id }?.layout }

    /// All services as a client discovers them, sorted by handle.
    package var layout: [GATTService] { services.map(\.layout) }

    package func attribute(at handle: UInt16) -> Attribute? {
        let index = firstIndex(from: Int(handle))
        guard index < attributes.count, attributes[index].handle == handle else { return nil }
        return attributes[index]
    }

    /// The attributes in a range, sorted by handle.
    package func attributes(in range: HandleRange) -> ArraySlice<Attribute> {
        guard range.first <= range.last else { return [] }
        return attributes[firstIndex(from: Int(range.first))..<firstIndex(from: Int(range.last) + 1)]
    }

    /// The last handle of the group that an attribute begins: a service or a characteristic. Other attributes are
    /// groups of themselves. Source: Vol 3, Part G, 2.5.3.
    package func groupEnd(of attribute: Attribute) -> UInt16 {
        let isService = AttributeType.isService(attribute.type)
        guard isService || attribute.type == AttributeType.characteristic,
            let service = services.first(where: { $0.range.contains(attribute.handle) })
        else { return attribute.handle }
        if isService { return service.range.last }
        return attributes(in: HandleRange(attribute.handle, service.range.last)).dropFirst()
            .first { $0.type == AttributeType.characteristic }.map { $0.handle - 1 } ?? service.range.last
    }

    /// The Client Characteristic Configuration of a characteristic; nil without one.
    ///
    /// - Parameter value: The handle of the characteristic's value.
    package func configurationHandle(ofValue value: UInt16) -> UInt16? {
        attributes[firstIndex(from: Int(value))...].dropFirst()
            .prefix { !AttributeType.isService($0.type) && $0.type != AttributeType.characteristic }
            .first { if case .configuration(ofValue: value, supported: _) = $0.content { true } else { false } }?.handle
    }

    /// Changes a value that the database keeps. Other attributes stay as they are.
    package mutating func setValue(_ value: [UInt8], at handle: UInt16) {
        let index = firstIndex(from: Int(handle))
        guard index < attributes.count, attributes[index].handle == handle,
            case .stored = attributes[index].content
        else { return }
        attributes[index].content = .stored(value)
    }

    /// The place of the first attribute with at least this handle.
    func firstIndex(from handle: Int) -> Int {
        var (low, high) = (0, attributes.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(attributes[middle].handle) < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
