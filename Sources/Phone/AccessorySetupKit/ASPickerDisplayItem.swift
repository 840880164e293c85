import Foundation
import HILPhone

/// An accessory as presented by the discovery picker.
open class ASPickerDisplayItem: NSObject, @unchecked Sendable {  // As in Apple's SDK.
    /// Setup options offered by the accessory picker.
    public struct SetupOptions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Asks the person to rename the accessory.
        public static let rename = SetupOptions(rawValue: 1 << 0)
        /// The app finishes the authorization before the setup view is shown.
        public static let confirmAuthorization = SetupOptions(rawValue: 1 << 1)
        /// Asks the person to finish additional setup in the app after the accessory is authorized.
        public static let finishInApp = SetupOptions(rawValue: 1 << 2)
    }

    /// The accessory name to display in the picker.
    public let name: String
    /// The picture to display in the picker, in a frame of 180×120 points.
    public let productImage: UIImage
    /// The descriptor that determines which discovered accessories the picker displays.
    public let descriptor: ASDiscoveryDescriptor
    /// What renaming changes; used only together with ``SetupOptions/rename``.
    public var renameOptions: ASAccessory.RenameOptions = []
    /// Custom setup options for the accessory.
    public var setupOptions: SetupOptions = []

    /// Makes an item from a name and a picture to display, and a descriptor that selects the accessories.
    public init(name: String, productImage: UIImage, descriptor: ASDiscoveryDescriptor) {
        self.name = name
        self.productImage = productImage
        self.descriptor = ASDiscoveryDescriptor(descriptor.model)
    }

    var model: PickerItem {
        PickerItem(
            name: name, picture: productImage.picture, descriptor: descriptor.model,
            setupOptions: PickerItem.SetupOptions(rawValue: setupOptions.rawValue),
            renamesSSID: renameOptions.contains(.ssid))
    }
}
