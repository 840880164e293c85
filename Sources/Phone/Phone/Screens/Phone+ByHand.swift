/// The phone in the hands of somebody other than the scenario's person.
extension Phone {
    /// Opens Settings over the other screens, for a person who acts by hand. They act on it through
    /// ``Display/act(_:on:)``, and close it with ``PersonAction/done``.
    ///
    /// - Parameter kind: ``Screen/Kind/settings`` for the accessories, ``Screen/Kind/switches`` for Bluetooth and Wi-Fi,
    ///   ``Screen/Kind/sharing`` for Share System Notifications.
    /// - Returns: False if Settings is open already, or if there is no such page.
    package func openSettings(_ kind: Screen.Kind) -> Bool { part(SettingsApp.self).open(kind) }
}

extension Screen {
    /// The same action with its accessory named as a person would name it: by its name if that finds it, else by its
    /// address, else by its place.
    package func named(_ action: PersonAction) -> PersonAction {
        guard let choice = action.accessory, let index = index(of: choice) else { return action }
        let entry = entries[index]
        // In Settings the detail is the name of an app, or the position of a switch.
        let hasNames = kind != .settings && kind != .sharing
        let names = (hasNames ? [entry.detail, entry.title] : [entry.title]).filter { !$0.isEmpty }
        if let name = names.first(where: { self.index(of: .named($0)) == index }) {
            return action.choosing(.named(name))
        }
        if let address = entry.address, self.index(of: .address(address)) == index {
            return action.choosing(.address(address))
        }
        return action.choosing(.number(index + 1))
    }
}
