import Foundation

/// Checks an entitlements file. Each entitlement is a Boolean; forwarding notifications needs all three of its
/// entitlements, in the app's file or each in its extension's.
struct EntitlementsCheck {
    static let forwarding = [
        "com.apple.developer.accessory-data-provider", "com.apple.developer.accessory-transport-extension",
        "com.apple.developer.accessory-transport-security",
    ]
    static let hotspot = "com.apple.developer.networking.HotspotConfiguration"

    let file: String
    private let data: Data
    /// Nil if the file is no property list with a dictionary.
    private let root: [String: Any]?

    init(_ file: String, _ data: Data) {
        self.file = file
        self.data = data
        root = try? AppCheck.dictionary(data).get()
    }

    /// The folder of the file, relative to the app's; empty for the app's own.
    var folder: String { (file as NSString).deletingLastPathComponent }

    func isOn(_ key: String) -> Bool { root?[key] as? Bool == true }

    func findings(joinsNetworks: Bool) -> [AppFinding] {
        var findings = ofForm()
        guard root != nil else { return findings }
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

    /// What is wrong with the file whoever it belongs to.
    func ofForm() -> [AppFinding] {
        guard let root else {
            return [AppFinding("N1", file, "it is not a property list whose root is a dictionary")]
        }
        var findings = PropertyListCheck.format(of: data, file, "N1")
        for key in Self.forwarding + [Self.hotspot] where root[key] != nil && root[key] as? Bool == nil {
            findings.append(AppFinding(key == Self.hotspot ? "W1" : "N1", file, "\(key) must be a Boolean"))
        }
        for key in root.keys.sorted() where key.hasPrefix("com.apple.developer.accessory-") {
            if Self.forwarding.contains(key) { continue }
            let known = Self.forwarding.joined(separator: ", ")
            findings.append(
                AppFinding("N1", file, "\(key) is not a known entitlement; use one of \(known)", isFatal: false))
        }
        return findings
    }

    /// Entitlements that files of one folder, such as those of a debug and of a release build, do not agree about.
    static func contradictions(between files: [EntitlementsCheck]) -> [AppFinding] {
        var findings: [AppFinding] = []
        for (_, files) in Dictionary(grouping: files.filter { $0.root != nil }, by: \.folder).sorted(by: {
            $0.key < $1.key
        }) {
            for key in forwarding + [hotspot] {
                guard let with = files.first(where: { $0.isOn(key) }) else { continue }
                for without in files where !without.isOn(key) {
                    let text = "\(key) is off here, and on in \(with.file): what the app may do depends on its build"
                    findings.append(AppFinding(key == hotspot ? "W1" : "N1", without.file, text, isFatal: false))
                }
            }
        }
        return findings
    }
}
