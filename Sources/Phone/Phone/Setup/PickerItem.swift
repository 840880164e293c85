import Foundation

/// A kind of accessory that an app offers in its picker; the phone's side of `ASPickerDisplayItem`.
public struct PickerItem: Sendable, Hashable {
    /// How the picker sets the accessory up. The raw values are those of `ASPickerDisplayItem.SetupOptions`.
    public struct SetupOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The person may rename the accessory (O1).
        public static let rename = SetupOptions(rawValue: 1 << 0)
        /// The accessory waits until the app finishes or fails its authorisation (O2).
        public static let confirmAuthorization = SetupOptions(rawValue: 1 << 1)
        /// The picker tells the person to finish the setup in the app (O3).
        public static let finishInApp = SetupOptions(rawValue: 1 << 2)
    }

    /// An accessory that the app used before it used AccessorySetupKit; the phone's side of `ASMigrationDisplayItem`
    /// (M4).
    public struct Migration: Sendable, Hashable {
        /// The accessory's identifier in CoreBluetooth.
        public var peripheral: UUID?
        /// The accessory's whole SSID.
        public var ssid: String?
        /// The device's identifier in the Wi-Fi Aware framework; 0 for none.
        public var wifiAwareDevice: UInt64

        public init(peripheral: UUID? = nil, ssid: String? = nil, wifiAwareDevice: UInt64 = 0) {
            self.peripheral = peripheral
            self.ssid = ssid
            self.wifiAwareDevice = wifiAwareDevice
        }

        /// Whether it identifies no accessory.
        public var isEmpty: Bool { peripheral == nil && ssid == nil && wifiAwareDevice == 0 }
    }

    /// The name that the picker shows.
    public var name: String
    public var picture: ProductPicture?
    public var descriptor: DiscoveryDescriptor
    public var setupOptions: SetupOptions
    /// Whether renaming also changes the SSID.
    public var renamesSSID: Bool
    /// Set for an item that migrates one accessory and discovers none.
    public var migration: Migration?

    public init(
        name: String, picture: ProductPicture? = nil, descriptor: DiscoveryDescriptor, setupOptions: SetupOptions = [],
        renamesSSID: Bool = false, migration: Migration? = nil
    ) {
        self.name = name
        self.picture = picture
        self.descriptor = descriptor
        self.setupOptions = setupOptions
        self.renamesSSID = renamesSSID
        self.migration = migration
    }
}

/// A discovered accessory that the app wants its picker to show; the phone's side of `ASDiscoveredDisplayItem` (F2).
public struct FilteredItem: Sendable, Hashable {
    /// The `id` of the record in the `accessoryDiscovered` event.
    public var accessory: UUID
    /// How the picker shows the accessory and sets it up. Its descriptor is ignored: that of the discovery counts.
    public var item: PickerItem

    public init(accessory: UUID, item: PickerItem) {
        self.accessory = accessory
        self.item = item
    }
}
