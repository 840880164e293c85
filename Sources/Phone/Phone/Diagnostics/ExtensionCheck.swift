import Foundation

/// Checks the Info.plist of an app extension, in a folder below the app's, and its entitlements.
struct ExtensionCheck {
    /// The extension points of forwarding notifications, and the entitlement that each needs.
    ///
    /// Source: the articles about AccessoryDataProvider, AccessoryTransportSecurity and AccessoryTransportAppExtension.
    static let points = Dictionary(
        uniqueKeysWithValues: [
            "accessory-data-provider", "accessory-transport-extension", "accessory-transport-security",
        ]
        .map { ("com.apple.\($0)", "com.apple.developer.\($0)") })

    private enum Key {
        static let attributes = "EXAppExtensionAttributes"
        static let point = "EXExtensionPointIdentifier"
        /// The dictionary of extensions that are not made with ExtensionFoundation, and its point.
        static let older = "NSExtension"
        static let olderPoint = "NSExtensionPointIdentifier"
    }

    private let file: String
    private let data: Data
    private let root: [String: Any]

    /// Nil if the file is not the Info.plist of an extension.
    init?(_ file: String, _ data: Data) {
        guard let root = try? AppCheck.dictionary(data).get(),
            [Key.attributes, Key.older].contains(where: { root[$0] != nil })
        else { return nil }
        (self.file, self.data, self.root) = (file, data, root)
    }

    /// The folder of the extension, relative to the app's.
    var folder: String { (file as NSString).deletingLastPathComponent }

    private var point: String? { (root[Key.attributes] as? [String: Any])?[Key.point] as? String }

    /// The mistakes in the Info.plist.
    var findings: [AppFinding] {
        var findings = PropertyListCheck.format(of: data, file, "N7")
        let known = Self.points.keys.sorted().joined(separator: ", ")
        if let attributes = root[Key.attributes] {
            if let point {
                if point.hasPrefix("com.apple.accessory"), Self.points[point] == nil {
                    findings.append(wrong("\(point) is not an extension point; use one of \(known)"))
                }
            } else if attributes is [String: Any] {
                findings.append(wrong("\(Key.attributes) needs \(Key.point), a string such as \(known)"))
            } else {
                findings.append(wrong("\(Key.attributes) must be a dictionary with \(Key.point)"))
            }
        }
        if let older = (root[Key.older] as? [String: Any])?[Key.olderPoint] as? String,
            older.hasPrefix("com.apple.accessory")
        {
            findings.append(wrong("\(older) belongs under \(Key.attributes), as \(Key.point), not under \(Key.older)"))
        }
        for key in root.keys.sorted() where key.hasPrefix("NSAccessorySetup") {
            let text = "\(key) belongs in the app's Info.plist: in an extension's the phone does not read it"
            findings.append(AppFinding("P1", file, text, isFatal: false))
        }
        return findings
    }

    /// The mistakes in an entitlements file of the extension.
    func findings(about entitlements: EntitlementsCheck) -> [AppFinding] {
        let findings = entitlements.ofForm()
        guard let point, let needed = Self.points[point], !entitlements.isOn(needed),
            findings.allSatisfy({ !$0.isFatal })
        else { return findings }
        return findings + [AppFinding("N7", entitlements.file, "an extension of \(point) also needs \(needed)")]
    }

    private func wrong(_ text: String) -> AppFinding { AppFinding("N7", file, text) }
}
