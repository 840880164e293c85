import CoreBluetooth
import HIL

/// The part of an app that gives up a connection after a while: by a timer that it starts in a callback of its manager.
final class ImpatientApp: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    // Unchecked because Core Bluetooth's objects are not Sendable, as on iOS. Only the queue uses them.
    enum Event: Sendable, Equatable {
        case asked
        /// Its timer has fired, on the main thread or not.
        case gaveUp(onMainThread: Bool)
    }

    let events = EventLog<Event>()
    private let identifier: UUID
    private let patience: TimeInterval
    private var manager: CBCentralManager?
    private var peripheral: CBPeripheral?

    /// Connects to a peripheral, and gives up after so many seconds.
    ///
    /// - Parameter queue: The queue of the manager, and so of the callback; nil is the main queue.
    init(connectingTo identifier: UUID, patience: TimeInterval, queue: DispatchQueue?) {
        (self.identifier, self.patience) = (identifier, patience)
        super.init()
        manager = CBCentralManager(delegate: self, queue: queue)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        guard let found = central.retrievePeripherals(withIdentifiers: [identifier]).first else { return }
        peripheral = found
        central.connect(found)
        // As the app in the report does: on the run loop of whatever thread this is.
        _ = Timer.scheduledTimer(withTimeInterval: patience, repeats: false) { [self] _ in
            giveUp()
            events.append(.gaveUp(onMainThread: Thread.isMainThread))
        }
        events.append(.asked)
    }

    private func giveUp() {
        if let peripheral { manager?.cancelPeripheralConnection(peripheral) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
}
