import Foundation
import RadioModel

/// An accessory that an app may speak to, as the phone remembers it.
public struct AccessoryRecord: Sendable, Hashable, Identifiable {
    /// How far the authorisation has come; raw values as `ASAccessory.AccessoryState`.
    public enum State: Int, Sendable, Hashable {
        case unauthorized = 0
        case awaitingAuthorization = 10
        case authorized = 20
    }

    /// Names the authorisation itself.
    public let id: UUID
    public var state: State
    public var displayName: String
    /// The identifier that CoreBluetooth knows it by.
    public var bluetoothIdentifier: UUID?
    /// The 6 bytes for classic transport.
    public var bridgingIdentifier: Data?
    public var ssid: String?
    /// Names the device to the Wi-Fi Aware framework; 0 for one without Wi-Fi Aware.
    public var wifiAwareDevice: UInt64
    /// What the picker showed of it when it was set up (K13).
    public var picture: ProductPicture?
    /// What it was found with.
    public var descriptor: DiscoveryDescriptor

    public init(
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
