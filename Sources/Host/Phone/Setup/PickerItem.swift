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

/// A product picture, as far as its file's header tells.
public struct ProductPicture: Sendable, Hashable {
    public var path: String
    /// Pixels.
    public var width: Int
    public var height: Int
    /// Pixels a point.
    public var scale: Int
    /// Whether any pixel can be transparent.
    public var hasAlpha: Bool

    public init(path: String, width: Int, height: Int, scale: Int, hasAlpha: Bool) {
        self.path = path
        self.width = width
        self.height = height
        self.scale = scale
        self.hasAlpha = hasAlpha
    }
}
