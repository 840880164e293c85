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

    struct Client {
        var app: String
        /// What the app may use, with the names on the phone (C2).
        var allowed: [UUID: String]
        var scan: Scan?
        var power: CentralEvent.Power?
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
    mutating func add(app: String, allowed: [UUID: String]) -> ClientID {
        lastClient += 1
        clients[lastClient] = Client(app: app, allowed: allowed)
        return lastClient
    }

    /// The central manager hears from now on; the first thing is its state.
    mutating func start(_ client: ClientID) { tellPower(client) }

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
        case .connect(let peripheral): connect(peripheral, for: client)
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
        guard let client = clients[id] else { return }
        let power: CentralEvent.Power = isPowered && !client.allowed.isEmpty ? .on : .off
        guard power != client.power else { return }
        clients[id]?.power = power
        if power == .off { clients[id]?.scan = nil }
        tell(id, .power(power))
    }

    /// A device was heard.
    mutating func heard(_ advertisement: Advertisement, from peripheral: UUID) {
        if let name = advertisement.name { names[peripheral] = name }
        var content = advertisement
        content.rssi = nil
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) {
            guard let scan = client.scan, let name = client.allowed[peripheral], scan.wants(advertisement) else {
                continue
            }
            guard scan.allowDuplicates || scan.told[peripheral] != content else { continue }
            clients[id]?.scan?.told[peripheral] = content
            let known = KnownPeripheral(identifier: peripheral, name: names[peripheral] ?? name)
            tell(id, .discovered(known, advertisement))
        }
        attemptIfListening(peripheral)
    }
}

extension CentralCore.Scan {
    /// Whether one of the services is listed, or any will do.
    func wants(_ advertisement: Advertisement) -> Bool {
        guard let services, !services.isEmpty else { return true }
        return services.contains { advertisement.serviceUUIDs.contains($0) }
    }
}
