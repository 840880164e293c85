import Foundation
import HILFoundation
import HILPhone
import RadioModel

/// A remote Bluetooth device, known by an identifier of this phone.
///
/// Not `Sendable`, as on iOS.
open class CBPeer: NSObject {
    /// The identifier that this phone gave to the device. Another phone gives a different one.
    public let identifier: UUID

    init(identifier: UUID) {
        self.identifier = identifier
    }
}

/// The state of the connection to a peripheral. Raw values: CoreBluetooth, `CBPeripheral.h`.
public enum CBPeripheralState: Int, Sendable {
    case disconnected = 0
    case connecting = 1
    case connected = 2
    case disconnecting = 3
}

/// A remote peripheral: its services, and reading, writing and subscribing to their values.
///
/// The app must keep a reference to it. As on iOS, the connection ends when the last reference is released.
public final class CBPeripheral: CBPeer {
    // A lock guards the delegate, which the app uses on a queue of its choice; another lock guards the rest.
    struct Link {
        var name: String?
        var state = CBPeripheralState.disconnected
        /// The ATT MTU of the connection, bytes.
        var mtu = CBPeripheral.minimumMTU
        /// The services discovered so far, also as included ones.
        var known: [CBService] = []
        /// What the app sees of them: the primary ones.
        var discovered: [CBService]?
        /// The services that were made invalid last: answers about them may be still to come.
        var former: [CBService] = []
        /// Writes without response that have not left the phone yet.
        var pendingWrites = 0
    }

    /// ``canSendWriteWithoutResponse`` is false while at least this many writes without response are waiting.
    static let pendingWriteLimit = 16
    /// The ATT MTU in bytes before a larger one is agreed on. Core Specification, Vol 3, Part F, 3.2.8.
    static let minimumMTU = 23
    /// The longest attribute value in bytes. Core Specification, Vol 3, Part F, 3.2.9.
    static let longestValue = 512

    let client: CentralClient
    private let link: Locked<Link>
    let observers = PropertyObservers()
    private let delegateLock = NSLock()
    private weak var currentDelegate: (any CBPeripheralDelegate)?

    init(_ peripheral: KnownPeripheral, client: CentralClient) {
        self.client = client
        link = Locked(Link(name: peripheral.name))
        super.init(identifier: peripheral.identifier)
    }

    deinit {
        let state = link.withLock { $0.state }
        guard state == .connecting || state == .connected, client.isStarted else { return }
        client.misuse("Cancelling connection for unused peripheral \(identifier): keep a reference to it")
        client.submit(.cancel(identifier))
    }

    /// Receives the peripheral's answers and notifications. The peripheral does not retain it.
    public var delegate: (any CBPeripheralDelegate)? {
        get { delegateLock.withLock { currentDelegate } }
        set { delegateLock.withLock { currentDelegate = newValue } }
    }

    /// The peripheral's own name (Device Name, 2A00), which the phone reads when it connects. Before the first
    /// connection, the advertised name.
    public var name: String? { link.withLock { $0.name } }

    /// The state of the connection to this app.
    public var state: CBPeripheralState {
        ReadTrace.note(observers, \CBPeripheral.state)
        return link.withLock { $0.state }
    }

    /// The services discovered so far; nil until ``discoverServices(_:)`` is answered.
    public var services: [CBService]? { link.withLock { $0.discovered } }

    /// Whether the phone takes another write without response now.
    ///
    /// False while many of them wait. ``CBPeripheralDelegate/peripheralIsReady(toSendWriteWithoutResponse:)`` is called
    /// when it becomes true again.
    public var canSendWriteWithoutResponse: Bool {
        link.withLock { $0.state == .connected && $0.pendingWrites < CBPeripheral.pendingWriteLimit }
    }

    /// The length in bytes of the longest value that can be written at once.
    ///
    /// Without response, the value must fit into one packet: the MTU less 3. It may grow soon after the connection, when
    /// the phone and the peripheral have agreed on the MTU. With response, the system splits the
    /// value; the limit is 512 bytes, the longest value of an attribute.
    public func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        switch type {
        case .withResponse: CBPeripheral.longestValue
        case .withoutResponse: min(link.withLock { $0.mtu } - 3, CBPeripheral.longestValue)
        }
    }

    /// Discovers the services with the given UUIDs; nil is all services.
    public func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        submit(.services(serviceUUIDs?.map(\.value)))
    }

    /// Discovers the characteristics of a service with the given UUIDs; nil is all.
    public func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        submit(.characteristics(service: service.handle, characteristicUUIDs?.map(\.value)))
    }

    /// Discovers the included services of a service with the given UUIDs; nil is all.
    public func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        submit(.includedServices(service: service.handle, includedServiceUUIDs?.map(\.value)))
    }

    /// Discovers all descriptors of a characteristic.
    public func discoverDescriptors(for characteristic: CBCharacteristic) {
        submit(.descriptors(characteristic.id))
    }

    /// Reads a descriptor. ``CBPeripheralDelegate/peripheral(_:didUpdateValueFor:error:)-(_,CBDescriptor,_)`` gives the
    /// result.
    public func readValue(for descriptor: CBDescriptor) { submit(.readDescriptor(descriptor.id)) }

    /// Writes a descriptor.
    ///
    /// To subscribe, use ``setNotifyValue(_:for:)``: writing a Client Characteristic Configuration descriptor here ends
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

    /// Reads the signal strength. ``CBPeripheralDelegate/peripheral(_:didReadRSSI:error:)`` gives the result in dBm.
    public func readRSSI() { submit(.signal) }

    /// Whether the person lets the peripheral have the phone's notifications by Apple Notification Center Service.
    ///
    /// ``CBCentralManagerDelegate/centralManager(_:didUpdateANCSAuthorizationFor:)`` reports a change. The phone has that
    /// service only with a personality: `lab.phone.personality = .iPhone16`. Source:
    /// <https://developer.apple.com/documentation/corebluetooth/cbperipheral/ancsauthorized>.
    public var ancsAuthorized: Bool { client.sharesNotifications(with: identifier) }

    /// Reads a value. ``CBPeripheralDelegate/peripheral(_:didUpdateValueFor:error:)-(_,CBCharacteristic,_)`` gives the
    /// result.
    public func readValue(for characteristic: CBCharacteristic) {
        submit(.read(characteristic.id))
    }

    /// Writes a value, with or without a response of the peripheral.
    ///
    /// Without response, the value must fit into one packet (``maximumWriteValueLength(for:)``) and the characteristic
    /// must allow the operation. Otherwise the value is not sent, as on iOS, and the report has a warning.
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
        // Counted before it is submitted: the write may have left before submit returns.
        link.withLock { $0.pendingWrites += $0.state == .connected ? 1 : 0 }
        submit(.write(characteristic.id, data, withResponse: false))
    }

    /// Subscribes to notifications or indications of a value, or unsubscribes.
    public func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        submit(.setNotifying(characteristic.id, enabled))
    }

    /// Opens an L2CAP channel. ``CBPeripheralDelegate/peripheral(_:didOpen:error:)`` gives it.
    ///
    /// - Parameter PSM: The port that the peripheral has published.
    public func openL2CAPChannel(_ PSM: CBL2CAPPSM) { submit(.openChannel(PSM)) }

    private func submit(_ request: GATTRequest) {
        guard state == .connected else {
            return client.misuse("\(identifier) can only accept commands while in the connected state")
        }
        client.submit(.gatt(identifier, request))
    }
}

extension CBPeripheral {
    func setState(_ state: CBPeripheralState) {
        change(to: state) { $0.state = state }
    }

    /// Changes the link, and notifies the observers of its state.
    private func change(to state: CBPeripheralState, _ change: (inout Link) -> Void) {
        observers.change(\CBPeripheral.state, from: self.state, to: state) { link.withLock { change(&$0) } }
    }

    func setName(_ name: String) -> Bool {
        link.withLock { link in
            defer { link.name = name }
            return link.name != name
        }
    }

    func didConnect(mtu: Int) {
        change(to: .connected) { $0 = Link(name: $0.name, state: .connected, mtu: mtu) }
    }

    func mtuChanged(to mtu: Int) { link.withLock { $0.mtu = mtu } }

    /// Forgets all discovered services, because they were valid only for the connection that has ended.
    func didDisconnect() {
        change(to: .disconnected) { $0 = Link(name: $0.name) }
    }

    /// Notes that a write without response has left the phone.
    ///
    /// - Returns: Whether the app can write again and could not before.
    func didSendWrite() -> Bool {
        link.withLock { link in
            guard link.pendingWrites > 0 else { return false }
            link.pendingWrites -= 1
            return link.pendingWrites == CBPeripheral.pendingWriteLimit - 1
        }
    }

    /// The objects of services that were discovered. Services that were known before keep theirs.
    func learn(_ services: [GATTService]) -> [CBService] {
        let old = link.withLock { $0.known }
        let found = services.map { service in
            old.first { $0.handle == service.handle && $0.uuid.value == service.uuid } ?? CBService(service, of: self)
        }
        link.withLock { $0.known = $0.known.replaced(by: found, isAll: false, \.handle) }
        return found
    }

    /// Stores the services of the peripheral.
    ///
    /// - Parameter isAll: Whether these are all, so that others are gone.
    func didDiscover(_ services: [GATTService], isAll: Bool) {
        let found = learn(services)
        link.withLock { link in
            link.discovered = (link.discovered ?? []).replaced(by: found, isAll: isAll, \.handle)
        }
    }

    /// Forgets all services, because the peripheral has changed them.
    ///
    /// - Returns: The services that were discovered and are no longer valid.
    func invalidateServices() -> [CBService] {
        link.withLock { link in
            defer {
                link.former = link.known
                link.known = []
                link.discovered = nil
            }
            return link.discovered ?? []
        }
    }

    /// Valid services are before invalid ones.
    private var allServices: [CBService] { link.withLock { $0.known + $0.former } }

    func service(_ handle: UInt16) -> CBService? { allServices.first { $0.handle == handle } }

    func descriptor(_ id: DescriptorID) -> CBDescriptor? {
        allServices.lazy.flatMap { $0.allCharacteristics }.compactMap { $0.descriptor(id) }.first
    }

    func characteristic(_ id: CharacteristicID) -> CBCharacteristic? {
        allServices.lazy.compactMap { $0.characteristic(id) }.first
    }
}
