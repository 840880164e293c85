import Foundation
import HILFoundation
import HILPhone
import RadioModel

/// 2900, Characteristic Extended Properties: further properties of a characteristic; an `NSNumber`.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// 2901, Characteristic User Description: a text about the characteristic for people; a `String`.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// 2902, Client Characteristic Configuration: whether this client is subscribed; an `NSNumber`.
/// ``CBPeripheral/setNotifyValue(_:for:)`` writes it.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// 2903, Server Characteristic Configuration: whether the server broadcasts the value; an `NSNumber`.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// 2904, Characteristic Presentation Format: type, exponent and unit of the value; `Data`.
public let CBUUIDCharacteristicFormatString = "2904"
/// 2905, Characteristic Aggregate Format: the formats of the parts of the value; `Data`.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// 2906, Valid Range: the least and the greatest value; `Data`.
public let CBUUIDCharacteristicValidRangeString = "2906"
/// 2910, Observation Schedule: when the value is observed; `Data`.
public let CBUUIDCharacteristicObservationScheduleString = "2910"
/// The UUID of the characteristic that holds the PSM of an L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"

/// A descriptor of a characteristic, with the value that was read last.
open class CBDescriptor: CBAttribute {
    // The weak reference never changes; a lock guards the rest.

    /// The characteristic that the descriptor describes; nil once the app has released the peripheral.
    public private(set) weak var characteristic: CBCharacteristic?
    let id: DescriptorID
    private let bytes = Locked<Data?>(nil)

    init(_ descriptor: GATTDescriptor, of characteristic: CBCharacteristic) {
        self.characteristic = characteristic
        id = descriptor.id
        super.init(uuid: descriptor.uuid)
    }

    /// A descriptor of this phone.
    override init(uuid: BluetoothUUID) {
        id = DescriptorID(handle: 0)
        super.init(uuid: uuid)
    }

    /// The value that was read last, in the type that belongs to the UUID: `String`, `NSNumber` or `Data`. Nil before.
    ///
    /// Bytes that do not have the format of that type are given as `Data`.
    open var value: Any? {
        guard let bytes = bytes.withLock({ $0 }) else { return nil }
        switch uuid.uuidString {
        case CBUUIDCharacteristicUserDescriptionString: return String(validating: bytes, as: UTF8.self) ?? bytes
        case CBUUIDCharacteristicExtendedPropertiesString, CBUUIDClientCharacteristicConfigurationString,
            CBUUIDServerCharacteristicConfigurationString:
            guard bytes.count == 2 else { return bytes }
            return NSNumber(value: bytes.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
        default: return bytes
        }
    }

    func update(_ value: Data) { bytes.withLock { $0 = value } }
}
