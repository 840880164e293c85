@_exported import Dispatch
@_exported import Foundation
import Phone
import RadioModel

/// A universally unique identifier, as Bluetooth uses it.
///
/// Two are equal when their 128-bit forms are, however they were spelt. Source: CoreBluetooth, `CBUUID.h`.
public final class CBUUID: NSObject, NSCopying, Sendable {
    let value: BluetoothUUID

    init(_ value: BluetoothUUID) {
        self.value = value
    }

    /// From `180F`, `0000180F` or the 36-character form, in either case. Any other text ends the app, as on iOS.
    public convenience init(string theString: String) {
        guard let value = BluetoothUUID(theString) else {
            AppCrash.crash(
                "CoreBluetooth", "CBUUID(string:): “\(theString)” is no valid UUID: give 4, 8 or 36 characters")
        }
        self.init(value)
    }

    /// From 2, 4 or 16 bytes, most significant first. Any other length ends the app, as on iOS.
    public convenience init(data theData: Data) {
        guard let value = BluetoothUUID(bytes: theData) else {
            AppCrash.crash(
                "CoreBluetooth", "CBUUID(data:): \(theData.count) bytes are no valid UUID: give 2, 4 or 16")
        }
        self.init(value)
    }

    /// The same UUID as Foundation's.
    public convenience init(nsuuid theUUID: UUID) {
        let bytes = withUnsafeBytes(of: theUUID.uuid) { Array($0) }
        guard let value = BluetoothUUID(bytes: bytes) else { preconditionFailure("a UUID has 16 bytes") }
        self.init(value)
    }

    /// The shortest form: 2, 4 or 16 bytes, most significant first.
    public var data: Data { Data(value.shortest) }

    /// The shortest form as text in upper case: `180F`, or 36 characters.
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
