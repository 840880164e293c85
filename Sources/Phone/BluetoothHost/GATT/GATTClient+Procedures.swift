import RadioModel

/// Which procedure an action is.
extension GATTClient {
    enum Preparation {
        case procedure(any GATTProcedure)
        /// The table has the answer, or the action is not possible.
        case answer(GATTResult)
    }

    func prepare(_ action: Action, offering mtu: UInt16) -> Preparation {
        let habits = configuration.habits
        switch action {
        case .exchangeMTU: return .procedure(MTUExchange(offered: mtu))
        case .discoverServices, .discoverSecondaryServices, .discoverIncluded, .discoverCharacteristics,
            .discoverDescriptors:
            return prepareDiscovery(action)
        case .read(let handle):
            return .procedure(ValueReading(handle, for: "reading \(name(of: handle))", habits))
        case .readByType(let type, let range): return .procedure(TypedReading(type, in: range, habits))
        case .readMultiple(let handles, let isVariable):
            return .procedure(MultipleReading(handles, isVariable: isVariable))
        case .readFeature(let feature): return .procedure(FeatureReading(feature, habits))
        case .write(let handle, let value):
            return .procedure(ValueWriting(HandleValue(handle, value), for: "writing \(name(of: handle))", habits))
        case .writeReliably(let values):
            return .procedure(PreparedWriting(values, for: "writing reliably", habits))
        case .setNotifying(let handle, let isOn):
            guard let characteristic = table.characteristic(at: handle) else {
                return unknown("characteristic", handle)
            }
            return .procedure(
                Subscribing(to: characteristic, isOn: isOn, endsAtDeclaration: hasOpenEnd(handle), habits))
        case .subscribeToServiceChanged:
            return .procedure(
                ServiceChangedSubscribing(
                    in: table.service(ServiceChangedSubscribing.service)?.service,
                    characteristic: table.serviceChanged, habits))
        case .request(let pdu): return .procedure(SingleRequest(pdu: pdu))
        }
    }

    private func prepareDiscovery(_ action: Action) -> Preparation {
        if let result = known(action) { return .answer(result) }
        let habits = configuration.habits
        switch action {
        case .discoverServices(let wanted?) where habits.serviceSearch == .findsByUUID:
            return .procedure(ServiceSearch(wanted, habits))
        case .discoverSecondaryServices: return .procedure(ServiceDiscovery(isPrimary: false, habits))
        case .discoverIncluded(let handle):
            guard let service = table.service(at: handle)?.service else { return unknown("service", handle) }
            return .procedure(InclusionDiscovery(of: service, habits))
        case .discoverCharacteristics(let handle, let wanted):
            guard let service = table.service(at: handle)?.service else { return unknown("service", handle) }
            return .procedure(CharacteristicDiscovery(of: service, wanted: wanted, habits))
        case .discoverDescriptors(let handle):
            guard let characteristic = table.characteristic(at: handle) else {
                return unknown("characteristic", handle)
            }
            return .procedure(
                DescriptorDiscovery(of: characteristic, endsAtDeclaration: hasOpenEnd(handle), habits))
        default: return .procedure(ServiceDiscovery(habits))
        }
    }

    /// The answer of the table; nil if it has none.
    private func known(_ action: Action) -> GATTResult? {
        let services = table.services.map(\.service)
        switch action {
        case .discoverServices where table.hasAllPrimaryServices:
            return .services(services.filter(\.isPrimary))
        case .discoverSecondaryServices where table.hasAllSecondaryServices:
            return .services(services.filter { !$0.isPrimary })
        case .discoverIncluded(let handle): return table.service(at: handle)?.included.map { .included($0) }
        case .discoverCharacteristics(let handle, let wanted):
            guard let service = table.service(at: handle) else { return nil }
            let known = Set(service.characteristics.map(\.uuid))
            let hasWanted = wanted?.allSatisfy(known.contains) ?? false
            let isEnough =
                service.hasAllCharacteristics || configuration.habits.endsWithWantedCharacteristics && hasWanted
            return isEnough ? .characteristics(service.characteristics) : nil
        case .discoverDescriptors(let handle):
            return table.characteristic(at: handle)?.descriptors.map { .descriptors($0) }
        default: return nil
        }
    }

    /// The result as the action asked for it: only the wanted UUIDs.
    func selected(_ result: GATTResult, for action: Action) -> GATTResult {
        switch (action, result) {
        case (.discoverServices(let wanted?), .services(let services)):
            .services(services.filter { wanted.contains($0.uuid) })
        case (.discoverCharacteristics(_, let wanted?), .characteristics(let found)):
            .characteristics(found.filter { wanted.contains($0.uuid) })
        default: result
        }
    }

    /// Whether more characteristics may follow the last known one of a service.
    private func hasOpenEnd(_ handle: UInt16) -> Bool {
        table.service(containing: handle)?.hasAllCharacteristics == false
    }

    private func unknown(_ what: String, _ handle: UInt16) -> Preparation {
        .answer(.failed(.invalid("unknown \(what) at handle \(HandleRange.text(handle))")))
    }

    /// An attribute for people: `2A19`, or its handle if its type is not known.
    func name(of handle: UInt16) -> String {
        table.type(of: handle)?.namedText ?? "handle \(HandleRange.text(handle))"
    }
}
