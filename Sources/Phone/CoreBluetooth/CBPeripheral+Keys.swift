import Foundation
import HILPhone

extension CBPeripheral {
    /// The value of a property by its name in Objective-C, which some apps ask for the MTU: `mtuLength` has no property.
    ///
    /// - Parameter key: `identifier`, `name`, `state`, `services` or `mtuLength`. Any other ends the app, as on iOS.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "identifier": return identifier
        case "name": return name
        case "state": return NSNumber(value: state.rawValue)
        case "services": return services
        // What fits into a write without response, and the 3 bytes of its head.
        case "mtuLength": return NSNumber(value: maximumWriteValueLength(for: .withoutResponse) + 3)
        default:
            AppCrash.crash(
                "CoreBluetooth",
                "valueForUndefinedKey: a CBPeripheral is not key value coding-compliant for the key \(key)")
        }
    }
}

extension CBCentral {
    /// The value of a property by its name in Objective-C.
    ///
    /// - Parameter key: `identifier` or `maximumUpdateValueLength`. Any other ends the app, as on iOS.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "identifier": return identifier
        case "maximumUpdateValueLength": return NSNumber(value: maximumUpdateValueLength)
        default:
            AppCrash.crash(
                "CoreBluetooth",
                "valueForUndefinedKey: a CBCentral is not key value coding-compliant for the key \(key)")
        }
    }
}
