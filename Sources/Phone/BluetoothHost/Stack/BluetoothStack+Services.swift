import RadioModel

// The phone's own services.
extension BluetoothStack {
    /// Adds and removes services. Devices that have subscribed to Service Changed are told: now, or when they come back.
    ///
    /// - Parameter change: Gives the handles that are concerned; nil if nothing has changed.
    package mutating func changeServices(
        at now: Duration,
        _ change: (inout AttributeDatabase) throws(AttributeDatabaseError) -> HandleRange?
    ) throws(AttributeDatabaseError) -> [Output] {
        guard let range = try change(&database) else { return [] }
        return act(at: now) { stack in
            for (address, bond) in stack.bonds where stack.handle(of: address) == nil {
                stack.bonds[address]?.missedChange = bond.missedChange.map { $0.joined(with: range) } ?? range
            }
            for handle in stack.links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                stack.onLink(handle) { $0.tellOfChange(range, to: &$1) }
            }
        }
    }

    /// Changes the name that devices read.
    package mutating func setName(_ name: String) { own.name = name }

    private mutating func tellOfChange(_ range: HandleRange, to link: inout StackLink) {
        take(PhoneServices.servicesChanged(in: range, of: database, for: &link.bearer.server, at: now), of: &link)
    }

    /// Gives a bonded device on an encrypted link what it had: its subscriptions, and word of changes that it missed.
    mutating func restore(_ link: inout StackLink) {
        guard let bond = bonds[link.address] else { return }
        let known = link.bearer.server.configurations
        let saved = bond.subscriptions.filter { known[$0.key] == nil }
        take(link.bearer.server.restore(saved, in: database), of: &link)
        guard let missed = bond.missedChange else { return }
        bonds[link.address]?.missedChange = nil
        tellOfChange(missed, to: &link)
    }
}
