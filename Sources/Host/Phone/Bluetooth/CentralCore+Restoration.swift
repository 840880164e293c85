import Foundation
import RadioModel

// The state of a central manager that outlives its app (C20).
extension CentralCore {
    /// Handles the system's end of the central manager's app: with a restore identifier, connections and scan stay
    /// active.
    mutating func orphan(_ client: ClientID) {
        guard clients[client]?.restoreName != nil else { return remove(client) }
        clients[client]?.isOrphan = true
    }

    func restoredState(of client: ClientID) -> RestoredState {
        var state = RestoredState()
        guard let mine = clients[client] else { return state }
        for (peripheral, link) in links.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            guard link.holders.contains(client) || link.waiting.contains(client) else { continue }
            let name = names[peripheral] ?? mine.allowed[peripheral]
            var restored = RestoredPeripheral(peripheral: KnownPeripheral(identifier: peripheral, name: name))
            if case .up(let mtu) = link.phase {
                restored.mtu = mtu
                restored.discoveries = mine.discoveries[peripheral] ?? []
                restored.subscriptions = Set(link.subscribers.filter { $0.value.contains(client) }.keys)
                // It was not answered yet.
                if let pending = link.subscribing { restored.subscriptions.remove(pending) }
            }
            state.peripherals.append(restored)
        }
        state.scan = mine.scan
        return state
    }

    /// Keeps what a client has discovered, for restored objects. A later answer to the same question replaces an
    /// earlier one.
    mutating func keepDiscovery(_ answer: GATTAnswer, of client: ClientID, on peripheral: UUID) {
        guard let question = answer.discovery else { return }
        clients[client]?.discoveries[peripheral, default: []].removeAll { $0.discovery == question }
        clients[client]?.discoveries[peripheral, default: []].append(answer)
    }

    /// Forgets what was discovered on a peripheral: its link has ended, or its services have changed.
    mutating func forgetDiscoveries(on peripheral: UUID) {
        for client in clients.keys { clients[client]?.discoveries[peripheral] = nil }
    }
}

/// The question of a successful discovery.
enum DiscoveryQuestion: Hashable {
    case services([BluetoothUUID]?)
    case characteristics(service: UInt16, [BluetoothUUID]?)
    case included(service: UInt16, [BluetoothUUID]?)
    case descriptors(CharacteristicID)
}

extension GATTAnswer {
    /// The question that it answers, if it is a successful discovery.
    var discovery: DiscoveryQuestion? {
        switch self {
        case .services(let wanted, .success): .services(wanted)
        case .characteristics(let service, let wanted, .success): .characteristics(service: service, wanted)
        case .includedServices(let service, let wanted, .success): .included(service: service, wanted)
        case .descriptors(let characteristic, .success): .descriptors(characteristic)
        default: nil
        }
    }
}
