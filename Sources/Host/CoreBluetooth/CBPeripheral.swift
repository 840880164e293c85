import Foundation
import Phone
import RadioModel
import Synchronization

/// A device as Bluetooth knows it.
open class CBPeer: NSObject, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is; it holds an immutable value.

    /// The identifier that this phone gave to the device; another phone gives another.
    public let identifier: UUID

    init(identifier: UUID) {
        self.identifier = identifier
    }
}

/// Raw values: CoreBluetooth, `CBPeripheral.h`.
public enum CBPeripheralState: Int, Sendable {
    case disconnected = 0
    case connecting = 1
    case connected = 2
    case disconnecting = 3
}

/// A remote peripheral.
///
/// The app must keep a reference to it: as on iOS, a connection ends with the last reference to its peripheral.
public final class CBPeripheral: CBPeer, @unchecked Sendable {
    // Unchecked because delegates are not Sendable, as Apple's are not: the delegate is set and called under the app's
    // own queue discipline, guarded by a lock; the rest is under a mutex.
    struct Link {
        var name: String?
        var state = CBPeripheralState.disconnected
        /// The ATT MTU of the connection, bytes.
        var mtu = CBPeripheral.minimumMTU
        var known: [CBService] = []
        var discovered: [CBService]?
        /// Writes without response that have not left the phone yet.
        var pendingWrites = 0
    }

    /// How many writes without response wait at most before ``canSendWriteWithoutResponse`` is false.
    static let pendingWriteLimit = 16
    /// Core Specification, Vol 3, Part F, 3.2.8: also before a larger one is agreed on.
    static let minimumMTU = 23
    /// Core Specification, Vol 3, Part F, 3.2.9: the longest attribute value, bytes.
    static let longestValue = 512

    let client: CentralClient
    private let link: Mutex<Link>
    private let delegateLock = NSLock()
    private weak var currentDelegate: (any CBPeripheralDelegate)?

    init(_ peripheral: KnownPeripheral, client: CentralClient) {
        self.client = client
        link = Mutex(Link(name: peripheral.name))
        super.init(identifier: peripheral.identifier)
    }

    deinit {
        let state = link.withLock { $0.state }
        guard state == .connecting || state == .connected, client.isStarted else { return }
        client.misuse("Cancelling connection for unused peripheral \(identifier): keep a reference to it")
        client.submit(.cancel(identifier))
    }

    /// Hears what the peripheral answers. Not retained.
    public var delegate: (any CBPeripheralDelegate)? {
        get { delegateLock.withLock { currentDelegate } }
        set { delegateLock.withLock { currentDelegate = newValue } }
    }

    /// The name as advertised or as last known.
    public var name: String? { link.withLock { $0.name } }

    /// Whether it is connected to this app.
    public var state: CBPeripheralState { link.withLock { $0.state } }

    /// The services discovered so far; nil before ``discoverServices(_:)`` was answered.
    public var services: [CBService]? { link.withLock { $0.discovered } }

    /// False while many writes without response wait; ``CBPeripheralDelegate/peripheralIsReady(toSendWriteWithoutResponse:)``
    /// tells when it is true again.
    public var canSendWriteWithoutResponse: Bool {
        link.withLock { $0.state == .connected && $0.pendingWrites < CBPeripheral.pendingWriteLimit }
    }

    /// The longest value, in bytes, that one write carries.
    ///
    /// Without response it is what fits into one packet: the MTU less 3. With response the system splits the value, up to
    /// the longest that an attribute may have.
    public func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        switch type {
        case .withResponse: CBPeripheral.longestValue
        case .withoutResponse: min(link.withLock { $0.mtu } - 3, CBPeripheral.longestValue)
        }
    }

    /// Discovers services, all or those with the given UUIDs.
    public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        submit(.services(serviceUUIDs?.map(\.value)))
    }

    /// Discovers characteristics of a service, all or those with the given UUIDs.
    public func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        submit(.characteristics(service: service.handle, characteristicUUIDs?.map(\.value)))
    }

    /// Discovers the services that a service includes, all or those with the given UUIDs.
    public func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        submit(.includedServices(service: service.handle, includedServiceUUIDs?.map(\.value)))
    }

    /// Discovers the descriptors of a characteristic.
    public func discoverDescriptors(for characteristic: CBCharacteristic) {
        submit(.descriptors(characteristic.id))
    }

    /// Reads a descriptor; it comes by ``CBPeripheralDelegate/peripheral(_:didUpdateValueFor:error:)-(_,CBDescriptor,_)``.
    public func readValue(for descriptor: CBDescriptor) { submit(.readDescriptor(descriptor.id)) }

    /// Writes a descriptor. The client's configuration is written by ``setNotifyValue(_:for:)`` alone: writing it here ends
    /// the app, as on iOS.
    public func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        if descriptor.uuid == CBUUID(string: CBUUIDClientCharacteristicConfigurationString) {
            AppCrash.crash(
                "CoreBluetooth",
                "writeValue(_:for:) was given a Client Characteristic Configuration descriptor: use setNotifyValue(_:for:)"
            )
        }
        submit(.writeDescriptor(descriptor.id, data))
    }

    /// Asks how strongly the peripheral is heard; ``CBPeripheralDelegate/peripheral(_:didReadRSSI:error:)`` tells.
    public func readRSSI() { submit(.signal) }

    /// Whether the peripheral may show the phone's notifications through Apple Notification Center Service; this phone has
    /// no such service, and forwards notifications through the app's extensions alone.
    public var ancsAuthorized: Bool { false }

    /// Reads a value; it comes by ``CBPeripheralDelegate/peripheral(_:didUpdateValueFor:error:)-(_,CBCharacteristic,_)``.
    public func readValue(for characteristic: CBCharacteristic) {
        submit(.read(characteristic.id))
    }

    /// Writes a value.
    ///
    /// Without response it must fit into one packet (``maximumWriteValueLength(for:)``) and the characteristic must allow
    /// it: else it is not sent, as on iOS, and a warning says so.
    public func writeValue(_ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType) {
        guard type == .withoutResponse else {
            submit(.write(characteristic.id, data, withResponse: true))
            return
        }
        guard characteristic.properties.contains(.writeWithoutResponse) else {
            return client.misuse(
                "Characteristic \(characteristic.uuid) does not specify the “Write Without Response” property: "
                    + "ignoring response-less write")
        }
        guard data.count <= maximumWriteValueLength(for: .withoutResponse) else {
            return client.misuse(
                "A write without response of \(data.count) bytes is longer than maximumWriteValueLength: not sent")
        }
        // Counted first: it may have left before the next line.
        link.withLock { $0.pendingWrites += $0.state == .connected ? 1 : 0 }
        submit(.write(characteristic.id, data, withResponse: false))
    }

    /// Turns notifications or indications on or off.
    public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        submit(.setNotifying(characteristic.id, enabled))
    }

    private func submit(_ request: GATTRequest) {
        guard state == .connected else {
            return client.misuse("\(identifier) can only accept commands while in the connected state")
        }
        client.submit(.gatt(identifier, request))
    }
}

extension CBPeripheral {
    func setState(_ state: CBPeripheralState) {
        link.withLock { $0.state = state }
    }

    func setName(_ name: String) -> Bool {
        link.withLock { link in
            defer { link.name = name }
            return link.name != name
        }
    }

    func didConnect(mtu: Int) {
        link.withLock { link in
            link = Link(name: link.name, state: .connected, mtu: mtu)
        }
    }

    /// Everything discovered ends with the connection.
    func didDisconnect() {
        link.withLock { $0 = Link(name: $0.name) }
    }

    /// Counts a write without response that has left the phone.
    ///
    /// - Returns: Whether there is room again for more.
    func didSendWrite() -> Bool {
        link.withLock { link in
            guard link.pendingWrites > 0 else { return false }
            link.pendingWrites -= 1
            return link.pendingWrites == CBPeripheral.pendingWriteLimit - 1
        }
    }

    /// Takes what the peripheral has; services that were known before keep their objects.
    func didDiscover(_ services: [GATTService], wanted: [BluetoothUUID]?) {
        let (old, found) = link.withLock { ($0.known, $0.discovered ?? []) }
        let known = services.map { service in
            old.first { $0.handle == service.handle && $0.uuid.value == service.uuid } ?? CBService(service, of: self)
        }
        let discovered = known.filter { service in
            wanted?.contains(service.uuid.value) ?? true || found.contains { $0 === service }
        }
        link.withLock { link in
            link.known = known
            link.discovered = discovered
        }
    }

    /// Forgets what was discovered.
    ///
    /// - Returns: The services that are no longer valid.
    func invalidateServices() -> [CBService] {
        link.withLock { link in
            defer {
                link.known = []
                link.discovered = nil
            }
            return link.discovered ?? []
        }
    }

    func service(_ handle: UInt16) -> CBService? {
        link.withLock { $0.known.first { $0.handle == handle } }
    }

    func descriptor(_ id: DescriptorID) -> CBDescriptor? {
        let known = link.withLock { $0.known }
        return known.lazy.flatMap { $0.allCharacteristics }.compactMap { $0.descriptor(id) }.first
    }

    func characteristic(_ id: CharacteristicID) -> CBCharacteristic? {
        let known = link.withLock { $0.known }
        return known.lazy.compactMap { $0.characteristic(id) }.first
    }
}
