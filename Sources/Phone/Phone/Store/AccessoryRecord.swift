import Foundation
import RadioModel

/// The phone's record of an accessory that an app may use.
package struct AccessoryRecord: Sendable, Hashable, Identifiable {
    /// How far the authorisation has come. The raw values are those of `ASAccessory.AccessoryState`.
    package enum State: Int, Sendable, Hashable {
        case unauthorized = 0
        case awaitingAuthorization = 10
        case authorized = 20
    }

    /// Identifies this authorisation: one app and one accessory.
    package let id: UUID
    package var state: State
    /// The name that the person sees and may change in Settings.
    package var displayName: String
    /// Its identifier in CoreBluetooth; nil for an accessory without Bluetooth.
    package var bluetoothIdentifier: UUID?
    /// The 6 bytes of its address in classic Bluetooth.
    package var bridgingIdentifier: Data?
    /// Its Wi-Fi network; nil for an accessory without one.
    package var ssid: String?
    /// Its identifier in the Wi-Fi Aware framework; 0 for an accessory without Wi-Fi Aware.
    package var wifiAwareDevice: UInt64
    /// The picture that the picker showed when it was set up (K13).
    package var picture: ProductPicture?
    /// The descriptor that found it.
    package var descriptor: DiscoveryDescriptor

    package init(
        id: UUID = UUID(), state: State = .authorized, displayName: String, bluetoothIdentifier: UUID? = nil,
        ssid: String? = nil, wifiAwareDevice: UInt64 = 0, picture: ProductPicture? = nil,
        descriptor: DiscoveryDescriptor
    ) {
        self.id = id
        self.state = state
        self.displayName = displayName
        self.bluetoothIdentifier = bluetoothIdentifier
        self.ssid = ssid
        self.wifiAwareDevice = wifiAwareDevice
        self.picture = picture
        self.descriptor = descriptor
    }
}
