import RadioModel

/// How discoveries fill the table, and changes of the server empty it.
extension GATTTable {
    /// Takes the result of a discovery.
    ///
    /// - Returns: What contradicts earlier results; the newer one counts.
    mutating func learn(_ finding: GATTFinding) -> [String] {
        switch finding {
        case .services(let found): return found.flatMap { add($0) }
        case .allServices(let found, let isPrimary): return learn(found, isPrimary: isPrimary)
        case .included(let included, let handle): return learn(included, by: handle)
        case .characteristics(let found, let handle, let isAll):
            guard let index = services.firstIndex(where: { $0.service.handle == handle }) else { return [] }
            services[index].learn(found, isAll: isAll)
            if let changed = serviceChanged { serviceChangedHandle = changed.handle }
        case .descriptors(let descriptors, let value):
            for index in services.indices where services[index].service.range.contains(value) {
                services[index].learn(descriptors, ofValue: value)
            }
        case .subscribedToServiceChanged: isSubscribedToServiceChanged = true
        }
        return []
    }

    /// Forgets the services that have an attribute in the range, and what includes them. New services may be there.
    package mutating func invalidate(_ range: HandleRange) {
        let gone = services.map(\.service.range).filter { $0.overlaps(range) }
        services.removeAll { gone.contains($0.service.range) }
        for index in services.indices {
            let included = services[index].included ?? []
            if included.contains(where: { $0.range.overlaps(range) }) { services[index].included = nil }
        }
        hasAllPrimaryServices = false
        hasAllSecondaryServices = false
    }

    /// The list of all services of a kind replaces an earlier one.
    private mutating func learn(_ found: [DiscoveredService], isPrimary: Bool) -> [String] {
        let problems = found.flatMap { add($0) }
        services.removeAll { known in known.service.isPrimary == isPrimary && !found.contains(known.service) }
        if isPrimary { hasAllPrimaryServices = true } else { hasAllSecondaryServices = true }
        return problems
    }

    private mutating func learn(_ included: [IncludedService], by handle: UInt16) -> [String] {
        guard let index = services.firstIndex(where: { $0.service.handle == handle }) else { return [] }
        services[index].included = included
        return included.flatMap { inclusion in
            let known = service(at: inclusion.handle)?.service
            if known?.range == inclusion.range && known?.uuid == inclusion.uuid { return [String]() }
            // The including service knows less than a discovery of all services.
            if let other = services.first(where: { $0.service.range.overlaps(inclusion.range) })?.service {
                return [GATTTable.contradiction(inclusion.uuid, inclusion.range, other)]
            }
            return add(DiscoveredService(inclusion.range, inclusion.uuid, isPrimary: false))
        }
    }

    /// Adds a service in place of the ones that it overlaps. A known one keeps its contents.
    private mutating func add(_ service: DiscoveredService) -> [String] {
        let others = services.filter { $0.service.range.overlaps(service.range) }
        if let same = others.first, same.service.range == service.range, same.service.uuid == service.uuid {
            for index in services.indices where services[index].service.handle == service.handle {
                services[index].service.isPrimary = service.isPrimary
            }
            return []
        }
        services.removeAll { $0.service.range.overlaps(service.range) }
        let place = services.firstIndex { $0.service.handle > service.handle } ?? services.count
        services.insert(Service(service), at: place)
        return others.map { GATTTable.contradiction(service.uuid, service.range, $0.service) }
    }

    private static func contradiction(
        _ uuid: BluetoothUUID, _ range: HandleRange, _ other: DiscoveredService
    ) -> String {
        "service \(uuid.namedText) at handles \(range), which overlap service \(other.uuid.namedText) at "
            + "\(other.range)"
    }
}

extension GATTTable.Service {
    /// Known descriptors of the same characteristics stay.
    mutating func learn(_ found: [DiscoveredCharacteristic], isAll: Bool) {
        guard isAll || !hasAllCharacteristics else { return }
        let known = characteristics
        characteristics = found.map { new in
            var new = new
            let old = known.first { $0.handle == new.handle && $0.uuid == new.uuid }
            if let descriptors = old?.descriptors, descriptors.allSatisfy({ new.range.contains($0.id.handle) }) {
                new.descriptors = descriptors
            }
            return new
        }
        hasAllCharacteristics = isAll
    }

    mutating func learn(_ descriptors: [GATTDescriptor], ofValue value: UInt16) {
        for index in characteristics.indices where characteristics[index].handle == value {
            characteristics[index].descriptors = descriptors
        }
    }
}
