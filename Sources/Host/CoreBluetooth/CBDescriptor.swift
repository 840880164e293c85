import Foundation
import Phone
import RadioModel
import Synchronization

/// 2900: more properties of a characteristic; an `NSNumber`.
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
/// 2901: what a characteristic is, for people; a `String`.
public let CBUUIDCharacteristicUserDescriptionString = "2901"
/// 2902: whether this client is notified; an `NSNumber`. ``CBPeripheral/setNotifyValue(_:for:)`` writes it.
public let CBUUIDClientCharacteristicConfigurationString = "2902"
/// 2903: whether the server broadcasts; an `NSNumber`.
public let CBUUIDServerCharacteristicConfigurationString = "2903"
/// 2904: how a value is written down; `Data`.
public let CBUUIDCharacteristicFormatString = "2904"
/// 2905: of which formats a value is made; `Data`.
public let CBUUIDCharacteristicAggregateFormatString = "2905"
/// 2906: between what a value lies; `Data`.
public let CBUUIDCharacteristicValidRangeString = "2906"
/// 2910: when a value is observed; `Data`.
public let CBUUIDCharacteristicObservationScheduleString = "2910"
/// The characteristic that tells the multiplexer of an L2CAP channel.
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"

/// A descriptor of a characteristic.
public final class CBDescriptor: CBAttribute, @unchecked Sendable {
    // Unchecked because the superclass is; the weak reference never changes and the rest is under a mutex.

    /// The characteristic that it belongs to.
    public private(set) weak var characteristic: CBCharacteristic?
    let id: DescriptorID
    private let bytes = Mutex<Data?>(nil)

    init(_ descriptor: GATTDescriptor, of characteristic: CBCharacteristic) {
        self.characteristic = characteristic
        id = descriptor.id
        super.init(uuid: descriptor.uuid)
    }

    /// The value last read, in the type that the descriptor's UUID says: `String`, `NSNumber` or `Data`.
    ///
    /// Bytes that are not of that type come as `Data`.
    public var value: Any? {
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

    func take(_ value: Data) { bytes.withLock { $0 = value } }
}
