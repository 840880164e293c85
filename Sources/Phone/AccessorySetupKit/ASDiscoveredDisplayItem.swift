import Foundation
import HILPhone

/// A picker display item created from customizing a discovered accessory.
///
/// Its setup options are empty at first, as for every display item.
open class ASDiscoveredDisplayItem: ASPickerDisplayItem, @unchecked Sendable {  // As in Apple's SDK.
    private let accessory: UUID

    /// Makes an item with a name and picture of the app's choice, for an accessory from an `accessoryDiscovered` event.
    public init(name: String, productImage: UIImage, accessory: ASDiscoveredAccessory) {
        self.accessory = accessory.record.id
        super.init(name: name, productImage: productImage, descriptor: accessory.descriptor)
    }

    var filtered: FilteredItem { FilteredItem(accessory: accessory, item: model) }
}
