import Foundation
import HILPictures

/// A mistake in an app's files: something that iOS refuses or that Apple advises against.
public struct AppFinding: Sendable, Hashable, Codable {
    /// The rule that the file breaks, such as `P5`.
    public var rule: String
    /// The file, relative to the app's folder.
    public var file: String
    /// What is wrong, and how to fix it.
    public var text: String
    /// True if iOS ends the app or ignores its request because of this; false if it is only advised against.
    public var isFatal: Bool

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
public enum AppCheck {
    /// Checks a folder with an `Info.plist`, pictures, and perhaps an `.entitlements` file.
    public static func findings(inFolder folder: String) -> [AppFinding] {
        let names = files(in: folder)
        let file = "Info.plist"
        var declared = Set<AppPropertyList.Technology>()
        var findings: [AppFinding]
        if let data = FileManager.default.contents(atPath: "\(folder)/\(file)") {
            findings = PropertyListCheck(file).findings(in: data, declared: &declared)
        } else {
            findings = [AppFinding("P1", file, "\(folder) has no \(file), or it cannot be read")]
        }
        for name in names where name.hasSuffix(".entitlements") {
            let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            findings += EntitlementsCheck(name).findings(in: data, joinsNetworks: declared.contains(.wifi))
        }
        return findings + PictureCheck.findings(in: names, of: folder)
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

/// Checks an entitlements file. Each entitlement is a Boolean; forwarding notifications needs all three of its
/// entitlements.
struct EntitlementsCheck {
    static let forwarding = [
        "com.apple.developer.accessory-data-provider", "com.apple.developer.accessory-transport-extension",
        "com.apple.developer.accessory-transport-security",
    ]
    static let hotspot = "com.apple.developer.networking.HotspotConfiguration"

    private let file: String

    init(_ file: String) { self.file = file }

    func findings(in data: Data, joinsNetworks: Bool) -> [AppFinding] {
        let root: [String: Any]
        switch AppCheck.dictionary(data) {
        case .failure: return [AppFinding("N1", file, "it is not a property list whose root is a dictionary")]
        case .success(let dictionary): root = dictionary
        }
        var findings: [AppFinding] = []
        for key in Self.forwarding + [Self.hotspot] where root[key] != nil && root[key] as? Bool == nil {
            findings.append(AppFinding(key == Self.hotspot ? "W1" : "N1", file, "\(key) must be a Boolean"))
        }
        for key in root.keys.sorted() where key.hasPrefix("com.apple.developer.accessory-") {
            if Self.forwarding.contains(key) { continue }
            let known = Self.forwarding.joined(separator: ", ")
            findings.append(
                AppFinding("N1", file, "\(key) is not a known entitlement; use one of \(known)", isFatal: false))
        }
        let isOn = { (key: String) in root[key] as? Bool == true }
        let missing = Self.forwarding.filter { !isOn($0) }
        if !missing.isEmpty, missing.count < Self.forwarding.count {
            findings.append(
                AppFinding("N1", file, "to forward notifications, also add \(missing.joined(separator: " and "))"))
        }
        if joinsNetworks, !isOn(Self.hotspot) {
            findings.append(
                AppFinding(
                    "W1", file,
                    "the Info.plist declares WiFi: to join an accessory's network, add \(Self.hotspot)",
                    isFatal: false))
        }
        return findings
    }
}
