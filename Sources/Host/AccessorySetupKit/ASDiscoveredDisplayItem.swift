import Foundation
import Phone

/// A picker display item created from customizing a discovered accessory.
///
/// Its setup options are empty at first, as those of every display item.
open class ASDiscoveredDisplayItem: ASPickerDisplayItem, @unchecked Sendable {  // As Apple declares it.
    private let accessory: UUID

    /// A display item with a name and image to display, for an accessory that an `accessoryDiscovered` event told of.
    public init(name: String, productImage: UIImage, accessory: ASDiscoveredAccessory) {
        self.accessory = accessory.record.id
        super.init(name: name, productImage: productImage, descriptor: accessory.descriptor)
    }

    var filtered: FilteredItem { FilteredItem(accessory: accessory, item: model) }
}
