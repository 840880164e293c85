import Foundation

// Connections that require that the peripheral may have the phone's notifications, and changes of that permission.
extension CentralCore {
    /// Whether a connection that requires the permission has to wait for it.
    func waitsForSharing(_ peripheral: UUID) -> Bool { waitsForSharing && !sharing.contains(peripheral) }

    /// Notes that a client's connection, or its attempt at one, requires the permission.
    mutating func require(_ peripheral: UUID, by client: ClientID) {
        guard let link = links[peripheral], !link.requiring.contains(client) else { return }
        links[peripheral]?.requiring.insert(client)
        if link.isUp { run(.requireSharing(peripheral, connection: link.connection)) }
    }

    /// Handles the person's decision whether a peripheral may have the phone's notifications.
    mutating func setSharing(_ isOn: Bool, with peripheral: UUID) {
        if isOn { sharing.insert(peripheral) } else { sharing.remove(peripheral) }
        guard let link = links[peripheral], case .up(let mtu) = link.phase else { return }
        for client in link.holders.sorted() { tell(client, .sharingChanged(peripheral)) }
        guard isOn, !link.waiting.isEmpty else { return }
        links[peripheral]?.holders.formUnion(link.waiting)
        links[peripheral]?.waiting = []
        for client in link.waiting.sorted() { tell(client, .connected(peripheral, mtu: mtu)) }
    }

    /// Handles a failed pairing with a peripheral that was to have the permission.
    mutating func sharingFailed(with peripheral: UUID, over connection: Int, _ failure: CentralFailure) {
        guard let link = links[peripheral], link.connection == connection, link.isUp else { return }
        for client in link.waiting.sorted() {
            tell(client, .failedToConnect(peripheral, failure))
            release(peripheral, by: client, told: false)
        }
    }
}
