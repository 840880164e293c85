import RadioModel

/// The attributes of a peer, as far as they are discovered.
///
/// It can be saved with a bond, and used on the next link without discovery.
package struct GATTTable: Sendable, Hashable, Codable {
    /// A service with its known contents.
    package struct Service: Sendable, Hashable, Codable {
        package internal(set) var service: DiscoveredService
        /// Nil before their discovery.
        package internal(set) var included: [IncludedService]?
        /// Sorted by handle.
        package internal(set) var characteristics: [DiscoveredCharacteristic] = []
        /// Whether the service has no other characteristics.
        package internal(set) var hasAllCharacteristics = false

        init(_ service: DiscoveredService) { self.service = service }
    }

    /// Sorted by handle; they do not overlap.
    package internal(set) var services: [Service] = []
    package internal(set) var hasAllPrimaryServices = false
    package internal(set) var hasAllSecondaryServices = false
    /// Whether the server keeps a subscription to Service Changed: with a bond it does over links.
    package internal(set) var isSubscribedToServiceChanged = false

    /// The handle of Service Changed. It stays the same while services change: Vol 3, Part G, 7.1.
    package internal(set) var serviceChangedHandle: UInt16?

    package init() {}

    /// The service with this first handle.
    package func service(at handle: UInt16) -> Service? { services.first { $0.service.handle == handle } }

    /// The service that a handle belongs to.
    func service(containing handle: UInt16) -> Service? { services.first { $0.service.range.contains(handle) } }

    /// The characteristic with this handle of its value.
    package func characteristic(at handle: UInt16) -> DiscoveredCharacteristic? {
        service(containing: handle)?.characteristics.first { $0.handle == handle }
    }

    /// The type of an attribute; nil for an unknown one.
    package func type(of handle: UInt16) -> BluetoothUUID? {
        guard let service = service(containing: handle) else { return nil }
        if handle == service.service.handle { return service.service.uuid }
        guard let owner = service.characteristics.first(where: { $0.range.contains(handle) }) else { return nil }
        if handle == owner.handle { return owner.uuid }
        return owner.descriptors?.first { $0.id.handle == handle }?.uuid
    }

    /// The first service with this UUID.
    package func service(_ uuid: BluetoothUUID) -> Service? { services.first { $0.service.uuid == uuid } }

    /// Service Changed of the GATT service; nil if it is unknown.
    package var serviceChanged: DiscoveredCharacteristic? {
        service(ServiceChangedSubscribing.service)?.characteristics.first { $0.uuid == AttributeType.serviceChanged }
    }

    /// Whether the server certainly has no Service Changed: it cannot report a change of its services.
    package var lacksServiceChanged: Bool {
        guard hasAllPrimaryServices else { return false }
        guard let generic = service(ServiceChangedSubscribing.service) else { return true }
        return generic.hasAllCharacteristics && serviceChanged == nil
    }

    /// The known services, in the form of the phone's radio.
    package var layout: [GATTService] {
        services.map { known in
            GATTService(
                uuid: known.service.uuid, handle: known.service.handle, isPrimary: known.service.isPrimary,
                characteristics: known.characteristics.map {
                    GATTCharacteristic(
                        uuid: $0.uuid, id: CharacteristicID(handle: $0.handle), properties: $0.properties,
                        descriptors: $0.descriptors ?? [])
                },
                included: known.included?.map(\.handle) ?? [])
        }
    }
}
