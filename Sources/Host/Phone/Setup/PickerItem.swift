import Foundation

/// A kind of accessory that an app offers in its picker; behind `ASPickerDisplayItem`.
public struct PickerItem: Sendable, Hashable {
    /// Raw values as `ASPickerDisplayItem.SetupOptions`.
    public struct SetupOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let rename = SetupOptions(rawValue: 1 << 0)
        public static let confirmAuthorization = SetupOptions(rawValue: 1 << 1)
        public static let finishInApp = SetupOptions(rawValue: 1 << 2)
    }

    /// What an app had before AccessorySetupKit; behind `ASMigrationDisplayItem` (M4).
    public struct Migration: Sendable, Hashable {
        /// The identifier that CoreBluetooth knew the accessory by.
        public var peripheral: UUID?
        /// The accessory's whole SSID.
        public var ssid: String?
        /// 0 for none.
        public var wifiAwareDevice: UInt64

        public init(peripheral: UUID? = nil, ssid: String? = nil, wifiAwareDevice: UInt64 = 0) {
            self.peripheral = peripheral
            self.ssid = ssid
            self.wifiAwareDevice = wifiAwareDevice
        }

        /// Whether it names anything at all.
        public var isEmpty: Bool { peripheral == nil && ssid == nil && wifiAwareDevice == 0 }
    }

    /// The name that the picker shows.
    public var name: String
    public var picture: ProductPicture?
    public var descriptor: DiscoveryDescriptor
    public var setupOptions: SetupOptions
    /// Whether renaming changes the SSID too.
    public var renamesSSID: Bool
    /// Set for an item that discovers nothing but migrates one accessory.
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

/// An accessory that the app has filtered and now wants shown; behind `ASDiscoveredDisplayItem` (F2).
public struct FilteredItem: Sendable, Hashable {
    /// The `id` of the record that the discovery told.
    public var accessory: UUID
    /// What the picker shows, and how it sets the accessory up; the descriptor is that of the discovery.
    public var item: PickerItem

    public init(accessory: UUID, item: PickerItem) {
        self.accessory = accessory
        self.item = item
    }
}
