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

    public init(identifier: String, infoPlist: String, entitlements: String? = nil, resources: String) {
        self.identifier = identifier
        self.infoPlist = infoPlist
        self.entitlements = entitlements
        self.resources = resources
    }

    /// A bundle whose files are in one folder: `Info.plist`, `App.entitlements` if it exists, and the pictures.
    public init(identifier: String, folder: String) {
        let entitlements = "\(folder)/App.entitlements"
        self.init(
            identifier: identifier, infoPlist: "\(folder)/Info.plist",
            entitlements: FileManager.default.fileExists(atPath: entitlements) ? entitlements : nil, resources: folder)
    }
}
