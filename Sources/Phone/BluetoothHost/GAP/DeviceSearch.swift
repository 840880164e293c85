/// The search for bonded devices whose address changes, while an attempt to connect waits for one of them.
///
/// The controller listens for one address. A device that has taken another one since it was heard last is found by a
/// scan beside the attempt; where the controller cannot do both, they take turns.
///
/// Source: Core Specification 6.0, Vol 3, Part C, 10.7.2.2.
struct DeviceSearch: Sendable {
    /// How long a turn takes. Assumed.
    static let turn: Duration = .seconds(1)

    /// Whether an attempt waits for such a device.
    private(set) var isOn = false
    /// Whether it is the scan's turn, and attempts are held.
    private(set) var isScansTurn = false
    /// When the turn ends; nil where both go on at the same time.
    private(set) var deadline: Duration?

    /// - Parameters:
    ///   - isNeeded: Whether an attempt waits for such a device.
    ///   - takesTurns: Whether the controller cannot scan beside an attempt.
    mutating func update(isNeeded: Bool, takesTurns: Bool, at now: Duration) {
        guard isNeeded else { return self = DeviceSearch() }
        isOn = true
        if takesTurns, deadline == nil { deadline = now + DeviceSearch.turn }
    }

    /// The turn may have ended.
    mutating func advance(to now: Duration) {
        guard let end = deadline, end <= now else { return }
        isScansTurn.toggle()
        deadline = now + DeviceSearch.turn
    }

    /// Such a device was heard: it can be connected to.
    mutating func found(at now: Duration) {
        guard isScansTurn else { return }
        isScansTurn = false
        deadline = now + DeviceSearch.turn
    }
}

extension GenericAccess.Configuration {
    /// The scan for a device that an attempt waits for: passive, as often as the attempt itself listens.
    var searchSettings: ScanSettings {
        var settings = ScanSettings()
        settings.isActive = false
        (settings.interval, settings.window) = (connector.scanInterval, connector.scanWindow)
        return settings
    }
}
