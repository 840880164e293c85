import Foundation
import HILPhone

/// A previously discovered accessory as presented by the picker, for migrating it to AccessorySetupKit.
open class ASMigrationDisplayItem: ASPickerDisplayItem, @unchecked Sendable {  // As in Apple's SDK.
    /// The `identifier` of the `CBPeripheral` to migrate.
    public var peripheralIdentifier: UUID?
    /// The whole SSID of the hotspot to migrate, not a prefix.
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
