import Foundation
import RadioModel

// The state of a central manager that outlives its app (C20, L1).
extension CentralCore {
    /// What the phone keeps for a central manager whose app has ended.
    struct Orphan {
        /// The state when the app ended, or when Bluetooth was switched off since then: before the missed events.
        var state: RestoredState
        /// The events since then, oldest first.
        var missed: [CentralEvent] = []
        /// How many events are kept at most.
        let limit: Int
        /// The peripherals to connect to when Bluetooth is on again.
        var waiting: Set<UUID> = []

        /// Keeps one more event; beyond the limit, the oldest value or discovery goes.
        mutating func keep(_ event: CentralEvent) {
            missed.append(event)
            guard missed.count > limit else { return }
            missed.remove(at: missed.firstIndex { $0.mayBeMissed } ?? 0)
        }

        /// Forgets a peripheral, which the app may no longer use.
        mutating func forget(_ peripheral: UUID) {
            state.peripherals.removeAll { $0.peripheral.identifier == peripheral }
            missed.removeAll { $0.peripheral == peripheral }
            waiting.remove(peripheral)
        }
    }

    /// What becomes of central managers whose app has ended when Bluetooth is switched off (L3, L5).
    struct OrphanRules {
        /// Whether they stay, by whether their app has set up an accessory with AccessorySetupKit.
        var keeps: (_ usesAccessorySetup: Bool) -> Bool = { _ in false }
        /// What becomes of their links.
        var lostLinks = LaunchPolicy.LostLink.connectsAgain
    }

    /// Handles the end of the central manager's app: with a restore identifier, connections and scan stay active.
    ///
    /// - Parameter limit: How many events are kept for the app at most.
    mutating func orphan(_ client: ClientID, keeping limit: Int = LaunchPolicy().keptEvents) {
        guard clients[client]?.restoreName != nil else { return remove(client) }
        guard clients[client]?.orphan == nil else { return }
        let orphan = Orphan(state: restoredState(of: client), limit: limit)
        clients[client]?.isInBackground = true
        clients[client]?.orphan = orphan
    }

    /// Removes the central managers whose app has ended and is not launched any more.
    ///
    /// - Parameter isKept: Whether they stay, by whether their app has set up an accessory with AccessorySetupKit.
    mutating func removeOrphans(unless isKept: (_ usesAccessorySetup: Bool) -> Bool = { _ in false }) {
        for (id, client) in clients where client.orphan != nil && !isKept(client.usesAccessorySetup) { remove(id) }
    }

    /// Keeps an event for a central manager whose app has ended, and launches the app if it waits for that.
    mutating func keep(_ event: CentralEvent, for client: ClientID) {
        if case .power = event { return }
        clients[client]?.orphan?.keep(event)
        if event.launchesApp { launch(client, because: event) }
    }

    /// Handles the loss of all links for the central managers whose app has ended.
    mutating func keepOrphans(_ rules: OrphanRules) {
        for (id, client) in clients {
            guard client.orphan != nil else { continue }
            guard rules.keeps(client.usesAccessorySetup) else {
                clients[id] = nil
                continue
            }
            for (peripheral, link) in links {
                if link.waiting.contains(id) { clients[id]?.orphan?.waiting.insert(peripheral) }
                guard link.holders.contains(id) else { continue }
                switch rules.lostLinks {
                case .connectsAgain:
                    clients[id]?.orphan?.waiting.insert(peripheral)
                    clients[id]?.orphan?.loseLink(to: peripheral)
                case .launchesApp: keep(.disconnected(peripheral, .peripheralDisconnected), for: id)
                }
            }
        }
    }

    /// Goes on with what the central managers whose app has ended wait for: Bluetooth is on again.
    mutating func connectOrphansAgain() {
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) {
            guard let waiting = client.orphan?.waiting else { continue }
            clients[id]?.orphan?.waiting = []
            for peripheral in waiting.sorted(by: { $0.uuidString < $1.uuidString }) { connect(peripheral, for: id) }
        }
    }

    /// Handles an app's move to the background or to the foreground: its scans are limited there (C13).
    ///
    /// - Parameter isOwn: Whether a central manager belongs to the app itself, and not to an extension.
    mutating func setInBackground(_ isInBackground: Bool, of app: String, where isOwn: (ClientID) -> Bool) {
        for (id, client) in clients where client.app == app && client.orphan == nil && isOwn(id) {
            clients[id]?.isInBackground = isInBackground
        }
    }

    private func restoredState(of client: ClientID) -> RestoredState {
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

extension CentralCore.Client {
    /// Whether its app has set up an accessory with AccessorySetupKit.
    var usesAccessorySetup: Bool { !allowed.isEmpty }
}

extension CentralCore.Orphan {
    /// The link to a peripheral is lost, without an event for the app: it is connecting again.
    fileprivate mutating func loseLink(to peripheral: UUID) {
        missed.removeAll { $0.peripheral == peripheral }
        state.peripherals = state.peripherals.map { old in
            old.peripheral.identifier == peripheral ? RestoredPeripheral(peripheral: old.peripheral) : old
        }
    }
}

extension CentralEvent {
    /// The peripheral that it is about; nil if it is about none, or about one that the app may not know yet.
    var peripheral: UUID? {
        switch self {
        case .connected(let peripheral, _), .mtuChanged(let peripheral, _), .failedToConnect(let peripheral, _),
            .disconnected(let peripheral, _, _), .renamed(let peripheral, _), .sharingChanged(let peripheral),
            .gatt(let peripheral, _):
            peripheral
        case .discovered(let known, _), .connectionChanged(let known, _): known.identifier
        case .power, .restored: nil
        }
    }

    /// Whether an app that the system has ended is launched for it (L1): a connection that it waited for, its end, a value
    /// that it is subscribed to, or a peripheral that it scans for.
    ///
    /// Source: Apple, TN3115. A developer saw that a disconnection launches, too: JohanDegraeve/xdripswift#201.
    var launchesApp: Bool {
        switch self {
        case .connected, .failedToConnect, .disconnected, .discovered, .connectionChanged, .gatt(_, .value): true
        case .power, .restored, .mtuChanged, .renamed, .sharingChanged, .gatt: false
        }
    }

    /// Whether the phone may drop it if too many events wait for an app: the app's view of its links stays right.
    fileprivate var mayBeMissed: Bool {
        switch self {
        case .discovered, .gatt(_, .value): true
        default: false
        }
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
