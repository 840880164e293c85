import Foundation
import RadioModel

// Apps that are not running: what is kept for them, and what launches them (L1, L3, L5, L6).
extension PhoneBluetooth {
    /// What a manager is, with its names in Core Bluetooth.
    enum Role: String {
        case central, peripheral

        fileprivate var manager: String { self == .central ? "CBCentralManager" : "CBPeripheralManager" }
    }

    /// Crashes the app if it asks for restoration without the background mode for it, as on iOS (L2).
    ///
    /// Developers saw this: evothings/cordova-ble#123, Navideck/universal_ble#254.
    func requireBackgroundMode(_ role: Role, of app: RunningApp) {
        let mode = "bluetooth-\(role)"
        guard Phone.host == nil, !app.propertyList.backgroundModes.contains(mode) else { return }
        AppCrash.crash(
            "L2",
            "State restoration of \(role.manager) is only allowed for applications that have specified the \"\(mode)\" "
                + "background mode: add it to UIBackgroundModes in the Info.plist, or leave out "
                + "\(role.manager.dropLast(7))ManagerOptionRestoreIdentifierKey")
    }

    /// Whether the central managers of an app that has ended stay active.
    func keepsCentrals(of app: RunningApp) -> Bool {
        guard let ending = app.ending else { return false }
        return phone.policy.launches.rules.launches(
            after: ending, usesAccessorySetup: !allowed(to: app.bundle.identifier).isEmpty)
    }

    /// Notes why Bluetooth is about to go off.
    func expectPowerLoss(by condition: RelaunchCondition) { state.withLock { $0.powerLoss = condition } }

    func orphanRules(whenOn isOn: Bool) -> CentralCore.OrphanRules {
        let condition = state.withLock { state in
            // The next loss may be one that nobody has announced.
            defer { if isOn { state.powerLoss = .bluetoothToggled } }
            return state.powerLoss
        }
        let launches = phone.policy.launches
        return CentralCore.OrphanRules(
            keeps: { launches.rules.launches(after: condition, usesAccessorySetup: $0) }, lostLinks: launches.lostLinks)
    }

    /// Handles something that happened to the phone while apps were not running, other than a loss of Bluetooth.
    func orphans(meet condition: RelaunchCondition) {
        let rules = phone.policy.launches.rules
        step { core in core.removeOrphans { rules.launches(after: condition, usesAccessorySetup: $0) } }
        phone.part(PhonePeripheral.self).removeOrphans { rules.launches(after: condition, usesAccessorySetup: $0) }
    }

    /// The restore identifiers of an app's central managers that wait for its next launch, in alphabetical order.
    func restoreNames(of app: String) -> [String] {
        state.withLock { $0.core.clients.values.filter { $0.app == app && $0.orphan != nil }.compactMap(\.restoreName) }
            .sorted()
    }

    package func foregroundChanged(of app: RunningApp) {
        let identifier = app.bundle.identifier
        step { $0.setInBackground(!app.isInForeground, of: identifier) { [hosted] in !hosted.contains($0) } }
    }

    package func deleted(_ app: String) {
        step { $0.delete(app) }
    }

    package func switchedOff() {
        step { $0.removeOrphans() }
    }

    /// An event that launches an app, in words: `a value of FF01 from Lamp 7`.
    func words(for event: CentralEvent) -> String {
        let who = event.peripheral.map(name) ?? "a peripheral"
        switch event {
        case .connected: return "a connection to \(who)"
        case .failedToConnect: return "a failed connection to \(who)"
        case .disconnected: return "the end of its connection to \(who)"
        case .discovered: return "\(who), which its scan has found"
        case .connectionChanged(_, let isConnected):
            return "\(who), which has \(isConnected ? "connected to" : "disconnected from") the phone"
        case .gatt(let peripheral, .value(let characteristic, _)):
            return "a value of \(name(of: characteristic.handle, on: peripheral)) from \(who)"
        case .gatt, .mtuChanged, .renamed, .sharingChanged, .power, .restored: return "an event of \(who)"
        }
    }
}
