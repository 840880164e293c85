import Foundation

/// A kind of accessory that an app offers in its picker; the phone's side of `ASPickerDisplayItem`.
package struct PickerItem: Sendable, Hashable {
    /// How the picker sets the accessory up. The raw values are those of `ASPickerDisplayItem.SetupOptions`.
    package struct SetupOptions: OptionSet, Sendable, Hashable {
        package let rawValue: UInt
        package init(rawValue: UInt) { self.rawValue = rawValue }

        /// The person may rename the accessory (O1).
        package static let rename = SetupOptions(rawValue: 1 << 0)
        /// The accessory waits until the app finishes or fails its authorisation (O2).
        package static let confirmAuthorization = SetupOptions(rawValue: 1 << 1)
        /// The picker tells the person to finish the setup in the app (O3).
        package static let finishInApp = SetupOptions(rawValue: 1 << 2)
    }

    /// An accessory that the app used before it used AccessorySetupKit; the phone's side of `ASMigrationDisplayItem`
    /// (M4).
    package struct Migration: Sendable, Hashable {
        /// The accessory's identifier in CoreBluetooth.
        package var peripheral: UUID?
        /// The accessory's whole SSID.
        package var ssid: String?
        /// The device's identifier in the Wi-Fi Aware framework; 0 for none.
        package var wifiAwareDevice: UInt64

        package init(peripheral: UUID? = nil, ssid: String? = nil, wifiAwareDevice: UInt64 = 0) {
            self.peripheral = peripheral
            self.ssid = ssid
            self.wifiAwareDevice = wifiAwareDevice
        }

        /// Whether it identifies no accessory.
        package var isEmpty: Bool { peripheral == nil && ssid == nil && wifiAwareDevice == 0 }
    }

    /// The name that the picker shows.
    package var name: String
    package var picture: ProductPicture?
    package var descriptor: DiscoveryDescriptor
    package var setupOptions: SetupOptions
    /// Whether renaming also changes the SSID.
    package var renamesSSID: Bool
    /// Set for an item that migrates one accessory and discovers none.
    package var migration: Migration?

    package init(
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
package struct FilteredItem: Sendable, Hashable {
    /// The `id` of the record in the `accessoryDiscovered` event.
    package var accessory: UUID
    /// How the picker shows the accessory and sets it up. Its descriptor is ignored: that of the discovery counts.
    package var item: PickerItem

    package init(accessory: UUID, item: PickerItem) {
        self.accessory = accessory
        self.item = item
    }
}
