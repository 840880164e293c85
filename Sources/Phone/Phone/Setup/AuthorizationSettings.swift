import Foundation

/// Values that an app adds when it finishes an authorisation (A2); the phone's side of `ASAccessorySettings`.
package struct AuthorizationSettings: Sendable, Hashable {
    /// The accessory's network, 1 to 32 bytes of UTF-8; nil leaves it unchanged.
    package var ssid: String?
    /// The accessory's address in classic Bluetooth, 6 bytes; nil leaves it unchanged.
    package var bridgingIdentifier: Data?

    package init(ssid: String? = nil, bridgingIdentifier: Data? = nil) {
        self.ssid = ssid
        self.bridgingIdentifier = bridgingIdentifier
    }
}
