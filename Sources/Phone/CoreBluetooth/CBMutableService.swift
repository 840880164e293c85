import Foundation
import PeripheralModel
import RadioModel

/// How other devices may use a value of this phone. Raw values: CoreBluetooth, `CBCharacteristic.h`.
public struct CBAttributePermissions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let readable = CBAttributePermissions(rawValue: 0x01)
    public static let writeable = CBAttributePermissions(rawValue: 0x02)
    /// Readable by paired devices only.
    public static let readEncryptionRequired = CBAttributePermissions(rawValue: 0x04)
    /// Writeable by paired devices only.
    public static let writeEncryptionRequired = CBAttributePermissions(rawValue: 0x08)
}

/// A service that this phone publishes with a ``CBPeripheralManager``.
open class CBMutableService: CBService {
    private let content = Locked<(included: [CBService]?, characteristics: [CBCharacteristic]?)>((nil, nil))

    /// - Parameter isPrimary: Whether it is a primary service, as GATT defines it.
    public init(type UUID: CBUUID, primary isPrimary: Bool) { super.init(uuid: UUID.value, isPrimary: isPrimary) }

    /// The services that it includes; each must be published before.
    open override var includedServices: [CBService]? {
        get { content.withLock { $0.included } }
        set { content.withLock { $0.included = newValue } }
    }

    open override var characteristics: [CBCharacteristic]? {
        get { content.withLock { $0.characteristics } }
        set {
            for characteristic in newValue ?? [] { characteristic.setService(self) }
            content.withLock { $0.characteristics = newValue }
        }
    }
}

/// A characteristic that this phone publishes.
open class CBMutableCharacteristic: CBCharacteristic {
    private struct Content {
        var permissions: CBAttributePermissions
        var descriptors: [CBDescriptor]?
        var subscribed: [CBCentral] = []
        /// The value with which its service was added, if it was added.
        var published: Data??
    }

    private let content: Locked<Content>
    /// - Parameters:
    ///   - value: A value that never changes; nil if the app answers reads and writes itself.
    public init(
        type UUID: CBUUID, properties: CBCharacteristicProperties, value: Data?, permissions: CBAttributePermissions
    ) {
        content = Locked(Content(permissions: permissions))
        super.init(uuid: UUID.value, properties: properties)
        self.value = value
    }

    /// The value with which the phone itself answers reads, if it is set when the service is added. Devices do not see
    /// a later value: ``CBPeripheralManager/updateValue(_:for:onSubscribedCentrals:)`` sends it to them.
    public override var value: Data? {
        get { super.value }
        set { super.value = newValue }
    }

    /// Keeps the value for the devices that read it, because its service is added.
    func publish() { content.withLock { $0.published = .some(value) } }

    open var permissions: CBAttributePermissions {
        get { content.withLock { $0.permissions } }
        set { content.withLock { $0.permissions = newValue } }
    }

    /// The devices that are subscribed to the value; nil if none is.
    open var subscribedCentrals: [CBCentral]? {
        content.withLock { $0.subscribed.isEmpty ? nil : $0.subscribed }
    }

    open override var descriptors: [CBDescriptor]? {
        get { content.withLock { $0.descriptors } }
        set { content.withLock { $0.descriptors = newValue } }
    }

    func setSubscribed(_ central: CBCentral, _ isOn: Bool) {
        content.withLock { content in
            content.subscribed.removeAll { $0.identifier == central.identifier }
            if isOn { content.subscribed.append(central) }
        }
    }

    /// The declaration for the radio.
    var declared: PeripheralCharacteristic {
        let permissions = permissions
        let value = content.withLock { $0.published } ?? value
        let isEncrypted = { (kind: CBCharacteristicProperties) in self.properties.contains(kind) }
        return PeripheralCharacteristic(
            uuid: uuid.value, properties: .init(rawValue: UInt8(properties.rawValue & 0x7F)),
            reading: permissions.contains(.readEncryptionRequired) ? .encrypted : .none,
            writing: permissions.contains(.writeEncryptionRequired) ? .encrypted : .none,
            notifying: isEncrypted(.notifyEncryptionRequired) || isEncrypted(.indicateEncryptionRequired)
                ? .encrypted : .none,
            value: value ?? Data(), answering: PeripheralAnswering(reads: value == nil, writes: true),
            descriptors: (descriptors ?? []).compactMap { ($0 as? CBMutableDescriptor)?.declared })
    }
}

/// A descriptor that this phone publishes: a user description (2901, a `String`) or a presentation format (2904, `Data`).
open class CBMutableDescriptor: CBDescriptor {
    private let content: Any?

    /// - Parameter value: The value, which never changes. Its type is that of the kind of descriptor.
    public init(type UUID: CBUUID, value: Any?) {
        content = value
        super.init(uuid: UUID.value)
    }

    open override var value: Any? { content }

    var declared: PeripheralDescriptor {
        let bytes = (content as? Data) ?? (content as? String).map { Data($0.utf8) } ?? Data()
        return PeripheralDescriptor(uuid: uuid.value, value: bytes)
    }
}

/// A device that uses this phone's services.
open class CBCentral: CBPeer {
    private let mtu: Int

    init(identifier: UUID, mtu: Int) {
        self.mtu = mtu
        super.init(identifier: identifier)
    }

    /// How many bytes one notification or indication carries to it.
    open var maximumUpdateValueLength: Int { mtu - 3 }
}

/// A device's request to read or write a value of this phone. The app answers it with
/// ``CBPeripheralManager/respond(to:withResult:)``.
open class CBATTRequest: NSObject {
    public let central: CBCentral
    public let characteristic: CBCharacteristic
    /// The first byte that the device reads or writes.
    public let offset: Int
    /// The whole value from ``offset`` on: the bytes that the device writes, or the app's answer to a read.
    open var value: Data?
    let number: Int
    let isWrite: Bool
    /// The requests that came together with this one, the first of which is answered for all.
    private(set) var isAnswered = false

    init(
        _ number: Int, central: CBCentral, characteristic: CBCharacteristic, offset: Int, written: Data?
    ) {
        self.number = number
        self.central = central
        self.characteristic = characteristic
        self.offset = offset
        value = written
        isWrite = written != nil
    }

    /// Notes the answer.
    ///
    /// - Returns: False if there was one already.
    func answer() -> Bool {
        defer { isAnswered = true }
        return !isAnswered
    }
}
