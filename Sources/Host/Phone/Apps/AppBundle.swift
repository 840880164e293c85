import Foundation

/// What stands in for an app's bundle: its identifier and where its files are.
public struct AppBundle: Sendable, Hashable {
    /// Reverse domain name: `com.example.dice`.
    public var identifier: String
    /// The path of the Info.plist, XML or binary.
    public var infoPlist: String
    /// The path of the entitlements, if there are any.
    public var entitlements: String?
    /// The folder of the app's pictures.
    public var resources: String

    public init(identifier: String, infoPlist: String, entitlements: String? = nil, resources: String) {
        self.identifier = identifier
        self.infoPlist = infoPlist
        self.entitlements = entitlements
        self.resources = resources
    }

    /// A bundle in one folder: `Info.plist`, `App.entitlements` if it is there, and the pictures.
    public init(identifier: String, folder: String) {
        let entitlements = "\(folder)/App.entitlements"
        self.init(
            identifier: identifier, infoPlist: "\(folder)/Info.plist",
            entitlements: FileManager.default.fileExists(atPath: entitlements) ? entitlements : nil, resources: folder)
    }
}
