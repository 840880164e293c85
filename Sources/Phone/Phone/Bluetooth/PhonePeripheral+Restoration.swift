import Foundation
import PeripheralModel
import RadioModel

/// What a peripheral manager had published when its app ended. It is still published.
package struct RestoredPublication: Sendable {
    package var services: [PeripheralService] = []
    /// What it advertises; nil if it does not.
    package var advertising: PeripheralAdvertising?
    /// The devices that are subscribed to its values, each with its ATT MTU in bytes.
    package var subscribed: [AttributePlace: [UUID: Int]] = [:]
}

// Peripheral managers whose app has ended (L7).
extension PhonePeripheral {
    /// What the phone keeps for a peripheral manager whose app has ended.
    struct Orphan {
        /// The state when the app ended, before the missed events.
        let state: RestoredPublication
        /// The events since then, oldest first.
        var missed: [PeripheralManagerEvent] = []
        let limit: Int
    }

    /// The client of an app that has ended, with this restore identifier.
    func orphan(named name: String?, of app: String) -> ClientID? {
        guard let name else { return nil }
        return state.withLock { state in
            state.clients.first { $0.value.orphan != nil && $0.value.restoreName == name && $0.value.isOf(app) }?.key
        }
    }

    /// Hands what is kept for a client over to the app, which was launched again.
    func adopt(_ id: ClientID, by app: RunningApp, _ tell: @escaping @Sendable (PeripheralManagerEvent) -> Void) {
        let orphan = state.withLock { state in
            defer { state.clients[id]?.orphan = nil }
            state.clients[id]?.app = app
            state.clients[id]?.tell = tell
            return state.clients[id]?.orphan
        }
        guard let orphan else { return }
        tell(.restored(orphan.state))
        if let power = power(for: app) { tell(.power(power)) }
        for event in orphan.missed { tell(event) }
    }

    /// Handles the end of a client's app: with a restore identifier, its services and advertisement stay.
    func end(_ id: ClientID, of app: RunningApp) {
        let launches = phone.policy.launches
        let usesSetup = !phone.bluetooth.allowed(to: app.bundle.identifier).isEmpty
        let isKept = app.ending.map { launches.rules.launches(after: $0, usesAccessorySetup: usesSetup) } ?? false
        guard isKept, state.withLock({ $0.clients[id]?.restoreName != nil }) else { return remove(id) }
        state.withLock { state in
            guard let client = state.clients[id], client.orphan == nil else { return }
            let published = RestoredPublication(
                services: client.services, advertising: state.advertisements.first { $0.client == id }?.content,
                subscribed: client.subscribed)
            state.clients[id]?.orphan = Orphan(state: published, limit: launches.keptEvents)
        }
    }

    /// Removes the clients whose app has ended and is not launched any more.
    ///
    /// - Parameter isKept: Whether they stay, by whether their app has set up an accessory with AccessorySetupKit.
    func removeOrphans(unless isKept: (_ usesAccessorySetup: Bool) -> Bool = { _ in false }) {
        let orphans = state.withLock { $0.clients.filter { $0.value.orphan != nil } }
        for (id, client) in orphans where !isKept(!phone.bluetooth.allowed(to: client.app.bundle.identifier).isEmpty) {
            remove(id)
        }
    }

    package func deleted(_ app: String) {
        for id in state.withLock({ $0.clients.filter { $0.value.isOf(app) }.map(\.key) }) { remove(id) }
    }

    package func switchedOff() { removeOrphans() }

    /// The restore identifiers of an app's peripheral managers that wait for its next launch, in alphabetical order.
    func restoreNames(of app: String) -> [String] {
        state.withLock { $0.clients.values.filter { $0.orphan != nil && $0.isOf(app) }.compactMap(\.restoreName) }
            .sorted()
    }

    /// Keeps an event for a client whose app has ended, and launches the app if it waits for that.
    ///
    /// - Returns: False if the app runs.
    func keep(_ event: PeripheralManagerEvent, for id: ClientID) -> Bool {
        let orphaned: Client? = state.withLock { state in
            guard let client = state.clients[id], client.orphan != nil else { return nil }
            if case .power = event { return client }
            state.clients[id]?.orphan?.missed.append(event)
            if let orphan = client.orphan, orphan.missed.count >= orphan.limit {
                state.clients[id]?.orphan?.missed.removeFirst()
            }
            return client
        }
        guard let orphaned else { return false }
        if let words = words(for: event, of: orphaned) {
            phone.part(BackgroundLaunches.self).want(orphaned.app.bundle.identifier, because: words)
        }
        return true
    }

    /// An event that launches an app, in words; nil for one that does not.
    private func words(for event: PeripheralManagerEvent, of client: Client) -> String? {
        func name(_ place: AttributePlace) -> String {
            guard client.services.indices.contains(place.service),
                client.services[place.service].characteristics.indices.contains(place.characteristic)
            else { return "a value" }
            return client.services[place.service].characteristics[place.characteristic].uuid.namedText
        }
        switch event {
        case .requested(let request, let device):
            let what = request.written == nil ? "a read" : "a write"
            return "\(what) of \(name(request.place)) by \(phone.bluetooth.name(of: device))"
        case .subscription(let isOn, let place, let device, _):
            let what = isOn ? "a subscription to" : "the end of a subscription to"
            return "\(what) \(name(place)) by \(phone.bluetooth.name(of: device))"
        case .channelOpened(_, _, let device): return "an L2CAP channel of \(phone.bluetooth.name(of: device))"
        case .power, .restored, .published, .refusedService, .advertising, .isReady, .channelPublished: return nil
        }
    }
}

extension PhonePeripheral.Client {
    fileprivate func isOf(_ app: String) -> Bool { self.app.bundle.identifier == app }
}
