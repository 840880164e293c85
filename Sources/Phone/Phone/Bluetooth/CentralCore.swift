import Foundation
import RadioModel

/// The decisions of the phone's Bluetooth, without a radio: requests and events in, actions out.
///
/// All central managers that want a peripheral share one physical link. It ends when the last of them disconnects.
struct CentralCore {
    typealias ClientID = Int

    enum Action {
        case tell(ClientID, CentralEvent)
        /// Launch the app of a central manager, because of this event that it waits for.
        case launch(ClientID, CentralEvent)
        case run(Operation)
        /// Start or stop discovery.
        case discover(Bool)
    }

    /// An operation of the radio that takes time.
    enum Operation {
        /// Ends with ``connectEnded(_:_:)``.
        case connect(UUID)
        /// Ends with ``disconnectEnded(_:)``.
        case disconnect(UUID)
        /// Ends with ``gattEnded(_:_:)``.
        case gatt(GATTOperation)
        /// Reads the peripheral's own name, beside the requests of apps (C11). May end with ``nameRead(_:of:over:)``.
        ///
        /// - Parameter connection: The number of the peripheral's connection.
        case readName(UUID, connection: Int)
        /// Lets the peripheral pair and asks the person whether it may have the phone's notifications (C24). A failure ends
        /// with ``sharingFailed(with:over:_:)``.
        case requireSharing(UUID, connection: Int)
    }

    struct GATTOperation {
        var peripheral: UUID
        /// The number of its connection, so that a late answer does not reach the next connection.
        var connection: Int
        var client: ClientID
        var request: GATTRequest
    }

    struct Scan {
        var services: [BluetoothUUID]?
        var allowDuplicates: Bool
        var solicited: Set<BluetoothUUID>?
        /// The last advertisement that was reported for each peripheral, without signal strength.
        var told: [UUID: Advertisement] = [:]
        /// Advertisements that were heard and not reported.
        var unmatched = Unmatched<UUID, Advertisement>()
    }

    /// Whether the app may use all of Bluetooth.
    enum Permission: Sendable {
        /// The app uses AccessorySetupKit and may use only its accessories (C1).
        case notNeeded
        /// The person is being asked.
        case asked
        case given, refused
    }

    struct Client {
        var app: String
        var permission = Permission.notNeeded
        /// Whether it receives events.
        var isStarted = false
        /// The peripherals that the app may use, with their names on the phone (C2).
        var allowed: [UUID: String]
        var scan: Scan? { didSet { if scan == nil, let oldValue { lastScan = oldValue } } }
        /// The scan that has ended last.
        var lastScan: Scan?
        /// The last state that it got; nil before the first.
        var power: CentralEvent.Power?
        /// Selects the peripherals whose connections are reported to it.
        var watched: ConnectionFilter?
        /// Its restore identifier: the name under which its state outlives the app. Nil if it has none.
        var restoreName: String?
        /// Whether its app is in the background, or has ended.
        var isInBackground = false
        /// What is kept for its app, which has ended; nil as long as the app runs.
        var orphan: Orphan?
        /// What it has discovered over the present links, by peripheral, in order: restored objects contain it again.
        var discoveries: [UUID: [GATTAnswer]] = [:]
    }

    var clients: [ClientID: Client] = [:]
    var links: [UUID: Link] = [:]
    var isPowered: Bool
    /// Names heard over the air, or read from the peripheral.
    var names: [UUID: String] = [:]
    /// The peripherals whose own name was read. Their advertised names no longer count.
    var namedByThemselves: Set<UUID> = []
    /// The services that were discovered on peripherals, also on earlier links.
    var discoveredServices: [UUID: Set<BluetoothUUID>] = [:]
    /// The peripherals that are connected to the phone, whoever connected them.
    var connectedToPhone: Set<UUID> = []
    /// The services in the last advertisement of each peripheral that lists some.
    var advertisedServices: [UUID: Set<BluetoothUUID>] = [:]
    /// The peripherals that may have the phone's notifications.
    var sharing: Set<UUID> = []
    /// Whether a connection that requires this permission waits for it.
    var waitsForSharing = true
    /// How many attempts to connect to an advertising peripheral may fail before the app gets an error.
    var connectionTries: Int
    var lastConnection = 0
    /// The person's answers to apps that asked for all of Bluetooth.
    var answers: [String: Bool] = [:]
    private var isDiscovering = false
    private var actions: [Action] = []
    private var lastClient = 0

    init(isPowered: Bool, connectionTries: Int) {
        self.isPowered = isPowered
        self.connectionTries = connectionTries
    }

    /// Returns the actions since the last call, in order.
    mutating func takeActions() -> [Action] {
        let wantsDiscovery =
            isPowered && (clients.values.contains { $0.scan != nil } || links.values.contains { $0.isListening })
        if wantsDiscovery != isDiscovering {
            isDiscovering = wantsDiscovery
            actions.append(.discover(wantsDiscovery))
        }
        defer { actions = [] }
        return actions
    }

    mutating func tell(_ client: ClientID, _ event: CentralEvent) {
        guard clients[client]?.orphan == nil else { return keep(event, for: client) }
        actions.append(.tell(client, event))
    }
    mutating func launch(_ client: ClientID, because event: CentralEvent) { actions.append(.launch(client, event)) }
    mutating func run(_ operation: Operation) { actions.append(.run(operation)) }
}

// MARK: Central managers

extension CentralCore {
    /// Adds a central manager. It receives no events before it is started.
    ///
    /// - Parameters:
    ///   - restoreName: The restore identifier: if the system ends the app, the next central manager with this name takes
    ///     over the connections and the scan.
    ///   - isInBackground: Whether the app is in the background.
    mutating func add(
        app: String, permission: Permission = .notNeeded, allowed: [UUID: String], restoreName: String? = nil,
        isInBackground: Bool = false
    ) -> ClientID {
        if let restoreName,
            let orphan = clients.first(where: { $0.value.orphan != nil && $0.value.restores(restoreName, app) })
        {
            clients[orphan.key]?.isInBackground = isInBackground
            return orphan.key
        }
        lastClient += 1
        clients[lastClient] = Client(
            app: app, permission: current(permission, of: app), allowed: allowed, restoreName: restoreName,
            isInBackground: isInBackground)
        return lastClient
    }

    /// Starts the events of a central manager: first the restored connections and scan, if there are any, then its
    /// state, then the events that its app has missed.
    mutating func start(_ client: ClientID) {
        clients[client]?.isStarted = true
        guard let orphan = clients[client]?.orphan else { return tellPower(client) }
        clients[client]?.orphan = nil
        clients[client]?.power = nil
        tell(client, .restored(orphan.state))
        tellPower(client)
        guard clients[client]?.power == .on else { return }
        for event in orphan.missed { tell(client, event) }
    }

    /// Removes a central manager and ends its connections.
    mutating func remove(_ client: ClientID) {
        for peripheral in links.keys { release(peripheral, by: client, told: false) }
        clients[client] = nil
    }

    mutating func submit(_ request: CentralRequest, from client: ClientID) {
        guard clients[client]?.power == .on else { return }
        switch request {
        case .scan(let services, let allowDuplicates, let solicited):
            clients[client]?.scan = Scan(services: services, allowDuplicates: allowDuplicates, solicited: solicited)
        case .stopScan: clients[client]?.scan = nil
        case .connect(let peripheral, let options): connect(peripheral, for: client, options)
        case .watchConnections(let filter): clients[client]?.watched = filter
        case .cancel(let peripheral): release(peripheral, by: client, told: true)
        case .gatt(let peripheral, let request): enqueue(request, of: client, to: peripheral)
        }
    }

    /// Handles Bluetooth being switched on or off. Off ends all links, and the scans of apps that run.
    ///
    /// - Parameter orphans: What becomes of the central managers whose app has ended.
    mutating func setPower(_ isOn: Bool, orphans: OrphanRules = OrphanRules()) {
        isPowered = isOn
        if !isOn {
            keepOrphans(orphans)
            links = links.compactMapValues { $0.afterPowerLoss }
            connectedToPhone = []
            for id in clients.keys where clients[id]?.orphan == nil {
                clients[id]?.scan = nil
                clients[id]?.discoveries = [:]
            }
        }
        for id in clients.keys.sorted() where clients[id]?.power != nil { tellPower(id) }
        if isOn { connectOrphansAgain() }
    }

    /// Reports a changed state. With AccessorySetupKit it is on only while the app has an accessory (C1).
    mutating func tellPower(_ id: ClientID) {
        guard let client = clients[id], client.permission != .asked, client.orphan == nil else { return }
        let isUsable = isPowered && (client.permission == .given || !client.allowed.isEmpty)
        let power: CentralEvent.Power = client.permission == .refused ? .unauthorized : isUsable ? .on : .off
        guard power != client.power else { return }
        clients[id]?.power = power
        if power != .on { clients[id]?.scan = nil }
        tell(id, .power(power))
    }

    /// Keeps what an advertisement says about its peripheral.
    mutating func remember(_ advertisement: Advertisement, from peripheral: UUID) {
        if let name = advertisement.name, !namedByThemselves.contains(peripheral) { names[peripheral] = name }
        if !advertisement.serviceUUIDs.isEmpty { advertisedServices[peripheral] = Set(advertisement.serviceUUIDs) }
    }

    /// Handles an advertisement: reports it to the scans that want it, and starts a waiting attempt to connect.
    mutating func heard(_ advertisement: Advertisement, from peripheral: UUID) {
        remember(advertisement, from: peripheral)
        var content = advertisement
        content.rssi = nil
        for (id, client) in clients.sorted(by: { $0.key < $1.key }) {
            guard let scan = client.scan else { continue }
            guard client.mayUse(peripheral), scan.wants(advertisement, inBackground: client.isInBackground) else {
                if scan.told[peripheral] == nil {
                    clients[id]?.scan?.unmatched.note(advertisement, from: peripheral)
                }
                continue
            }
            guard scan.isNews(content, of: peripheral, inBackground: client.isInBackground) else { continue }
            clients[id]?.scan?.told[peripheral] = content
            clients[id]?.scan?.unmatched.forget(peripheral)
            let known = KnownPeripheral(identifier: peripheral, name: names[peripheral] ?? client.allowed[peripheral])
            tell(id, .discovered(known, advertisement))
        }
        attemptIfListening(peripheral)
    }
}

extension CentralCore.Client {
    func restores(_ name: String, _ app: String) -> Bool { restoreName == name && self.app == app }

    /// Whether the app may use a peripheral (C2).
    func mayUse(_ peripheral: UUID) -> Bool { permission == .given || allowed[peripheral] != nil }
}

extension CentralCore.Scan {
    /// Whether the advertisement lists one of the wanted services, or the scan wants any. In the background a scan has to
    /// name services (C13).
    func wants(_ advertisement: Advertisement, inBackground: Bool = false) -> Bool {
        if let solicited, solicited.isDisjoint(with: advertisement.solicitedUUIDs) { return false }
        guard let services, !services.isEmpty else { return !inBackground }
        return services.contains { advertisement.serviceUUIDs.contains($0) }
    }

    /// Whether the app has to hear of an advertisement: of each other one, or, in the background, of each peripheral once
    /// (C13).
    ///
    /// - Parameter content: The advertisement without its signal strength.
    func isNews(_ content: Advertisement, of peripheral: UUID, inBackground: Bool) -> Bool {
        if inBackground { return told[peripheral] == nil }
        return allowDuplicates || told[peripheral] != content
    }
}
