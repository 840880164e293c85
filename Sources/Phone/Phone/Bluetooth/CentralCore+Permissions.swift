import Foundation

/// What an app may use: the accessories that the person has set up for it, or all of Bluetooth.
extension CentralCore {
    /// Changes the peripherals that an app may use.
    mutating func setAllowed(_ allowed: [UUID: String], for app: String) {
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) where client.app == app {
            clients[id]?.allowed = allowed
            for peripheral in client.allowed.keys where allowed[peripheral] == nil {
                revoke(peripheral, from: id)
            }
            if client.power != nil { tellPower(id) }
        }
    }

    /// Handles the person's answer to an app that asked for all of Bluetooth.
    mutating func setPermission(_ isGiven: Bool, for app: String) {
        answers[app] = isGiven
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) where client.app == app {
            guard client.permission == .asked else { continue }
            clients[id]?.permission = isGiven ? .given : .refused
            if client.isStarted { tellPower(id) }
        }
    }

    /// Forgets an app that the person has deleted: its central managers, and the person's answer (L6).
    mutating func delete(_ app: String) {
        answers[app] = nil
        for (id, client) in clients where client.app == app { remove(id) }
    }

    /// The permission of a central manager that is being added: the person may have answered after the app was asked for
    /// it, because another manager had asked.
    func current(_ permission: Permission, of app: String) -> Permission {
        guard permission == .asked, let answer = answers[app] else { return permission }
        return answer ? .given : .refused
    }
}
