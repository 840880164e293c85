import Foundation

/// A mistake in an app's files: something that iOS refuses or that Apple advises against.
package struct AppFinding: Sendable, Hashable, Codable {
    /// The rule that the file breaks, such as `P5`.
    package var rule: String
    /// The file, relative to the app's folder.
    package var file: String
    /// What is wrong, and how to fix it.
    package var text: String
    /// True if iOS ends the app or ignores its request because of this; false if it is only advised against.
    package var isFatal: Bool

    init(_ rule: String, _ file: String, _ text: String, isFatal: Bool = true) {
        self.rule = rule
        self.file = file
        self.text = text
        self.isFatal = isFatal
    }
}

/// Finds mistakes in an app without running it: in its Info.plist, its entitlements and its pictures.
///
/// Reports every mistake, not only the first. Never traps, whatever the files contain.
package enum AppCheck {
    /// Checks a folder with an `Info.plist`, pictures, and perhaps an `.entitlements` file.
    package static func findings(inFolder folder: String) -> [AppFinding] {
        let names = files(in: folder)
        let file = "Info.plist"
        var declared = Set<AppPropertyList.Technology>()
        var findings: [AppFinding]
        if let data = FileManager.default.contents(atPath: "\(folder)/\(file)") {
            findings = PropertyListCheck(file).findings(in: data, declared: &declared)
        } else {
            findings = [AppFinding("P1", file, "\(folder) has no \(file), or it cannot be read")]
        }
        let extensions = names.filter { $0.hasSuffix("/\(file)") }.compactMap { name in
            FileManager.default.contents(atPath: "\(folder)/\(name)").flatMap { ExtensionCheck(name, $0) }
        }
        findings += extensions.flatMap(\.findings)
        var entitlements: [EntitlementsCheck] = []
        for name in names where name.hasSuffix(".entitlements") {
            let check = EntitlementsCheck(name, FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
            if let owner = extensions.first(where: { $0.folder == check.folder }) {
                findings += owner.findings(about: check)
            } else {
                findings += check.findings(joinsNetworks: declared.contains(.wifi))
            }
            entitlements.append(check)
        }
        return findings + EntitlementsCheck.contradictions(between: entitlements)
            + PictureCheck.findings(in: names, of: folder)
    }

    /// The paths of the files below the folder, sorted; at most 10,000.
    private static func files(in folder: String) -> [String] {
        var names: [String] = []
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            guard names.count < 10_000 else { break }
            if !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { names.append(name) }
        }
        return names.sorted()
    }

    /// The root dictionary of a property list, or the reason why it has none.
    static func dictionary(_ data: Data) -> Result<[String: Any], AppBundleError> {
        do {
            let root = try PropertyListReader.root(of: data)
            guard let dictionary = root as? [String: Any] else {
                return .failure(.wrongType(path: "it", key: "the root", expected: "a dictionary"))
            }
            return .success(dictionary)
        } catch { return .failure(.unreadable(path: "it", why: error.localizedDescription)) }
    }
}
