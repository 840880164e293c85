import RadioModel

/// A whole table of services, in parts as discoveries give them.
extension [GATTService] {
    /// The primary services with these UUIDs, or all, without their contents.
    func primary(_ wanted: [BluetoothUUID]?) -> [GATTService] {
        filter { $0.isPrimary && wanted?.contains($0.uuid) ?? true }.map(\.withoutContents)
    }

    /// - Throws: Invalid Handle for an unknown service.
    func included(byService handle: UInt16) throws -> [GATTService] {
        let handles = try service(handle).included
        return filter { handles.contains($0.handle) }.map(\.withoutContents)
    }

    /// - Throws: Invalid Handle for an unknown service.
    func characteristics(_ wanted: [BluetoothUUID]?, ofService handle: UInt16) throws -> [GATTCharacteristic] {
        try service(handle).characteristics.filter { wanted?.contains($0.uuid) ?? true }.map { characteristic in
            var found = characteristic
            found.descriptors = []
            return found
        }
    }

    /// - Throws: Invalid Handle for an unknown characteristic.
    func descriptors(of id: CharacteristicID) throws -> [GATTDescriptor] {
        let found = lazy.flatMap(\.characteristics).first { $0.id == id }
        guard let found else { throw Self.invalidHandle }
        return found.descriptors
    }

    /// Device Name, 2A00, of Generic Access, 1800; nil if there is none.
    var deviceName: CharacteristicID? {
        let access = first { $0.uuid == BluetoothUUID(short: 0x1800) }
        return access?.characteristics.first { $0.uuid == BluetoothUUID(short: 0x2A00) }?.id
    }

    /// Whether Generic Attribute, 1801, has Service Changed, 2A05.
    var reportsChanges: Bool {
        let generic = first { $0.uuid == BluetoothUUID(short: 0x1801) }
        return generic?.characteristics.contains { $0.uuid == BluetoothUUID(short: 0x2A05) } ?? false
    }

    private func service(_ handle: UInt16) throws -> GATTService {
        guard let service = first(where: { $0.handle == handle }) else { throw Self.invalidHandle }
        return service
    }

    /// Core Specification 6.0, Vol 3, Part F, 3.4.1.1.
    private static var invalidHandle: RadioError { .attribute(code: 0x01) }
}

extension GATTService {
    fileprivate var withoutContents: GATTService {
        GATTService(uuid: uuid, handle: handle, isPrimary: isPrimary, characteristics: [])
    }
}
