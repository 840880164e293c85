import Foundation
import RadioModel

// The peripherals that are connected to the phone, whoever connected them: another app, the picker, or the peripheral
// itself.
extension CentralCore {
    /// The connected peripherals that the client's app may use and that offer one of the services.
    func connected(offering services: Set<BluetoothUUID>, for client: ClientID) -> [KnownPeripheral] {
        guard let client = clients[client] else { return [] }
        return connectedToPhone.filter { !self.services(of: $0).isDisjoint(with: services) && client.mayUse($0) }
            .sorted { $0.uuidString < $1.uuidString }
            .map { KnownPeripheral(identifier: $0, name: names[$0] ?? client.allowed[$0]) }
    }

    /// Notes that a peripheral has connected to the phone or disconnected, and reports it to the clients that watch.
    mutating func noteConnection(of peripheral: UUID, isConnected: Bool) {
        guard connectedToPhone.contains(peripheral) != isConnected else { return }
        if isConnected { connectedToPhone.insert(peripheral) } else { connectedToPhone.remove(peripheral) }
        let services = services(of: peripheral)
        for (id, client) in clients.sorted(by: { $0.key < $1.key })
        where client.mayUse(peripheral) && client.watched?.matches(peripheral, offering: services) == true {
            let known = KnownPeripheral(
                identifier: peripheral, name: names[peripheral] ?? client.allowed[peripheral])
            tell(id, .connectionChanged(known, isConnected: isConnected))
        }
    }
}
