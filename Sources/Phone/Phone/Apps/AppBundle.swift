import Foundation

/// The stand-in for an app's bundle: its identifier, and the paths of its files.
public struct AppBundle: Sendable, Hashable {
    /// Reverse domain name: `com.example.lamps`.
    public var identifier: String
    /// The path of the Info.plist, in XML or binary format.
    public var infoPlist: String
    /// The path of the entitlements; nil if the app has none.
    public var entitlements: String?
    /// The path of the folder with the app's pictures.
    public var resources: String
    /// The build settings of Xcode that the Info.plist refers to, such as `PRODUCT_NAME`. `PRODUCT_BUNDLE_IDENTIFIER`
    /// need not be among them: it is the ``identifier``.
    public var buildSettings: [String: String]

    /// Makes a bundle from parts instead of a folder; the properties say what each value means.
    public init(
        identifier: String, infoPlist: String, entitlements: String? = nil, resources: String,
        buildSettings: [String: String] = [:]
    ) {
        self.buildSettings = buildSettings
        self.identifier = identifier
        self.infoPlist = infoPlist
        self.entitlements = entitlements
        self.resources = resources
    }

    /// A bundle whose files are in one folder: `Info.plist`, `App.entitlements` if it exists, and the pictures.
    public init(identifier: String, folder: String, buildSettings: [String: String] = [:]) {
        let entitlements = "\(folder)/App.entitlements"
        self.init(
            identifier: identifier, infoPlist: "\(folder)/Info.plist",
            entitlements: FileManager.default.fileExists(atPath: entitlements) ? entitlements : nil, resources: folder,
            buildSettings: buildSettings)
    }

    /// The build settings with those that follow from the bundle.
    var allBuildSettings: [String: String] {
        ["PRODUCT_BUNDLE_IDENTIFIER": identifier].merging(buildSettings) { $1 }
    }
}
