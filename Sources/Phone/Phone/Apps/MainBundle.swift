import Foundation

/// `Bundle.main` as the app that is running knows it: with its identifier, its Info.plist and its resources (P10).
enum MainBundle {
    /// Makes the bundle of an app, and lets `Bundle.main` be this one.
    ///
    /// - Parameters:
    ///   - path: Where the bundle goes: a flat folder, as on an iPhone.
    ///   - app: The app, whose Info.plist has been read before.
    static func become(_ path: String, of app: RunningApp) throws {
        try make(path, of: app.bundle)
        guard let bundle = Bundle(path: path) else {
            throw AppHome.Refusal(description: "the bundle of \(app.bundle.identifier) in \(path) cannot be opened")
        }
        let main = Bundle.main
        // Foundation has no way to replace the main bundle or to subclass `Bundle`. The object has one property, after
        // the two words that all Swift objects begin with: the bundle of Core Foundation that it stands for.
        for one in [main, bundle] where Mirror(reflecting: one).children.map(\.label) != ["_bundleStorage"] {
            throw AppHome.Refusal(description: "Bundle of this Foundation is made otherwise: hil needs Swift 6.3")
        }
        // The bundle before is not released: the app may hold what it has from there.
        storage(of: main).pointee = storage(of: bundle).pointee.retain()
    }

    private static func storage(of bundle: Bundle) -> UnsafeMutablePointer<Unmanaged<AnyObject>> {
        (Unmanaged.passUnretained(bundle).toOpaque() + 2 * MemoryLayout<Int>.size)
            .assumingMemoryBound(to: Unmanaged<AnyObject>.self)
    }

    /// Makes a folder with the app's Info.plist, as Xcode writes it, and links to its resources.
    private static func make(_ path: String, of bundle: AppBundle) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: bundle.resources)) ?? []
        where name != "Info.plist" && !name.hasSuffix(".entitlements") {
            let target = URL(fileURLWithPath: bundle.resources).appendingPathComponent(name).path
            try FileManager.default.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target)
        }
        var settings = BuildSettings(bundle.allBuildSettings)
        let data = try Data(contentsOf: URL(fileURLWithPath: bundle.infoPlist))
        var list = settings.expand(try PropertyListReader.root(of: data)) as? [String: Any] ?? [:]
        list["CFBundleIdentifier"] = bundle.identifier
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            .write(to: URL(fileURLWithPath: "\(path)/Info.plist"))
    }
}
