import Foundation
import RadioModel

extension CentralCore {
    mutating func enqueue(_ request: GATTRequest, of client: ClientID, to peripheral: UUID) {
        guard let link = links[peripheral], link.isUp, link.holders.contains(client) else { return }
        links[peripheral]?.requests.append((client, request))
        serve(peripheral)
    }

    /// Starts the next request, unless one is under way: an attribute server answers one at a time.
    mutating func serve(_ peripheral: UUID) {
        while let link = links[peripheral], link.isUp, link.current == nil, let (client, request) = link.requests.first
        {
            links[peripheral]?.requests.removeFirst()
            if let answer = answerAtOnce(request, of: client, to: peripheral) {
                tell(client, .gatt(peripheral, answer))
            } else {
                links[peripheral]?.current = request
                run(
                    .gatt(
                        GATTOperation(
                            peripheral: peripheral, connection: link.connection, client: client, request: request)))
            }
        }
    }

    /// The answer where the radio is not needed for it.
    private mutating func answerAtOnce(
        _ request: GATTRequest, of client: ClientID, to peripheral: UUID
    ) -> GATTAnswer? {
        switch request {
        case .characteristics(let service, let wanted):
            // The radio resolves them together with the services.
            return .characteristics(service: service, wanted: wanted)
        case .includedServices(let service, let wanted): return .includedServices(service: service, wanted: wanted)
        case .descriptors(let characteristic): return .descriptors(characteristic)
        case .setNotifying(let characteristic, let isOn):
            var subscribers = links[peripheral]?.subscribers[characteristic] ?? []
            let wasOn = !subscribers.isEmpty
            if isOn { subscribers.insert(client) } else { subscribers.remove(client) }
            links[peripheral]?.subscribers[characteristic] = subscribers
            return wasOn == !subscribers.isEmpty && wasOn ? .notifying(characteristic, isOn: isOn, nil) : nil
        default: return nil
        }
    }

    /// The radio's answer to a request.
    mutating func gattEnded(_ operation: GATTOperation, _ answer: GATTAnswer) {
        let peripheral = operation.peripheral
        guard let link = links[peripheral], link.isUp, link.connection == operation.connection else { return }
        links[peripheral]?.current = nil
        if case .notifying(let characteristic, true, _?) = answer {
            links[peripheral]?.subscribers[characteristic]?.remove(operation.client)
        }
        if link.holders.contains(operation.client) { tell(operation.client, .gatt(peripheral, answer)) }
        if case .notifying(let characteristic, true, _) = answer { tellEarly(characteristic, of: peripheral) }
        serve(peripheral)
    }

    /// The peripheral notified a value.
    mutating func notified(_ characteristic: CharacteristicID, _ value: Data, by peripheral: UUID) {
        guard let link = links[peripheral], link.isUp else { return }
        if link.subscribing == characteristic {
            links[peripheral]?.early.append((characteristic, value))
        } else {
            tellSubscribers(characteristic, value, of: peripheral)
        }
    }

    /// The peripheral's services are no longer what was discovered.
    mutating func servicesChanged(of peripheral: UUID) {
        guard let link = links[peripheral], link.isUp else { return }
        for client in link.holders.sorted() { tell(client, .gatt(peripheral, .servicesChanged)) }
    }

    private mutating func tellEarly(_ characteristic: CharacteristicID, of peripheral: UUID) {
        let early = links[peripheral]?.early.filter { $0.characteristic == characteristic } ?? []
        links[peripheral]?.early.removeAll { $0.characteristic == characteristic }
        for item in early { tellSubscribers(characteristic, item.value, of: peripheral) }
    }

    private mutating func tellSubscribers(_ characteristic: CharacteristicID, _ value: Data, of peripheral: UUID) {
        for client in links[peripheral]?.subscribers[characteristic]?.sorted() ?? [] {
            tell(client, .gatt(peripheral, .value(characteristic, .success(value))))
        }
    }
}
