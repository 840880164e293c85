@_exported import Dispatch
@_exported import Foundation
@_exported import HILFoundation
import HILPhone
@_exported import Observation
import RadioModel

/// A UUID of Bluetooth: 16, 32 or 128 bits long.
///
/// Two are equal if their 128-bit forms are equal. Source: CoreBluetooth, `CBUUID.h`.
public final class CBUUID: NSObject, NSCopying {
    let value: BluetoothUUID

    init(_ value: BluetoothUUID) {
        self.value = value
    }

    /// A UUID of zeros.
    public override convenience init() { self.init(data: Data(count: 16)) }

    /// Reads `180F`, `0000180F` or the 36-character form, in upper or lower case; `0x` may come before it. Any other
    /// text ends the app, as on iOS.
    public convenience init(string theString: String) {
        let hasPrefix = theString.hasPrefix("0x") || theString.hasPrefix("0X")
        guard let value = BluetoothUUID(hasPrefix ? String(theString.dropFirst(2)) : theString) else {
            AppCrash.crash(
                "CoreBluetooth", "CBUUID(string:): “\(theString)” is not a valid UUID: give 4, 8 or 36 characters")
        }
        self.init(value)
    }

    /// Reads 2, 4 or 16 bytes, most significant byte first. Any other length ends the app, as on iOS.
    public convenience init(data theData: Data) {
        guard let value = BluetoothUUID(bytes: theData) else {
            AppCrash.crash(
                "CoreBluetooth", "CBUUID(data:): \(theData.count) bytes are not a valid UUID: give 2, 4 or 16")
        }
        self.init(value)
    }

    /// Converts a UUID of Foundation.
    public convenience init(nsuuid theUUID: UUID) {
        let bytes = withUnsafeBytes(of: theUUID.uuid) { Array($0) }
        guard let value = BluetoothUUID(bytes: bytes) else { preconditionFailure("a UUID has 16 bytes") }
        self.init(value)
    }

    /// The shortest form: 2, 4 or 16 bytes, most significant byte first.
    public var data: Data { Data(value.shortest) }

    /// The shortest form as text in upper case, 4, 8 or 36 characters: `180F`.
    public var uuidString: String {
        let shortest = value.shortest
        return shortest.count == 16 ? value.description : Hex.text(shortest)
    }

    public override var description: String { uuidString }
    public override var hash: Int { value.hashValue }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? CBUUID)?.value == value
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}
