import Foundation
import RadioModel

extension CentralCore {
    mutating func enqueue(_ request: GATTRequest, of client: ClientID, to peripheral: UUID) {
        guard let link = links[peripheral], link.isUp, link.holders.contains(client) else { return }
        links[peripheral]?.requests.append((client, request))
        serve(peripheral)
    }

    /// Starts the next request unless one is under way: an attribute server handles one request at a time.
    mutating func serve(_ peripheral: UUID) {
        while let link = links[peripheral], link.isUp, !link.hasFailed, link.current == nil,
            let (client, request) = link.requests.first
        {
            links[peripheral]?.requests.removeFirst()
            if let answer = answerAtOnce(request, of: client, to: peripheral) {
                tell(client, .gatt(peripheral, answer))
            } else {
                let operation = GATTOperation(
                    peripheral: peripheral, connection: link.connection, client: client, request: request)
                links[peripheral]?.current = operation
                run(.gatt(operation))
            }
        }
    }

    /// The answer to a request that does not need the radio; nil if it needs the radio.
    private mutating func answerAtOnce(
        _ request: GATTRequest, of client: ClientID, to peripheral: UUID
    ) -> GATTAnswer? {
        switch request {
        case .setNotifying(let characteristic, let isOn):
            var subscribers = links[peripheral]?.subscribers[characteristic] ?? []
            let wasOn = !subscribers.isEmpty
            if isOn { subscribers.insert(client) } else { subscribers.remove(client) }
            links[peripheral]?.subscribers[characteristic] = subscribers
            return wasOn == !subscribers.isEmpty && wasOn ? .notifying(characteristic, isOn: isOn, nil) : nil
        default: return nil
        }
    }

    /// Handles the radio's answer to a request.
    mutating func gattEnded(_ operation: GATTOperation, _ answer: GATTAnswer) {
        let peripheral = operation.peripheral
        guard let link = links[peripheral], link.isUp, !link.hasFailed, link.connection == operation.connection else {
            return
        }
        // The link's end, which follows, is all that the app hears (C25).
        guard answer.failure != .notConnected else { return }
        links[peripheral]?.current = nil
        if case .requestFailed? = answer.failure { links[peripheral]?.hasFailed = true }
        if case .services(let wanted, .success(let services)) = answer {
            note(services.map(\.uuid), isAll: wanted == nil, of: peripheral)
        }
        if case .notifying(let characteristic, true, _?) = answer {
            links[peripheral]?.subscribers[characteristic]?.remove(operation.client)
        }
        keepDiscovery(answer, of: operation.client, on: peripheral)
        if link.holders.contains(operation.client) { tell(operation.client, .gatt(peripheral, answer)) }
        if case .notifying(let characteristic, true, _) = answer { deliverEarlyValues(characteristic, of: peripheral) }
        serve(peripheral)
    }

    /// Handles the radio's event that a request failed, and that the phone ends the link because of it. The request's own
    /// answer may come before the event or after it; the link's end comes after it (C25).
    mutating func requestFailed(on peripheral: UUID, because reason: String) {
        guard let link = links[peripheral], !link.hasFailed, let operation = link.current else { return }
        gattEnded(operation, GATTAnswer(operation.request, failed: .requestFailed(reason)))
    }

    /// Handles a value that the peripheral notified.
    mutating func notified(_ characteristic: CharacteristicID, _ value: Data, by peripheral: UUID) {
        guard let link = links[peripheral], link.isUp else { return }
        if link.subscribing == characteristic {
            links[peripheral]?.earlyValues.append((characteristic, value))
        } else {
            tellSubscribers(characteristic, value, of: peripheral)
        }
    }

    /// Handles a change of the peripheral's services: the discovered ones are no longer valid.
    mutating func servicesChanged(of peripheral: UUID) {
        guard let link = links[peripheral], link.isUp else { return }
        discoveredServices[peripheral] = nil
        forgetDiscoveries(on: peripheral)
        // The subscriptions were to characteristics that may be gone.
        links[peripheral]?.subscribers = [:]
        for client in link.holders.sorted() { tell(client, .gatt(peripheral, .servicesChanged)) }
    }

    /// The services that a peripheral offers, as far as the phone knows: those that were discovered, on an earlier link
    /// as well, otherwise those that it advertises.
    func services(of peripheral: UUID) -> Set<BluetoothUUID> {
        discoveredServices[peripheral] ?? advertisedServices[peripheral] ?? []
    }

    private mutating func note(_ services: [BluetoothUUID], isAll: Bool, of peripheral: UUID) {
        let known = isAll ? [] : self.services(of: peripheral)
        discoveredServices[peripheral] = known.union(services)
    }

    /// Delivers the values that arrived before the subscription was answered.
    private mutating func deliverEarlyValues(_ characteristic: CharacteristicID, of peripheral: UUID) {
        let early = links[peripheral]?.earlyValues.filter { $0.characteristic == characteristic } ?? []
        links[peripheral]?.earlyValues.removeAll { $0.characteristic == characteristic }
        for item in early { tellSubscribers(characteristic, item.value, of: peripheral) }
    }

    private mutating func tellSubscribers(_ characteristic: CharacteristicID, _ value: Data, of peripheral: UUID) {
        for client in links[peripheral]?.subscribers[characteristic]?.sorted() ?? [] {
            tell(client, .gatt(peripheral, .value(characteristic, .success(value))))
        }
    }
}
