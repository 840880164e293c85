import Foundation
import HILPhone

/// Properties that an app sets when it finishes the authorization of an accessory.
open class ASAccessorySettings: NSObject, NSCopying, @unchecked Sendable {  // As in Apple's SDK.
    /// New, empty settings.
    public class var `default`: ASAccessorySettings { ASAccessorySettings() }

    /// A hotspot identifier that clients can use to connect to the accessory's hotspot.
    public var ssid: String?
    /// A 6-byte identifier for bridging classic transport profiles.
    public var bluetoothTransportBridgingIdentifier: Data?

    public override init() {}

    var model: AuthorizationSettings {
        AuthorizationSettings(ssid: ssid, bridgingIdentifier: bluetoothTransportBridgingIdentifier)
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASAccessorySettings()
        copy.ssid = ssid
        copy.bluetoothTransportBridgingIdentifier = bluetoothTransportBridgingIdentifier
        return copy
    }
}
