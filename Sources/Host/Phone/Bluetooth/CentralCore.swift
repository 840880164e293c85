import Foundation
import RadioModel

/// What the phone's Bluetooth decides, without a radio: requests and events in, actions out.
///
/// A physical link serves every central manager that wants the peripheral; it ends with the last of them.
struct CentralCore {
    typealias ClientID = Int

    enum Action {
        case tell(ClientID, CentralEvent)
        case run(Operation)
        /// Discovery is wanted, or no longer.
        case discover(Bool)
    }

    /// Something that the radio takes time for.
    enum Operation {
        /// Ends with ``connectEnded(_:_:)``.
        case connect(UUID)
        /// Ends with ``disconnectEnded(_:)``.
        case disconnect(UUID)
        /// Ends with ``gattEnded(_:_:)``.
        case gatt(GATTOperation)
    }

    struct GATTOperation {
        var peripheral: UUID
        /// Which connection it belongs to, so that a late answer does not reach the next one.
        var connection: Int
        var client: ClientID
        var request: GATTRequest
    }

    struct Scan {
        var services: [BluetoothUUID]?
        var allowDuplicates: Bool
        /// What was told of each, without signal strength.
        var told: [UUID: Advertisement] = [:]
    }

    /// Whether the app may use all of Bluetooth.
    enum Permission: Sendable {
        /// It uses AccessorySetupKit, and has its accessories alone (C1).
        case notNeeded
        /// The person is being asked.
        case asked
        case given, refused
    }

    struct Client {
        var app: String
        var permission = Permission.notNeeded
        /// Whether it wants to hear its state.
        var isStarted = false
        /// What the app may use, with the names on the phone (C2).
        var allowed: [UUID: String]
        var scan: Scan?
        var power: CentralEvent.Power?
        /// Of which peripherals' connections it wants to hear.
        var watched: ConnectionFilter?
        /// Under which name its state outlives the app, if it does.
        var restoreName: String?
        /// Whether the system ended its app, and nobody has taken it over yet.
        var isOrphan = false
    }

    var clients: [ClientID: Client] = [:]
    var links: [UUID: Link] = [:]
    var isPowered: Bool
    /// Names heard over the air.
    var names: [UUID: String] = [:]
    /// How often a peripheral that is heard may fail to connect before the app is told.
    var connectionTries: Int
    var lastConnection = 0
    private var isDiscovering = false
    private var actions: [Action] = []
    private var lastClient = 0

    init(isPowered: Bool, connectionTries: Int) {
        self.isPowered = isPowered
        self.connectionTries = connectionTries
    }

    /// What is to be done since this was last asked, in order.
    mutating func takeActions() -> [Action] {
        let wantsDiscovery = clients.values.contains { $0.scan != nil } || links.values.contains { $0.isListening }
        if wantsDiscovery != isDiscovering {
            isDiscovering = wantsDiscovery
            actions.append(.discover(wantsDiscovery))
        }
        defer { actions = [] }
        return actions
    }

    mutating func tell(_ client: ClientID, _ event: CentralEvent) { actions.append(.tell(client, event)) }
    mutating func run(_ operation: Operation) { actions.append(.run(operation)) }
}

// MARK: Central managers

extension CentralCore {
    /// A central manager was made; it has to be started before it is told anything.
    ///
    /// - Parameter restoreName: What it has outlives an app that the system ends, for the next manager of this name.
    mutating func add(
        app: String, permission: Permission = .notNeeded, allowed: [UUID: String], restoreName: String? = nil
    ) -> ClientID {
        if let restoreName,
            let orphan = clients.first(where: { $0.value.isOrphan && $0.value.restores(restoreName, app) })
        {
            return orphan.key
        }
        lastClient += 1
        clients[lastClient] = Client(app: app, permission: permission, allowed: allowed, restoreName: restoreName)
        return lastClient
    }

    /// The central manager hears from now on; the first thing is what it had before, then its state.
    mutating func start(_ client: ClientID) {
        clients[client]?.isStarted = true
        if clients[client]?.isOrphan == true {
            clients[client]?.isOrphan = false
            clients[client]?.power = nil
            tell(client, .restored(restoredState(of: client)))
        }
        tellPower(client)
    }

    /// The system ended the central manager's app: what can be restored goes on without it.
    mutating func orphan(_ client: ClientID) {
        guard clients[client]?.restoreName != nil else { return remove(client) }
        clients[client]?.isOrphan = true
    }

    private func restoredState(of client: ClientID) -> RestoredState {
        var state = RestoredState()
        guard let mine = clients[client] else { return state }
        for (peripheral, link) in links.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            guard link.holders.contains(client) || link.waiting.contains(client) else { continue }
            var mtu: Int?
            if case .up(let value) = link.phase { mtu = value }
            let name = names[peripheral] ?? mine.allowed[peripheral]
            state.peripherals.append((KnownPeripheral(identifier: peripheral, name: name), mtu))
        }
        state.scan = mine.scan.map { ($0.services, $0.allowDuplicates) }
        return state
    }

    /// The central manager is gone, and its connections end.
    mutating func remove(_ client: ClientID) {
        for peripheral in links.keys { release(peripheral, by: client, told: false) }
        clients[client] = nil
    }

    mutating func submit(_ request: CentralRequest, from client: ClientID) {
        guard clients[client]?.power == .on else { return }
        switch request {
        case .scan(let services, let allowDuplicates):
            clients[client]?.scan = Scan(services: services, allowDuplicates: allowDuplicates)
        case .stopScan: clients[client]?.scan = nil
        case .connect(let peripheral, let options): connect(peripheral, for: client, options)
        case .watchConnections(let filter): clients[client]?.watched = filter
        case .cancel(let peripheral): release(peripheral, by: client, told: true)
        case .gatt(let peripheral, let request): enqueue(request, of: client, to: peripheral)
        }
    }

    /// What the app may use has changed.
    mutating func setAllowed(_ allowed: [UUID: String], for app: String) {
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) where client.app == app {
            clients[id]?.allowed = allowed
            for peripheral in client.allowed.keys where allowed[peripheral] == nil {
                revoke(peripheral, from: id)
            }
            if client.power != nil { tellPower(id) }
        }
    }

    /// The person answered an app that wants all of Bluetooth.
    mutating func setPermission(_ isGiven: Bool, for app: String) {
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) where client.app == app {
            guard client.permission == .asked else { continue }
            clients[id]?.permission = isGiven ? .given : .refused
            if client.isStarted { tellPower(id) }
        }
    }

    /// Bluetooth was switched on or off.
    mutating func setPower(_ isOn: Bool) {
        isPowered = isOn
        if !isOn {
            links = links.compactMapValues { $0.afterPowerLoss }
            for id in clients.keys { clients[id]?.scan = nil }
        }
        for id in clients.keys.sorted() where clients[id]?.power != nil { tellPower(id) }
    }

    /// C1: on only with an accessory that the app may use.
    private mutating func tellPower(_ id: ClientID) {
        guard let client = clients[id], client.permission != .asked else { return }
        let isUsable = isPowered && (client.permission == .given || !client.allowed.isEmpty)
        let power: CentralEvent.Power = client.permission == .refused ? .unauthorized : isUsable ? .on : .off
        guard power != client.power else { return }
        clients[id]?.power = power
        if power != .on { clients[id]?.scan = nil }
        tell(id, .power(power))
    }

    /// A device was heard.
    mutating func heard(_ advertisement: Advertisement, from peripheral: UUID) {
        if let name = advertisement.name { names[peripheral] = name }
        var content = advertisement
        content.rssi = nil
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) {
            guard let scan = client.scan, client.mayUse(peripheral), scan.wants(advertisement) else {
                continue
            }
            guard scan.allowDuplicates || scan.told[peripheral] != content else { continue }
            clients[id]?.scan?.told[peripheral] = content
            let known = KnownPeripheral(identifier: peripheral, name: names[peripheral] ?? client.allowed[peripheral])
            tell(id, .discovered(known, advertisement))
        }
        attemptIfListening(peripheral)
    }
}

extension CentralCore.Client {
    fileprivate func restores(_ name: String, _ app: String) -> Bool { restoreName == name && self.app == app }
}

extension CentralCore {
    /// The peripherals that are connected to the phone, that the app may use, and that offer one of the services.
    func connected(offering services: Set<BluetoothUUID>, for client: ClientID) -> [KnownPeripheral] {
        guard let client = clients[client] else { return [] }
        return links.filter { $0.value.isUp && !$0.value.services.isDisjoint(with: services) }
            .keys.sorted { $0.uuidString < $1.uuidString }
            .compactMap { peripheral in
                client.allowed[peripheral].map {
                    KnownPeripheral(identifier: peripheral, name: names[peripheral] ?? $0)
                }
            }
    }

    /// A peripheral connected to the phone, or left it: those who watch for that are told.
    mutating func tellWatchers(_ peripheral: UUID, isConnected: Bool, offering services: Set<BluetoothUUID>) {
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) {
            guard let name = client.allowed[peripheral],
                client.watched?.matches(peripheral, offering: services) == true
            else { continue }
            let known = KnownPeripheral(identifier: peripheral, name: names[peripheral] ?? name)
            tell(id, .connectionChanged(known, isConnected: isConnected))
        }
    }
}

extension CentralCore.Client {
    /// Whether the app may use a peripheral (C2).
    func mayUse(_ peripheral: UUID) -> Bool { permission == .given || allowed[peripheral] != nil }
}

extension CentralCore.Scan {
    /// Whether one of the services is listed, or any will do.
    func wants(_ advertisement: Advertisement) -> Bool {
        guard let services, !services.isEmpty else { return true }
        return services.contains { advertisement.serviceUUIDs.contains($0) }
    }
}
