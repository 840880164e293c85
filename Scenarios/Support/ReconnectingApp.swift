import CoreBluetooth
import HIL

/// The part of an app that connects again whenever its link is lost: at once, or after a pause.
final class ReconnectingApp: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
    // Unchecked because Core Bluetooth's objects are not Sendable, as on iOS. The queue is the main one, as is the scenario.
    enum Event: Sendable, Equatable {
        case on, connected, disconnected
        /// It has asked to be connected again.
        case asked
    }

    let events = EventLog<Event>()
    private let pause: Duration?
    private var manager: CBCentralManager?
    private var peripheral: CBPeripheral?

    /// - Parameter pause: How long it waits before it connects again; nil to do it at once.
    init(pause: Duration?) {
        self.pause = pause
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    @MainActor
    func connect(_ identifier: UUID) async throws {
        try await events.next(.event(.on))
        peripheral = manager?.retrievePeripherals(withIdentifiers: [identifier]).first
        connectNow()
        try await events.next(.event(.connected))
    }

    private func connectNow() {
        if let peripheral { manager?.connect(peripheral) }
        events.append(.asked)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { events.append(.on) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { events.append(.connected) }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        events.append(.disconnected)
        guard let pause else { return connectNow() }
        // As the app in the report does.
        DispatchQueue.main.asyncAfter(deadline: .now() + pause.seconds) { self.connectNow() }
    }
}
