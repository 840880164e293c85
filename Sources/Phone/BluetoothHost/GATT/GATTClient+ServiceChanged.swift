/// Changes of the peer's services.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 2.5.2 and 7.1.
extension GATTClient {
    mutating func receive(serviceChanged value: [UInt8], of handle: UInt16, isIndication: Bool) {
        let place = "Service Changed, handle \(HandleRange.text(handle))"
        guard isIndication else {
            return outbox.append(.note("notification of \(place), was ignored: an indication is due"))
        }
        guard value.count == 4 else {
            return outbox.append(.violation("\(place), with \(value.count) bytes; 4 are due"))
        }
        let range = HandleRange(
            UInt16(value[0]) | UInt16(value[1]) << 8, UInt16(value[2]) | UInt16(value[3]) << 8)
        guard range.isValid else { return outbox.append(.violation("\(place), with the handles \(range)")) }
        if withheld == handle {
            heldChange = range
            outbox.append(.note("\(place), waits for encryption"))
        } else {
            servicesChanged(range)
        }
    }

    /// Forgets services, and fails the actions for them.
    mutating func servicesChanged(_ range: HandleRange) {
        let failure = GATTFailure.servicesChanged(range)
        let concerned = Set((parked + queue).filter { concerns(range, $0) }.map(\.id))
        if let job = current, concerns(range, job) { current?.abandonment = failure }
        let jobs = (parked + queue).filter { concerned.contains($0.id) }
        parked.removeAll { concerned.contains($0.id) }
        queue.removeAll { concerned.contains($0.id) }
        table.invalidate(range)
        outbox.append(.servicesChanged(range))
        for job in jobs { end(job, because: failure, mtu: 23) }
    }

    /// Whether an action is for attributes in a range. A discovery of services is, once it has begun.
    private func concerns(_ range: HandleRange, _ job: Job) -> Bool {
        if job.isEnding { return false }
        let hasBegun = job.procedure != nil
        return switch job.action {
        case .exchangeMTU, .subscribeToServiceChanged, .request: false
        case .discoverServices, .discoverSecondaryServices, .readFeature: hasBegun
        case .discoverIncluded(let handle), .discoverCharacteristics(let handle, _):
            (table.service(at: handle)?.service.range ?? HandleRange(handle, handle)).overlaps(range)
        case .discoverDescriptors(let handle), .setNotifying(let handle, _):
            (table.characteristic(at: handle)?.range ?? HandleRange(handle, handle)).overlaps(range)
        case .read(let handle), .write(let handle, _): range.contains(handle)
        case .readByType(_, let asked): hasBegun && asked.overlaps(range)
        case .readMultiple(let handles, _): handles.contains(where: range.contains)
        case .writeReliably(let values): values.contains { range.contains($0.handle) }
        }
    }
}

/// The subscription to Service Changed, and its confirmation.
extension GATTClient {
    /// Puts the client's own subscription before the other actions, once per link.
    mutating func subscribeToServiceChanged() {
        guard !hasTriedServiceChanged, wantsServiceChanged, knowsEnoughServices,
            !table.isSubscribedToServiceChanged, !table.lacksServiceChanged
        else { return }
        hasTriedServiceChanged = true
        queue.insert(Job(id: nextID(), action: .subscribeToServiceChanged, isOwn: true), at: 0)
    }

    private var wantsServiceChanged: Bool {
        switch configuration.subscribesToServiceChanged {
        case .never: false
        case .whenBonded: isBonded
        case .always: true
        }
    }

    /// The subscription follows the discovery of services.
    private var knowsEnoughServices: Bool {
        table.service(ServiceChangedSubscribing.service) != nil
            || configuration.habits.serviceSearch == .findsByUUID && !table.services.isEmpty
    }

    /// Keeps the ATT client's list of withheld handles right, and confirms what was withheld.
    mutating func withholdServiceChanged(over attributes: inout AttributeClient) {
        let isNeeded = configuration.withholdsServiceChanged && isBonded && !isEncrypted
        let handle = isNeeded ? table.serviceChangedHandle : nil
        guard handle != withheld else { return }
        if let withheld {
            attributes.withheldHandles.remove(withheld)
            let isDue = attributes.configuration.confirmsAtOnce && attributes.unconfirmed == withheld
            if isDue { inbox += attributes.confirm() }
        }
        if let handle { attributes.withheldHandles.insert(handle) }
        withheld = handle
    }
}
