import BoardProtocol
import Foundation
import HostRadio
import RadioModel
import Synchronization

extension Phone {
    /// The Bluetooth that apps reach through CoreBluetooth.
    public var bluetooth: PhoneBluetooth { part() }
}

/// The phone's Bluetooth for apps: serves their central managers over the radio.
///
/// `CentralCore` makes the decisions; this type does the work that takes time.
public final class PhoneBluetooth: PhoneComponent {
    struct State {
        var core: CentralCore
        /// The event handlers of the started central managers.
        var handlers: [CentralCore.ClientID: @Sendable (CentralEvent) -> Void] = [:]
        /// The UUIDs of the attributes that were discovered, by their handles, for the log.
        var attributeNames: [UUID: [UInt16: BluetoothUUID]] = [:]
        var lastRequest = 0
        var openRequests: [OpenRequest] = []
        /// The open questions whether an app may use Bluetooth, by the app's bundle identifier.
        var questions: [String: Task<Void, Never>] = [:]
        /// The alert that Bluetooth is off.
        var powerAlert: Task<Void, Never>?
        /// Why Bluetooth goes off next; decides which apps that have ended are still launched (L3).
        var powerLoss = RelaunchCondition.bluetoothToggled
        /// The last start or stop of discovery; the next one waits for it.
        var discovery: Task<Void, Never>?
    }

    unowned let phone: Phone
    let state: Mutex<State>
    /// The central managers that belong to extensions.
    let hosted = HostedClients()

    package init(phone: Phone) {
        self.phone = phone
        var core = CentralCore(isPowered: phone.bluetoothIsOn, connectionTries: phone.policy.connectionTries)
        // A picker may have heard peripherals before the first central manager was made.
        for case .radio(.advertisement(let heard)) in phone.log.events.map(\.kind) {
            core.remember(heard, from: phone.identifiers.identifier(of: heard.address))
        }
        state = Mutex(State(core: core))
    }

    /// Whether this run of the app has made a central manager (M3).
    package func hasCentral(_ app: RunningApp) -> Bool {
        app.hasMadeCentral
    }

    /// Makes a central manager for the running app.
    ///
    /// - Parameter restoreName: The restore identifier: if the system ends the app, the next central manager with this
    ///   name takes over the connections and the scan.
    package func makeClient(restoreName: String? = nil) -> CentralClient {
        guard let app = phone.app else {
            AppCrash.crash("hil", "a CBCentralManager was made with no app running: launch the app on the phone first")
        }
        let permission = permission(of: app)
        if restoreName != nil { requireBackgroundMode(.central, of: app) }
        phone.record(.app(app.bundle.identifier, "made a CBCentralManager"))
        let allowed = allowed(to: app.bundle.identifier)
        app.noteCentral()
        let id = state.withLock { state in
            state.core.add(
                app: app.bundle.identifier, permission: permission, allowed: allowed, restoreName: restoreName,
                isInBackground: !app.isInForeground && Phone.host == nil)
        }
        if permission == .asked { askForBluetooth(app) }
        hosted.add(id, for: Phone.host?.accessory)
        return CentralClient(id: id, app: app, phone: phone, bluetooth: self)
    }

    /// Whether the app needs the person's permission, and whether it has it.
    ///
    /// Crashes the app if its Info.plist lacks the reason for the person to read (C1).
    func permission(of app: RunningApp) -> CentralCore.Permission {
        if app.propertyList.supports.contains(.bluetooth) { return .notNeeded }
        guard app.propertyList.bluetoothUsage != nil else {
            AppCrash.crash(
                "C1",
                "the app made a CBCentralManager but declares neither Bluetooth under NSAccessorySetupSupports nor "
                    + "NSBluetoothAlwaysUsageDescription: add one of them to the Info.plist")
        }
        return phone.store.mayUseBluetooth(app.bundle.identifier).map { $0 ? .given : .refused } ?? .asked
    }

    /// Whether the running app may use Bluetooth at all; nil until the person has answered.
    package var isAllowed: Bool? {
        guard let app = phone.app, !app.propertyList.supports.contains(.bluetooth) else { return true }
        return phone.store.mayUseBluetooth(app.bundle.identifier)
    }

    /// Whether an app may use Bluetooth at all; nil until the person has answered.
    func isAllowed(_ app: RunningApp) -> Bool? {
        app.propertyList.supports.contains(.bluetooth) || phone.store.mayUseBluetooth(app.bundle.identifier) ?? false
            ? true : phone.store.mayUseBluetooth(app.bundle.identifier)
    }

    /// Asks the person, if the app needs the permission and does not have an answer yet.
    func askForPermission(of app: RunningApp) { if permission(of: app) == .asked { askForBluetooth(app) } }

    private func askForBluetooth(_ app: RunningApp) {
        let identifier = app.bundle.identifier
        let screen = Screen(
            .bluetoothPermission, title: "“\(app.name)” Would Like to Use Bluetooth",
            lines: [app.propertyList.bluetoothUsage].compactMap(\.self), controls: [.deny, .allow], willing: .allow)
        state.withLock { state in
            // An answer is kept before its question ends.
            guard state.questions[identifier] == nil, phone.store.mayUseBluetooth(identifier) == nil else { return }
            state.questions[identifier] = Task { [phone] in
                if let answer = try? await phone.display.ask(screen) { set(answer == .allow, for: identifier) }
                self.state.withLock { $0.questions[identifier] = nil }
            }
        }
    }

    /// The person's choice whether an app without AccessorySetupKit may use all of Bluetooth.
    func set(_ isAllowed: Bool, for app: String) {
        phone.store.setMayUseBluetooth(isAllowed, for: app)
        step { $0.setPermission(isAllowed, for: app) }
        phone.part(PhonePeripheral.self).authorizationsChanged(of: app)
    }

    /// If Bluetooth is off, shows the alert that the running app needs it. The alert closes when Bluetooth is on.
    package func warnIfOff() {
        guard let app = phone.app, !phone.bluetoothIsOn else { return }
        let alert = Screen(
            .bluetoothIsOff,
            title: "Turn On Bluetooth to Allow “\(app.name)” to Connect to Accessories", controls: [.done],
            willing: .done)
        let question = Task { [phone] in _ = try? await phone.display.ask(alert) }
        let before = state.withLock { state in
            defer { state.powerAlert = question }
            return state.powerAlert
        }
        before?.cancel()
    }

    // MARK: From the phone

    package func receive(_ event: RadioEvent) {
        let identifiers = phone.identifiers
        switch event {
        case .advertisement(let advertisement):
            step { $0.heard(advertisement, from: identifiers.identifier(of: advertisement.address)) }
        case .bluetoothPower(let isOn):
            if isOn { state.withLock { $0.powerAlert }?.cancel() }
            let orphans = orphanRules(whenOn: isOn)
            step { $0.setPower(isOn, orphans: orphans) }
        case .disconnected(let device, let reason):
            step { $0.disconnected(identifiers.identifier(of: device), CentralFailure(linkEndedBecause: reason)) }
        case .requestFailed(let device, let reason):
            step { $0.requestFailed(on: identifiers.identifier(of: device), because: reason) }
        case .valueChanged(let device, let characteristic, let value):
            step { $0.notified(characteristic, value, by: identifiers.identifier(of: device)) }
        case .servicesChanged(let device):
            let peripheral = identifiers.identifier(of: device)
            state.withLock { $0.attributeNames[peripheral] = nil }
            step { $0.servicesChanged(of: peripheral) }
        case .mtuChanged(let device, let mtu):
            step { $0.mtuChanged(of: identifiers.identifier(of: device), to: mtu) }
        case .connected(let device): step { $0.linkIsUp(identifiers.identifier(of: device)) }
        case .parametersRequested(let device, let parameters): judge(parameters, of: device, on: phone)
        case .askPairing, .confirmPasskey, .enterPasskey, .showPasskey: break  // PairingPrompts has them.
        case .bonded, .pairedOnce, .pairingFailed, .addressChanged, .noticed, .wifiLost, .wifiPower, .wifiAware: break
        }
    }

    package func authorizationsChanged(of app: String) {
        let allowed = allowed(to: app)
        step { $0.setAllowed(allowed, for: app) }
    }

    package func ended(_ app: RunningApp) {
        state.withLock { $0.questions[app.bundle.identifier] }?.cancel()
        state.withLock { $0.powerAlert }?.cancel()
        let clients = state.withLock { state in
            let clients = state.core.clients.filter { $0.value.app == app.bundle.identifier }.keys
            for client in clients { state.handlers[client] = nil }
            return Array(clients)
        }
        let isKept = keepsCentrals(of: app)
        let limit = phone.policy.launches.keptEvents
        step { core in
            for client in clients { if isKept { core.orphan(client, keeping: limit) } else { core.remove(client) } }
        }
        for client in clients { hosted.remove(client) }
    }

    // MARK: From central managers

    func start(_ client: CentralCore.ClientID, _ tell: @escaping @Sendable (CentralEvent) -> Void) {
        state.withLock { $0.handlers[client] = tell }
        step { $0.start(client) }
    }

    func stop(_ client: CentralCore.ClientID) {
        state.withLock { $0.handlers[client] = nil }
        step { $0.remove(client) }
        hosted.remove(client)
    }

    /// The process of a central manager's extension has ended. With a restore identifier, its connections stay for the
    /// next process.
    func hostEnded(_ client: CentralCore.ClientID) {
        state.withLock { $0.handlers[client] = nil }
        step { $0.orphan(client) }
        hosted.remove(client)
    }

    func isStarted(_ client: CentralCore.ClientID) -> Bool { state.withLock { $0.handlers[client] != nil } }

    func submit(_ request: CentralRequest, from client: CentralCore.ClientID) {
        let waitsForSharing = phone.policy.ancsConnection == .whenAuthorized
        step { core in
            core.waitsForSharing = waitsForSharing
            core.submit(request, from: client)
        }
    }

    /// The Bluetooth accessories that the app may use, with their names on the phone (C2).
    func allowed(to app: String) -> [UUID: String] {
        let pairs = phone.store.usableAccessories(of: app).compactMap { record in
            record.bluetoothIdentifier.map { ($0, record.displayName) }
        }
        return Dictionary(pairs) { _, last in last }
    }

    func connected(offering services: Set<BluetoothUUID>, for client: CentralCore.ClientID) -> [KnownPeripheral] {
        state.withLock { $0.core.connected(offering: services, for: client) }
    }

    package var nearMisses: [NearMiss] {
        state.withLock { $0.core.nearMisses { phone.identifiers.identifier(of: $0) } }
    }

    func heardName(of peripheral: UUID) -> String? { state.withLock { $0.core.names[peripheral] } }

    /// The person lets a peripheral have the phone's notifications, or does so no longer.
    func sharingChanged(_ isOn: Bool, with peripheral: UUID) { step { $0.setSharing(isOn, with: peripheral) } }

    // MARK: Work that takes time

    /// Changes the core and carries out the actions that it decides.
    func step(_ body: (inout CentralCore) -> Void) {
        let launches = state.withLock { state in
            var launches: [(app: String, event: CentralEvent)] = []
            body(&state.core)
            for action in state.core.takeActions() {
                switch action {
                // Called inside the lock, so that events arrive in the order of the decisions.
                case .tell(let client, let event): state.handlers[client]?(event)
                case .launch(let client, let event):
                    if let app = state.core.clients[client]?.app { launches.append((app, event)) }
                case .run(let operation):
                    Task { [phone] in await self.run(operation, on: phone) }
                case .discover(let isOn):
                    state.discovery = Task { [phone, previous = state.discovery] in
                        await previous?.value
                        await self.discover(isOn, on: phone)
                    }
                }
            }
            return launches
        }
        for (app, event) in launches { phone.part(BackgroundLaunches.self).want(app, because: words(for: event)) }
    }

    private func discover(_ isOn: Bool, on phone: Phone) async {
        do {
            if isOn { try await phone.discovery.start() } else { try await phone.discovery.stop() }
        } catch {
            phone.note(error, during: isOn ? "starting discovery" : "stopping discovery", by: "Bluetooth")
        }
    }

    private func run(_ operation: CentralCore.Operation, on phone: Phone) async {
        switch operation {
        case .connect(let peripheral):
            let result = await connect(peripheral, on: phone)
            step { $0.connectEnded(peripheral, result) }
        case .disconnect(let peripheral):
            let result = await attempt("disconnecting", on: phone) {
                try await phone.radio.disconnect(address(of: peripheral, on: phone))
            }
            step { $0.disconnectEnded(peripheral, result) }
        case .gatt(let operation):
            let answer = await perform(operation, on: phone)
            if case .services = answer, let mtu = await mtu(of: operation.peripheral, on: phone) {
                step { $0.mtuChanged(of: operation.peripheral, to: mtu) }
            }
            step { $0.gattEnded(operation, answer) }
        case .readName(let peripheral, let connection):
            guard let name = await readName(of: peripheral, on: phone) else { return }
            step { $0.nameRead(name, of: peripheral, over: connection) }
        case .requireSharing(let peripheral, let connection):
            let result = await attempt("pairing for Apple Notification Center Service", on: phone) {
                try await phone.part(PhonePeripheral.self).requireSharing(with: address(of: peripheral, on: phone))
            }
            guard case .failure(let failure) = result else { return }
            step { $0.sharingFailed(with: peripheral, over: connection, failure) }
        }
    }

    /// Notes that a request is under way: in words, and with the handle of its attribute.
    func begin(_ what: String, _ handle: UInt16? = nil) -> OpenRequest {
        state.withLock { state in
            state.lastRequest += 1
            let request = OpenRequest(number: state.lastRequest, what: what, handle: handle, began: .now)
            state.openRequests.append(request)
            return request
        }
    }

    func end(_ request: OpenRequest) {
        state.withLock { $0.openRequests.removeAll { $0.number == request.number } }
    }

    var openRequests: [OpenRequest] { state.withLock { $0.openRequests } }

    /// Remembers which UUID belongs to each handle.
    func name(_ attributes: [(handle: UInt16, uuid: BluetoothUUID)], of peripheral: UUID) {
        state.withLock { state in
            for (handle, uuid) in attributes { state.attributeNames[peripheral, default: [:]][handle] = uuid }
        }
    }

    func attributeName(_ handle: UInt16, of peripheral: UUID) -> BluetoothUUID? {
        state.withLock { $0.attributeNames[peripheral]?[handle] }
    }
}
