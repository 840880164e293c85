// The app of the article “Your product's story”, which ArticleTests compares.

import AccessorySetupKit
import CoreBluetooth
import HIL
import HILURLLoading
import Network

/// The app of the door lock.
@MainActor
final class LockApp {
    private let session = ASAccessorySession()
    private let link = LockLink()
    private var added: ASAccessory?

    init() async throws {
        await withCheckedContinuation { activated in
            session.activate(on: .main) { [weak self] event in
                MainActor.assumeIsolated {
                    if event.eventType == .activated { activated.resume() }
                    if event.eventType == .accessoryAdded { self?.added = event.accessory }
                }
            }
        }
    }

    /// Shows the picker, which pairs, and returns the lock that the person chose.
    func add() async throws -> ASAccessory {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = LockService.uuid
        descriptor.supportedOptions = .bluetoothPairingLE
        guard let picture = UIImage(named: "lock") else { throw LockError.missing("the picture of the lock") }
        try await session.showPicker(
            for: [ASPickerDisplayItem(name: "Door Lock", productImage: picture, descriptor: descriptor)])
        guard let added else { throw LockError.missing("the lock that was picked") }
        return added
    }
}

/// What the lock has over Bluetooth, and in the home's network.
enum LockService {
    static var uuid: CBUUID { CBUUID(string: "D00B0001-5B9E-4A1C-8D3B-6C5E0A7F2D10") }
    /// Takes the home's network: its name and its passphrase, each on a line. Notifies 1 when the lock has joined it.
    static var network: CBUUID { CBUUID(string: "D00B0002-5B9E-4A1C-8D3B-6C5E0A7F2D10") }
    /// One byte: 1 if the door is open.
    static var door: CBUUID { CBUUID(string: "D00B0003-5B9E-4A1C-8D3B-6C5E0A7F2D10") }
    /// The type of its service in the home's network.
    static let bonjour = "_doorlock._tcp"
}

enum LockError: Error {
    case missing(String)
    case notJoined
}

/// The app's Bluetooth connection with the lock.
@MainActor
final class LockLink: NSObject {
    /// Called when the door is opened or closed.
    var onDoor: (Bool) -> Void = { _ in }
    private var central: CBCentralManager?
    private var lock: CBPeripheral?
    /// Whether the lock has joined the network; nil until it says so.
    private var hasJoined: Bool?
    private var step: CheckedContinuation<Void, any Error>?

    func connect(_ identifier: UUID) async throws {
        let central = CBCentralManager(delegate: self, queue: .main)
        self.central = central
        if central.state != .poweredOn { try await wait {} }
        guard let lock = central.retrievePeripherals(withIdentifiers: [identifier]).first else {
            throw CBError(.unknownDevice)
        }
        self.lock = lock
        lock.delegate = self
        try await wait { central.connect(lock) }
        try await wait { lock.discoverServices([LockService.uuid]) }
        guard let service = lock.services?.first else { throw LockError.missing("the lock's service") }
        try await wait { lock.discoverCharacteristics(nil, for: service) }
    }

    /// Gives the lock a network, and waits until it says whether it has joined it.
    func give(_ network: Data) async throws {
        try await subscribe(to: LockService.network)
        hasJoined = nil
        let (lock, characteristic) = try found(LockService.network)
        try await wait { lock.writeValue(network, for: characteristic, type: .withResponse) }
        if hasJoined == nil, lock.state == .connected { try await wait {} }
        guard hasJoined == true else { throw LockError.notJoined }
    }

    func subscribe(to uuid: CBUUID) async throws {
        let (lock, characteristic) = try found(uuid)
        try await wait { lock.setNotifyValue(true, for: characteristic) }
    }

    private func found(_ uuid: CBUUID) throws -> (CBPeripheral, CBCharacteristic) {
        guard let lock, let found = lock.services?.first?.characteristics?.first(where: { $0.uuid == uuid }) else {
            throw LockError.missing("the characteristic \(uuid)")
        }
        return (lock, found)
    }

    /// Asks Core Bluetooth for something, and waits for the delegate's call with the answer.
    private func wait(_ ask: () -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            step = continuation
            ask()
        }
    }

    private func answer(_ error: (any Error)?) {
        let waiting = step
        step = nil
        if let error { waiting?.resume(throwing: error) } else { waiting?.resume() }
    }
}

extension LockLink: @preconcurrency CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        // Off, no other call ends what was under way.
        answer(central.state == .poweredOn ? nil : CBError(.peripheralDisconnected))
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { answer(nil) }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) { answer(error ?? CBError(.connectionFailed)) }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) { answer(error ?? CBError(.peripheralDisconnected)) }
}

extension LockLink: @preconcurrency CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { answer(error) }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) { answer(error) }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) { answer(error) }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { answer(error) }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        guard let byte = characteristic.value?.first else { return }
        if characteristic.uuid == LockService.door { onDoor(byte == 1) }
        if characteristic.uuid == LockService.network {
            hasJoined = byte == 1
            answer(nil)
        }
    }
}

extension LockApp {
    func connect(_ accessory: ASAccessory) async throws {
        guard let identifier = accessory.bluetoothIdentifier else { throw LockError.missing("Bluetooth") }
        try await link.connect(identifier)
    }

    /// Gives the lock the home's network, and returns when the lock has joined it.
    func giveNetwork(ssid: String, passphrase: String) async throws {
        try await link.give(Data("\(ssid)\n\(passphrase)".utf8))
    }
}

extension LockApp {
    /// Finds the lock in the home's network, and loads its page.
    func loadPage() async throws -> String {
        let (page, _) = try await URLSession.shared.data(from: address(of: firstLock()))
        return String(decoding: page, as: UTF8.self)
    }

    /// Browses until a lock is found. The first time, iOS asks the person for the local network.
    private func firstLock() async throws -> NWEndpoint {
        let browser = NWBrowser(for: .bonjour(type: LockService.bonjour, domain: nil), using: .tcp)
        defer { browser.cancel() }
        let (locks, found) = AsyncStream<NWEndpoint>.makeStream()
        browser.browseResultsChangedHandler = { results, _ in
            for result in results { found.yield(result.endpoint) }
        }
        browser.start(queue: .main)
        for await lock in locks { return lock }
        throw CancellationError()
    }

    /// Connects to a service to learn the address and the port behind its name.
    private func address(of lock: NWEndpoint) async throws -> URL {
        let connection = NWConnection(to: lock, using: .tcp)
        defer { connection.cancel() }
        let (states, changed) = AsyncStream<NWConnection.State>.makeStream()
        connection.stateUpdateHandler = { changed.yield($0) }
        connection.start(queue: .main)
        for await state in states where state == .ready { break }
        guard case .hostPort(let host, let port)? = connection.currentPath?.remoteEndpoint,
            let url = URL(string: "http://\(host):\(port)/")
        else { throw LockError.missing("the address of the lock") }
        return url
    }
}

extension LockApp {
    /// Subscribes to the lock's door, and calls `change` with true when it is opened, with false when it is closed.
    func watchDoor(_ change: @escaping (Bool) -> Void) async throws {
        link.onDoor = change
        try await link.subscribe(to: LockService.door)
    }
}

extension LockApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        // The folder three levels above this file.
        let checkout = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
        return AppBundle(identifier: "com.example.doorlock", folder: "\(checkout)/Fixtures/DoorLock")
    }
}
