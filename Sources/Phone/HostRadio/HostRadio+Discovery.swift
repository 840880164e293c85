import RadioModel

extension HostRadio {
    /// Discovers everything that a connected device has: each primary service, those that they include, and all that is
    /// in them. Sorted by handle.
    ///
    /// A phone does not do this: it discovers what an app asks for.
    package func discoverEverything(of device: DeviceAddress) async throws -> [GATTService] {
        var table: [GATTService] = []
        var waiting = try await discoverServices(nil, of: device)
        while !waiting.isEmpty {
            var service = waiting.removeFirst()
            guard !table.contains(where: { $0.handle == service.handle }) else { continue }
            let included = try await discoverIncludedServices(ofService: service.handle, of: device)
            service.included = included.map(\.handle).sorted()
            waiting += included
            service.characteristics = try await discoverCharacteristics(nil, ofService: service.handle, of: device)
            for index in service.characteristics.indices {
                let id = service.characteristics[index].id
                service.characteristics[index].descriptors = try await discoverDescriptors(of: id, of: device)
            }
            table.append(service)
        }
        return table.sorted { $0.handle < $1.handle }
    }
}
