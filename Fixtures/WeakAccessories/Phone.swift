import CoreBluetooth
import HIL

// The phone itself, whose app is a peripheral.

/// Everybody may read the weak app's key.
package let publishedKey = Scenario(
    "An app publishes a key for those who have paired", .audits(AuditExpectations(of: .phone, shows: .number)),
    over: Build.axis
) { lab, build in
    let app = try await lab.phone.launch(KeyApp.self)
    try await lab.step("publish", within: .seconds(10)) { try await app.publish(isOpen: build == .weak) }
}

/// An app that publishes a key as long as it runs.
@MainActor
final class KeyApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        let folder = OwnersApp.bundle.resources
        return AppBundle(identifier: "com.example.keys", infoPlist: "\(folder)/Open.plist", resources: folder)
    }

    private let events = EventLog<KeyEvents.Event>()
    private let manager: CBPeripheralManager
    private let delegate: KeyEvents

    required init() async throws {
        delegate = KeyEvents(events)
        manager = CBPeripheralManager(delegate: delegate, queue: nil)
    }

    /// Publishes the key, and advertises it.
    ///
    /// - Parameter isOpen: Whether everybody may read the key.
    func publish(isOpen: Bool) async throws {
        try await events.next(.event(.on))
        let service = CBMutableService(type: CBUUID(string: "FF30"), primary: true)
        service.characteristics = [
            CBMutableCharacteristic(
                type: CBUUID(string: "FF31"), properties: .read, value: Data([1, 2, 3, 4]),
                permissions: isOpen ? .readable : .readEncryptionRequired)
        ]
        manager.add(service)
        manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
        try await events.next(.event(.advertising))
    }
}

/// What its manager tells the app.
private final class KeyEvents: NSObject, CBPeripheralManagerDelegate {
    enum Event: Sendable, Equatable { case on, advertising }

    private let events: EventLog<Event>

    init(_ events: EventLog<Event>) { self.events = events }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        if peripheral.state == .poweredOn { events.append(.on) }
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        if error == nil { events.append(.advertising) }
    }
}
