import Foundation
import RadioModel

/// Holds an Info.plist against the rules of the family P, and what AccessorySetupKit documents of its keys.
struct PropertyListCheck {
    private typealias Keys = AppPropertyList

    private let file: String

    init(_ file: String) { self.file = file }

    /// - Parameter declared: Gets the technologies that are declared.
    func findings(in data: Data, declared: inout Set<AppPropertyList.Technology>) -> [AppFinding] {
        let root: [String: Any]
        switch AppCheck.dictionary(data) {
        case .failure(.unreadable(_, let why)): return [finding("P1", "it is no property list: \(why)")]
        case .failure: return [finding("P1", "its root must be a dictionary")]
        case .success(let dictionary): root = dictionary
        }
        var findings = technologies(in: root, &declared)
        let used = [Keys.servicesKey, Keys.namesKey, Keys.companiesKey].filter { root[$0] != nil }
        if !declared.contains(.bluetooth), !used.isEmpty, !findings.contains(where: \.isFatal) {
            findings.append(
                finding("P1", "\(used.joined(separator: ", ")) without Bluetooth under \(Keys.supportsKeys[0]): add it")
            )
        }
        findings += services(in: root) + names(in: root) + companies(in: root)
        let finds = [Keys.servicesKey, Keys.companiesKey].contains { !((root[$0] as? [Any])?.isEmpty ?? true) }
        if declared.contains(.bluetooth), !finds {
            findings.append(
                finding(
                    "D1",
                    "Bluetooth is declared, and nothing to find accessories by: add their services to "
                        + "\(Keys.servicesKey), or their makers to \(Keys.companiesKey)"))
        }
        return findings
    }

    private func finding(_ rule: String, _ text: String, isFatal: Bool = true) -> AppFinding {
        AppFinding(rule, file, text, isFatal: isFatal)
    }

    private func technologies(
        in root: [String: Any], _ declared: inout Set<AppPropertyList.Technology>
    ) -> [AppFinding] {
        let present = Keys.supportsKeys.filter { root[$0] != nil }
        guard !present.isEmpty else {
            let text = "there is no \(Keys.supportsKeys[0]): declare Bluetooth and/or WiFi there"
            return [finding("P1", text)]
        }
        var findings: [AppFinding] = []
        for key in present {
            guard let texts = strings(root[key], key, "P1", &findings) else { continue }
            if texts.isEmpty { findings.append(finding("P1", "\(key) is empty: declare Bluetooth and/or WiFi there")) }
            for text in texts {
                if let technology = Keys.Technology(rawValue: text) {
                    declared.insert(technology)
                    continue
                }
                let meant = Keys.Technology.allCases.first { technology in
                    technology.rawValue.lowercased() == text.lowercased().filter { $0.isLetter }
                }
                let hint = meant.map { "write \($0.rawValue)" } ?? "there are Bluetooth and WiFi"
                findings.append(finding("P1", "“\(text)” under \(key) is no technology: \(hint)"))
            }
        }
        return findings
    }

    private func services(in root: [String: Any]) -> [AppFinding] {
        let key = Keys.servicesKey
        var findings: [AppFinding] = []
        var known: [BluetoothUUID: String] = [:]
        for text in strings(root[key], key, "P2", &findings) ?? [] {
            guard let uuid = BluetoothUUID(text) else {
                findings.append(finding("P2", "“\(text)” under \(key) is no Bluetooth UUID"))
                continue
            }
            if text != text.uppercased() {
                findings.append(finding("P5", "\(text) under \(key) is not in upper case: write it so", isFatal: false))
            }
            if let other = known[uuid] {
                findings.append(
                    finding("P5", "\(other) and \(text) under \(key) are the same UUID: one will do", isFatal: false))
            }
            known[uuid] = text
        }
        return findings
    }

    private func names(in root: [String: Any]) -> [AppFinding] {
        let key = Keys.namesKey
        var findings: [AppFinding] = []
        let names = strings(root[key], key, "P3", &findings) ?? []
        if names.contains("") { findings.append(finding("P3", "a name under \(key) is empty, and matches nothing")) }
        return findings
    }

    private func companies(in root: [String: Any]) -> [AppFinding] {
        let key = Keys.companiesKey
        guard let value = root[key] else { return [] }
        guard let values = value as? [Any] else {
            return [finding("P4", "\(key) must be an array of hexadecimal strings, or of numbers")]
        }
        return values.compactMap { value in
            let number: Int?
            if value is Bool {
                number = nil
            } else if let text = value as? String {
                number = UInt16(text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text[...], radix: 16).map(
                    Int.init)
            } else {
                number = (value as? Int).flatMap(UInt16.init(exactly:)).map(Int.init)
            }
            if number == 0 { return finding("P4", "0 under \(key) is no company: a descriptor with it has none") }
            if number != nil { return nil }
            return finding("P4", "“\(value)” under \(key) is no company identifier: 16 bits, as in “004C”")
        }
    }

    /// An array of strings; nil, and a finding that names the key, where it is something else.
    private func strings(
        _ value: Any?, _ key: String, _ rule: String, _ findings: inout [AppFinding]
    ) -> [String]? {
        guard let value else { return [] }
        if let strings = value as? [String] { return strings }
        findings.append(finding(rule, "\(key) must be an array of strings"))
        return nil
    }
}
