import Foundation
import Phone

/// A previously discovered accessory as presented by the picker, for migrating it to AccessorySetupKit.
open class ASMigrationDisplayItem: ASPickerDisplayItem, @unchecked Sendable {  // As Apple declares it.
    /// The `identifier` of the `CBPeripheral` to migrate.
    public var peripheralIdentifier: UUID?
    /// The SSID of the hotspot to migrate: the whole of it, not a prefix.
    public var hotspotSSID: String?
    /// The Wi-Fi Aware paired device to migrate; 0 for none.
    public var wifiAwarePairedDeviceID: ASAccessory.WiFiAwarePairedDeviceID = 0

    override var model: PickerItem {
        var model = super.model
        model.migration = PickerItem.Migration(
            peripheral: peripheralIdentifier, ssid: hotspotSSID, wifiAwareDevice: wifiAwarePairedDeviceID)
        return model
    }
}
