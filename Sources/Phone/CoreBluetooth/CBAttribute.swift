import Foundation
import HILFoundation
import HILPhone
import RadioModel

/// The superclass of services, characteristics and descriptors.
///
/// Not `Sendable`, as on iOS.
open class CBAttribute: NSObject {
    /// The UUID, which says what kind of attribute this is.
    public let uuid: CBUUID

    init(uuid: BluetoothUUID) {
        self.uuid = CBUUID(uuid)
    }
}

/// A service that a peripheral offers, with the characteristics that the app has discovered.
open class CBService: CBAttribute {
    // The weak reference never changes; a lock guards the rest.
    private struct State {
        var characteristics: [CBCharacteristic]?
        var included: [CBService]?
    }

    /// The peripheral that offers the service; nil once the app has released the peripheral.
    public private(set) weak var peripheral: CBPeripheral?
    /// Whether the service is a primary one, as GATT defines it.
    public let isPrimary: Bool
    let handle: UInt16
    private let state = Locked(State())

    init(_ service: GATTService, of peripheral: CBPeripheral) {
        self.peripheral = peripheral
        isPrimary = service.isPrimary
        handle = service.handle
        super.init(uuid: service.uuid)
    }

    /// A service of this phone.
    init(uuid: BluetoothUUID, isPrimary: Bool) {
        self.isPrimary = isPrimary
        handle = 0
        super.init(uuid: uuid)
    }

    /// The characteristics found so far; nil until ``CBPeripheral/discoverCharacteristics(_:for:)`` is answered.
    open var characteristics: [CBCharacteristic]? { state.withLock { $0.characteristics } }

    /// The included services found so far; nil until ``CBPeripheral/discoverIncludedServices(_:for:)`` is answered.
    open var includedServices: [CBService]? { state.withLock { $0.included } }

    /// Stores included services.
    ///
    /// - Parameter isAll: Whether these are all, so that others are gone.
    func didDiscoverIncluded(_ services: [CBService], isAll: Bool) {
        state.withLock { state in
            state.included = (state.included ?? []).replaced(by: services, isAll: isAll, \.handle)
        }
    }

    /// The characteristics found so far.
    var allCharacteristics: [CBCharacteristic] { state.withLock { $0.characteristics ?? [] } }

    /// Stores characteristics. Those that were known before keep their objects.
    ///
    /// - Parameter isAll: Whether these are all, so that others are gone.
    func didDiscover(_ characteristics: [GATTCharacteristic], isAll: Bool) {
        let old = allCharacteristics
        let found = characteristics.map { new in
            old.first { $0.id == new.id && $0.uuid.value == new.uuid } ?? CBCharacteristic(new, of: self)
        }
        state.withLock { state in
            state.characteristics = old.replaced(by: found, isAll: isAll, \.id.handle)
        }
    }

    func characteristic(_ id: CharacteristicID) -> CBCharacteristic? { allCharacteristics.first { $0.id == id } }
}

/// The operations that a characteristic allows. Raw values: CoreBluetooth, `CBCharacteristic.h`.
public struct CBCharacteristicProperties: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value can be broadcast in advertisements.
    public static let broadcast = CBCharacteristicProperties(rawValue: 0x01)
    public static let read = CBCharacteristicProperties(rawValue: 0x02)
    public static let writeWithoutResponse = CBCharacteristicProperties(rawValue: 0x04)
    public static let write = CBCharacteristicProperties(rawValue: 0x08)
    public static let notify = CBCharacteristicProperties(rawValue: 0x10)
    public static let indicate = CBCharacteristicProperties(rawValue: 0x20)
    /// The value can be written with a signature and without response.
    public static let authenticatedSignedWrites = CBCharacteristicProperties(rawValue: 0x40)
    /// A descriptor (``CBUUIDCharacteristicExtendedPropertiesString``) has further properties.
    public static let extendedProperties = CBCharacteristicProperties(rawValue: 0x80)
    /// Only trusted devices can subscribe to notifications. A remote peripheral never has this.
    public static let notifyEncryptionRequired = CBCharacteristicProperties(rawValue: 0x100)
    /// Only trusted devices can subscribe to indications. A remote peripheral never has this.
    public static let indicateEncryptionRequired = CBCharacteristicProperties(rawValue: 0x200)
}

/// Whether the peripheral confirms a write. Raw values: CoreBluetooth, `CBPeripheral.h`.
public enum CBCharacteristicWriteType: Int, Sendable {
    case withResponse = 0
    case withoutResponse = 1
}

/// A characteristic of a service, with the value that was read or notified last.
open class CBCharacteristic: CBAttribute {
    // The weak reference never changes; a lock guards the rest.
    private struct State {
        var value: Data?
        var isNotifying = false
        var descriptors: [CBDescriptor]?
    }

    /// The service that contains the characteristic; nil once the app has released the peripheral.
    public private(set) weak var service: CBService?
    /// The operations that the characteristic allows.
    public let properties: CBCharacteristicProperties
    let id: CharacteristicID
    private let state = Locked(State())

    init(_ characteristic: GATTCharacteristic, of service: CBService) {
        self.service = service
        properties = CBCharacteristicProperties(rawValue: UInt(characteristic.properties.rawValue))
        id = characteristic.id
        super.init(uuid: characteristic.uuid)
    }

    /// A characteristic of this phone.
    init(uuid: BluetoothUUID, properties: CBCharacteristicProperties) {
        self.properties = properties
        id = CharacteristicID(handle: 0)
        super.init(uuid: uuid)
    }

    func setService(_ service: CBService) { self.service = service }

    /// The descriptors; nil until ``CBPeripheral/discoverDescriptors(for:)`` is answered.
    open var descriptors: [CBDescriptor]? { state.withLock { $0.descriptors } }

    /// Stores all descriptors. Those that were known before keep their objects.
    func didDiscover(_ descriptors: [GATTDescriptor]) {
        let old = self.descriptors ?? []
        let found = descriptors.map { new in
            old.first { $0.id == new.id && $0.uuid.value == new.uuid } ?? CBDescriptor(new, of: self)
        }
        state.withLock { $0.descriptors = found }
    }

    func descriptor(_ id: DescriptorID) -> CBDescriptor? {
        state.withLock { $0.descriptors?.first { $0.id == id } }
    }

    /// The value that was read or notified last; nil before the first.
    public internal(set) var value: Data? {
        get { state.withLock { $0.value } }
        set { state.withLock { $0.value = newValue } }
    }

    /// Whether the app is subscribed to notifications or indications of the value.
    public internal(set) var isNotifying: Bool {
        get { state.withLock { $0.isNotifying } }
        set { state.withLock { $0.isNotifying = newValue } }
    }
}
