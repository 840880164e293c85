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

    /// The name that the picker shows.
    public var name: String
    public var picture: ProductPicture?
    public var descriptor: DiscoveryDescriptor
    public var setupOptions: SetupOptions
    /// Whether renaming changes the SSID too.
    public var renamesSSID: Bool

    public init(
        name: String, picture: ProductPicture? = nil, descriptor: DiscoveryDescriptor, setupOptions: SetupOptions = [],
        renamesSSID: Bool = false
    ) {
        self.name = name
        self.picture = picture
        self.descriptor = descriptor
        self.setupOptions = setupOptions
        self.renamesSSID = renamesSSID
    }
}
