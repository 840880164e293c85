import Foundation
import Pictures

/// Something in an app's files that iOS refuses, or that is advised against.
public struct AppFinding: Sendable, Hashable, Codable {
    /// The rule: `P5`.
    public var rule: String
    /// The file, relative to the app's folder.
    public var file: String
    /// What is wrong, and how to mend it.
    public var text: String
    /// Whether iOS ends the app for it, or does not do what the app asks for; else it is advised against.
    public var isFatal: Bool

    init(_ rule: String, _ file: String, _ text: String, isFatal: Bool = true) {
        self.rule = rule
        self.file = file
        self.text = text
        self.isFatal = isFatal
    }
}

/// What can be seen of an app's mistakes without running it: in its Info.plist, its entitlements and its pictures.
///
/// Everything wrong is told, not only the first; nothing that the files hold makes it trap.
public enum AppCheck {
    /// Checks a folder that has an `Info.plist`, pictures, and perhaps a `.entitlements`.
    public static func findings(inFolder folder: String) -> [AppFinding] {
        let names = files(in: folder)
        let file = "Info.plist"
        var declared = Set<AppPropertyList.Technology>()
        var findings: [AppFinding]
        if let data = FileManager.default.contents(atPath: "\(folder)/\(file)") {
            findings = PropertyListCheck(file).findings(in: data, declared: &declared)
        } else {
            findings = [AppFinding("P1", file, "there is none in \(folder), or it cannot be read")]
        }
        for name in names where name.hasSuffix(".entitlements") {
            let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            findings += EntitlementsCheck(name).findings(in: data, joinsNetworks: declared.contains(.wifi))
        }
        return findings + PictureCheck.findings(in: names, of: folder)
    }

    /// Paths below the folder, sorted; of a folder with very many, the first.
    private static func files(in folder: String) -> [String] {
        var names: [String] = []
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            guard names.count < 10_000 else { break }
            if !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { names.append(name) }
        }
        return names.sorted()
    }

    /// The root of a property list, which has to be a dictionary, or what is wrong.
    static func dictionary(_ data: Data) -> Result<[String: Any], AppBundleError> {
        do {
            let root = try PropertyListSerialization.propertyList(from: data, format: nil)
            guard let dictionary = root as? [String: Any] else {
                return .failure(.wrongType(path: "it", key: "the root", expected: "a dictionary"))
            }
            return .success(dictionary)
        } catch { return .failure(.unreadable(path: "it", why: error.localizedDescription)) }
    }
}

/// The entitlements: each is a switch, and forwarding notifications needs all of its three.
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
        case .failure: return [AppFinding("N1", file, "it is no property list with a dictionary as its root")]
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
                AppFinding("N1", file, "there is no entitlement \(key); these are: \(known)", isFatal: false))
        }
        let isOn = { (key: String) in root[key] as? Bool == true }
        let missing = Self.forwarding.filter { !isOn($0) }
        if !missing.isEmpty, missing.count < Self.forwarding.count {
            findings.append(
                AppFinding("N1", file, "forwarding notifications also needs \(missing.joined(separator: " and "))"))
        }
        if joinsNetworks, !isOn(Self.hotspot) {
            findings.append(
                AppFinding(
                    "W1", file,
                    "WiFi is declared in the Info.plist; to join an accessory's network add \(Self.hotspot)",
                    isFatal: false))
        }
        return findings
    }
}
