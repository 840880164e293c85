import Dispatch
import Foundation
import HILFoundation
import HILPhone
import RadioModel

/// Scans for peripherals, connects to them, and reports how their connections change.
///
/// An app with AccessorySetupKit sees only the accessories that it was authorised for.
open class CBCentralManager: CBManager {
    // The delegate is called only on the given queue, and a lock guards everything that changes.
    private let queue: DispatchQueue
    let client: CentralClient
    let observers = PropertyObservers()
    private let lock = NSLock()
    private weak var currentDelegate: (any CBCentralManagerDelegate)?
    private var peripherals: [UUID: WeakPeripheral] = [:]
    private var scanning = false

    private struct WeakPeripheral {
        weak var peripheral: CBPeripheral?
    }

    /// Optional features of a phone. Raw values: CoreBluetooth, `CBCentralManager.h`.
    public struct Feature: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Scanning and connecting at the same time with extended advertisements.
        public static let extendedScanAndConnect = Feature(rawValue: 1 << 0)
    }

    /// Whether this phone supports all of these. This phone's radio supports none of them.
    public class func supports(_ features: Feature) -> Bool { features.isEmpty }

    /// Makes a manager without a delegate, on the main queue.
    public convenience override init() {
        self.init(delegate: nil, queue: nil)
    }

    /// Makes a manager that calls `delegate` on `queue`; nil is the main queue.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// Makes a manager that calls `delegate` on `queue`; nil is the main queue.
    ///
    /// - Parameter options: ``CBCentralManagerOptionShowPowerAlertKey`` and
    ///   ``CBCentralManagerOptionRestoreIdentifierKey``. Any other option ends the app, so that no option is ignored
    ///   without notice.
    public init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]?) {
        let options = CentralOptions(options, of: "CBCentralManager", known: CentralOptions.ofManager)
        self.queue = queue ?? .main
        currentDelegate = delegate
        let phone = Phone.current
        if options.flag(CBCentralManagerOptionShowPowerAlertKey) { phone.bluetooth.warnIfOff() }
        client = phone.bluetooth.makeClient(restoreName: options.text(CBCentralManagerOptionRestoreIdentifierKey))
        super.init()
        let reference = WeakManager(self)
        client.start { [client, queue = self.queue] event in
            client.deliver(on: queue, isOfPeripheral: event.isOfPeripheral) { reference.manager?.handle(event) }
        }
    }

    deinit { client.stop() }

    /// Receives the manager's events. The manager does not retain it.
    public var delegate: (any CBCentralManagerDelegate)? {
        get { lock.withLock { currentDelegate } }
        set { lock.withLock { currentDelegate = newValue } }
    }

    /// Whether a scan is running.
    public var isScanning: Bool {
        ReadTrace.note(observers, \CBCentralManager.isScanning)
        return lock.withLock { scanning }
    }

    /// Scans for peripherals that advertise one of the services; nil is any service.
    ///
    /// The scan reports only peripherals that the app is authorised for.
    public func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard requirePower("scan") else { return }
        let allowDuplicates =
            (options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? NSNumber)?.boolValue
            ?? (options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool) ?? false
        let solicited = options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] as? [CBUUID]
        setScanning(true)
        client.submit(
            .scan(
                services: serviceUUIDs?.map(\.value), allowDuplicates: allowDuplicates,
                soliciting: solicited.map { Set($0.map(\.value)) }))
    }

    /// Stops the scan; the delegate gets no discoveries afterwards.
    public func stopScan() {
        guard requirePower("stop scanning") else { return }
        setScanning(false)
        client.submit(.stopScan)
    }

    private func setScanning(_ isScanning: Bool) {
        observers.change(\CBCentralManager.isScanning, from: self.isScanning, to: isScanning) {
            lock.withLock { scanning = isScanning }
        }
    }

    /// The peripherals with these identifiers. The app must be authorised for each of them.
    ///
    /// An identifier that the app is not authorised for ends the app, as on iOS. Before the state is `poweredOn`, the
    /// result is empty.
    public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard requirePower("retrieve peripherals") else { return [] }
        return client.retrieve(identifiers).map(peripheral)
    }

    /// The peripherals that any app has connected to the phone and that offer one of the services.
    ///
    /// Only peripherals that the app is authorised for are included. The app must connect before it can use one.
    public func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard requirePower("retrieve connected peripherals") else { return [] }
        return client.connected(offering: Set(serviceUUIDs.map(\.value))).map(peripheral)
    }

    /// Asks for an event when a peripheral connects to the phone or disconnects from it, whichever app connected it.
    ///
    /// - Parameter options: Which peripherals the events are about; nil is all that the app is authorised for.
    public func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        guard requirePower("register for connection events") else { return }
        let services = options?[.serviceUUIDs] as? [CBUUID]
        client.submit(
            .watchConnections(
                ConnectionFilter(
                    peripherals: (options?[.peripheralUUIDs] as? [UUID]).map { Set($0) },
                    services: services.map { Set($0.map(\.value)) })))
    }

    /// Connects to a peripheral. The attempt never times out. The app must keep a reference to the peripheral.
    ///
    /// - Parameter options: ``CBConnectPeripheralOptionEnableAutoReconnect`` and the options for a suspended app. Any
    ///   other option ends the app, so that no option is ignored without notice.
    public func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard requirePower("connect") else { return }
        let options = CentralOptions(options, of: "connect(_:options:)", known: CentralOptions.ofConnection)
        var wanted = ConnectionOptions()
        wanted.reconnects = options.flag(CBConnectPeripheralOptionEnableAutoReconnect)
        wanted.requiresSharing = options.flag(CBConnectPeripheralOptionRequiresANCS)
        guard !wanted.requiresSharing || client.hasNotificationService else {
            client.misuse(
                "this phone has no Apple Notification Center Service, which a connection requires: give it a personality, "
                    + "such as lab.phone.personality = .iPhone16")
            let (reference, identifier) = (WeakManager(self), peripheral.identifier)
            return client.deliver(on: queue) {
                guard let manager = reference.manager, let peripheral = manager.existingPeripheral(identifier) else {
                    return
                }
                manager.delegate?.centralManager(
                    manager, didFailToConnect: peripheral, error: CBError(.operationNotSupported))
            }
        }
        if peripheral.state == .disconnected { peripheral.setState(.connecting) }
        let identifier = peripheral.identifier
        guard let delay = options.number(CBConnectPeripheralOptionStartDelayKey), delay > 0 else {
            return client.submit(.connect(identifier, wanted))
        }
        let reference = WeakManager(self)
        client.submit(.connect(identifier, wanted), after: .seconds(delay)) {
            reference.manager?.existingPeripheral(identifier)?.state == .connecting
        }
    }

    /// Disconnects from a peripheral, or cancels the attempt to connect.
    public func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard requirePower("cancel a connection") else { return }
        guard peripheral.state != .disconnected else { return }
        peripheral.setState(.disconnecting)
        client.submit(.cancel(peripheral.identifier))
    }

    private func requirePower(_ action: String) -> Bool {
        guard state == .poweredOn else {
            client.misuse("CBCentralManager can only \(action) while in the powered on state; it is \(state)")
            return false
        }
        return true
    }
}

/// A weak reference to a manager, followed only on the manager's queue: Bluetooth must never hold the last reference.
private final class WeakManager: @unchecked Sendable {
    // Unchecked because a weak variable becomes nil by itself. It is written once.
    private(set) weak var manager: CBCentralManager?

    init(_ manager: CBCentralManager) { self.manager = manager }
}

extension CBCentralManager {
    /// The object for a peripheral. There is only one as long as the app keeps it.
    private func peripheral(_ known: KnownPeripheral) -> CBPeripheral {
        lock.withLock {
            if let peripheral = peripherals[known.identifier]?.peripheral { return peripheral }
            let peripheral = CBPeripheral(known, client: client)
            peripherals[known.identifier] = WeakPeripheral(peripheral: peripheral)
            return peripheral
        }
    }

    fileprivate func existingPeripheral(_ identifier: UUID) -> CBPeripheral? {
        lock.withLock { peripherals[identifier]?.peripheral }
    }

    fileprivate func handle(_ event: CentralEvent) {
        switch event {
        case .power(let power): handle(power)
        case .restored(let state): restore(state)
        case .connectionChanged(let known, let isConnected):
            delegate?.centralManager(
                self, connectionEventDidOccur: isConnected ? .peerConnected : .peerDisconnected,
                for: peripheral(known))
        case .discovered(let known, let advertisement):
            guard isScanning else { return }
            let peripheral = peripheral(known)
            if let name = known.name { rename(peripheral, name) }
            delegate?.centralManager(
                self, didDiscover: peripheral, advertisementData: advertisement.dictionary,
                rssi: NSNumber(value: advertisement.rssi ?? 127))
        case .renamed(let identifier, let name):
            if let peripheral = existingPeripheral(identifier) { rename(peripheral, name) }
        case .connected(let identifier, let mtu):
            guard let peripheral = existingPeripheral(identifier) else { return }
            peripheral.didConnect(mtu: mtu)
            delegate?.centralManager(self, didConnect: peripheral)
        case .sharingChanged(let identifier):
            guard let peripheral = existingPeripheral(identifier) else { return }
            delegate?.centralManager(self, didUpdateANCSAuthorizationFor: peripheral)
        case .mtuChanged(let identifier, let mtu): existingPeripheral(identifier)?.mtuChanged(to: mtu)
        case .failedToConnect(let identifier, let failure):
            guard let peripheral = existingPeripheral(identifier) else { return }
            peripheral.didDisconnect()
            delegate?.centralManager(self, didFailToConnect: peripheral, error: failure.asError)
        case .disconnected(let identifier, let failure, let isReconnecting):
            guard let peripheral = existingPeripheral(identifier) else { return }
            peripheral.didDisconnect()
            if isReconnecting { peripheral.setState(.connecting) }
            delegate?.centralManager(
                self, didDisconnectPeripheral: peripheral, timestamp: CFAbsoluteTimeGetCurrent(),
                isReconnecting: isReconnecting, error: failure?.asError)
        case .gatt(let identifier, let answer):
            guard let peripheral = existingPeripheral(identifier), peripheral.state == .connected else { return }
            peripheral.handle(answer)
        }
    }

    private func rename(_ peripheral: CBPeripheral, _ name: String) {
        guard peripheral.setName(name), peripheral.state == .connected else { return }
        peripheral.delegate?.peripheralDidUpdateName(peripheral)
    }

    private func restore(_ restored: RestoredState) {
        let found = restored.peripherals.map { old in
            let peripheral = peripheral(old.peripheral)
            peripheral.restore(old)
            return peripheral
        }
        var dictionary: [String: Any] = [CBCentralManagerRestoredStatePeripheralsKey: found]
        if let allowsDuplicates = restored.scanAllowsDuplicates {
            setScanning(true)
            dictionary[CBCentralManagerRestoredStateScanServicesKey] = (restored.scannedServices ?? []).map {
                CBUUID($0)
            }
            dictionary[CBCentralManagerRestoredStateScanOptionsKey] = [
                CBCentralManagerScanOptionAllowDuplicatesKey: allowsDuplicates
            ]
        }
        delegate?.centralManager(self, willRestoreState: dictionary)
    }

    private func handle(_ power: CentralEvent.Power) {
        if power != .on {
            // As Apple documents: all connections end and the scan stops, without a callback for each.
            if isScanning { setScanning(false) }
            let all = lock.withLock { peripherals.values.compactMap(\.peripheral) }
            for peripheral in all { peripheral.didDisconnect() }
        }
        state = CBManagerState(power)
        delegate?.centralManagerDidUpdateState(self)
    }
}
