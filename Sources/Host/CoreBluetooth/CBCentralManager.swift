import Dispatch
import Foundation
import Phone
import RadioModel

/// Scans for, connects to and looks after peripherals.
///
/// An app with AccessorySetupKit sees here the accessories that it was authorised for, and no others.
open class CBCentralManager: CBManager, @unchecked Sendable {
    // Unchecked because delegates are not Sendable, as Apple's are not: the delegate is called on the given queue only, and
    // everything that changes is guarded by a lock.
    private let queue: DispatchQueue
    private let client: CentralClient
    private let lock = NSLock()
    private weak var currentDelegate: (any CBCentralManagerDelegate)?
    private var peripherals: [UUID: WeakPeripheral] = [:]
    private var scanning = false

    private struct WeakPeripheral {
        weak var peripheral: CBPeripheral?
    }

    /// A manager without a delegate on the main queue.
    public convenience override init() {
        self.init(delegate: nil, queue: nil)
    }

    /// A manager that calls `delegate` on `queue`, or on the main queue.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// A manager that calls `delegate` on `queue`, or on the main queue.
    ///
    /// - Parameter options: ``CBCentralManagerOptionShowPowerAlertKey``, ``CBCentralManagerOptionRestoreIdentifierKey``; any
    ///   other ends the app, so that none is silently ignored.
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
            client.deliver(on: queue) { reference.manager?.handle(event) }
        }
    }

    deinit { client.stop() }

    /// Hears what happens. Not retained.
    public var delegate: (any CBCentralManagerDelegate)? {
        get { lock.withLock { currentDelegate } }
        set { lock.withLock { currentDelegate = newValue } }
    }

    /// Whether a scan is going on.
    public var isScanning: Bool { lock.withLock { scanning } }

    /// Scans for peripherals that advertise one of the services, or any.
    ///
    /// Of all that advertise, those are reported that the app is authorised for.
    public func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard requirePower("scan") else { return }
        let allowDuplicates =
            (options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? NSNumber)?.boolValue
            ?? (options?[CBCentralManagerScanOptionAllowDuplicatesKey] as? Bool) ?? false
        lock.withLock { scanning = true }
        client.submit(.scan(services: serviceUUIDs?.map(\.value), allowDuplicates: allowDuplicates))
    }

    /// Ends the scan.
    public func stopScan() {
        guard requirePower("stop scanning") else { return }
        lock.withLock { scanning = false }
        client.submit(.stopScan)
    }

    /// The authorised peripherals with these identifiers.
    ///
    /// An identifier that the app is not authorised for ends the app, as on iOS. Before the state is `poweredOn` the answer
    /// is empty.
    public func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard requirePower("retrieve peripherals") else { return [] }
        return client.retrieve(identifiers).map(peripheral)
    }

    /// The peripherals that are connected to the phone, by whichever app, and offer one of the services, of those that the
    /// app is authorised for. To use one, connect to it.
    public func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard requirePower("retrieve connected peripherals") else { return [] }
        return client.connected(offering: Set(serviceUUIDs.map(\.value))).map(peripheral)
    }

    /// Has the delegate told when peripherals connect to the phone or leave it, by whichever app; nil for any.
    public func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        guard requirePower("register for connection events") else { return }
        let services = options?[.serviceUUIDs] as? [CBUUID]
        client.submit(
            .watchConnections(
                ConnectionFilter(
                    peripherals: (options?[.peripheralUUIDs] as? [UUID]).map { Set($0) },
                    services: services.map { Set($0.map(\.value)) })))
    }

    /// Connects; this never times out. The app must keep a reference to the peripheral.
    ///
    /// - Parameter options: ``CBConnectPeripheralOptionEnableAutoReconnect`` and those about a suspended app; any other ends the
    ///   app, so that none is silently ignored.
    public func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        guard requirePower("connect") else { return }
        let options = CentralOptions(options, of: "connect(_:options:)", known: CentralOptions.ofConnection)
        var wanted = ConnectionOptions()
        wanted.reconnects = options.flag(CBConnectPeripheralOptionEnableAutoReconnect)
        if peripheral.state == .disconnected { peripheral.setState(.connecting) }
        client.submit(.connect(peripheral.identifier, wanted))
    }

    /// Ends a connection, or an attempt at one.
    public func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard requirePower("cancel a connection") else { return }
        guard peripheral.state != .disconnected else { return }
        peripheral.setState(.disconnecting)
        client.submit(.cancel(peripheral.identifier))
    }

    private func requirePower(_ what: String) -> Bool {
        guard state == .poweredOn else {
            client.misuse("CBCentralManager can only \(what) while in the powered on state; it is \(state)")
            return false
        }
        return true
    }
}

/// Reaches a manager on its queue only: Bluetooth must never hold its last reference.
private final class WeakManager: @unchecked Sendable {
    // Unchecked because a weak variable changes by itself; it is written once.
    private(set) weak var manager: CBCentralManager?

    init(_ manager: CBCentralManager) { self.manager = manager }
}

extension CBCentralManager {
    /// The one object for a peripheral, for as long as the app keeps it.
    private func peripheral(_ known: KnownPeripheral) -> CBPeripheral {
        lock.withLock {
            if let peripheral = peripherals[known.identifier]?.peripheral { return peripheral }
            let peripheral = CBPeripheral(known, client: client)
            peripherals[known.identifier] = WeakPeripheral(peripheral: peripheral)
            return peripheral
        }
    }

    private func kept(_ identifier: UUID) -> CBPeripheral? {
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
            if let name = advertisement.name, peripheral.setName(name), peripheral.state == .connected {
                peripheral.delegate?.peripheralDidUpdateName(peripheral)
            }
            delegate?.centralManager(
                self, didDiscover: peripheral, advertisementData: advertisement.dictionary,
                rssi: NSNumber(value: advertisement.rssi ?? 127))
        case .connected(let identifier, let mtu):
            guard let peripheral = kept(identifier) else { return }
            peripheral.didConnect(mtu: mtu)
            delegate?.centralManager(self, didConnect: peripheral)
        case .failedToConnect(let identifier, let failure):
            guard let peripheral = kept(identifier) else { return }
            peripheral.didDisconnect()
            delegate?.centralManager(self, didFailToConnect: peripheral, error: failure.asError)
        case .disconnected(let identifier, let failure, let isReconnecting):
            guard let peripheral = kept(identifier) else { return }
            peripheral.didDisconnect()
            if isReconnecting { peripheral.setState(.connecting) }
            delegate?.centralManager(
                self, didDisconnectPeripheral: peripheral, timestamp: CFAbsoluteTimeGetCurrent(),
                isReconnecting: isReconnecting, error: failure?.asError)
        case .gatt(let identifier, let answer):
            guard let peripheral = kept(identifier), peripheral.state == .connected else { return }
            peripheral.handle(answer)
        }
    }

    private func restore(_ restored: RestoredState) {
        let found = restored.peripherals.map { known, mtu in
            let peripheral = peripheral(known)
            if let mtu { peripheral.didConnect(mtu: mtu) } else { peripheral.setState(.connecting) }
            return peripheral
        }
        var dictionary: [String: Any] = [CBCentralManagerRestoredStatePeripheralsKey: found]
        if let scan = restored.scan {
            lock.withLock { scanning = true }
            dictionary[CBCentralManagerRestoredStateScanServicesKey] = (scan.services ?? []).map { CBUUID($0) }
            dictionary[CBCentralManagerRestoredStateScanOptionsKey] = [
                CBCentralManagerScanOptionAllowDuplicatesKey: scan.allowDuplicates
            ]
        }
        delegate?.centralManager(self, willRestoreState: dictionary)
    }

    private func handle(_ power: CentralEvent.Power) {
        if power != .on {
            // Documented: the connections have ended and the scan has stopped; no callback tells of each.
            let all = lock.withLock {
                scanning = false
                return peripherals.values.compactMap(\.peripheral)
            }
            for peripheral in all { peripheral.didDisconnect() }
        }
        state = CBManagerState(power)
        delegate?.centralManagerDidUpdateState(self)
    }
}
