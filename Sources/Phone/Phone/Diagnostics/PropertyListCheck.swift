import Foundation
import HILPOSIX
import RadioModel

/// Checks an Info.plist by the rules P1 to P5 and P7, and by AccessorySetupKit's documentation of its keys.
struct PropertyListCheck {
    private typealias Keys = AppPropertyList

    private let file: String

    init(_ file: String) { self.file = file }

    /// Every mistake in the property list.
    ///
    /// - Parameter declared: Receives the declared technologies.
    func findings(in data: Data, declared: inout Set<AppPropertyList.Technology>) -> [AppFinding] {
        let root: [String: Any]
        switch AppCheck.dictionary(data) {
        case .failure(.unreadable(_, let why)): return [finding("P1", "it is not a property list: \(why)")]
        case .failure: return [finding("P1", "its root must be a dictionary")]
        case .success(let dictionary): root = dictionary
        }
        var findings = PropertyListCheck.format(of: data, file, "P1")
        findings += unknownKeys(in: root)
        findings += technologies(in: root, &declared)
        let used = [Keys.servicesKey, Keys.namesKey, Keys.companiesKey].filter { root[$0] != nil }
        if !declared.contains(.bluetooth), !used.isEmpty, !findings.contains(where: \.isFatal) {
            findings.append(
                finding("P1", "\(used.joined(separator: ", ")) needs Bluetooth under \(Keys.supportsKeys[0]): add it")
            )
        }
        findings +=
            services(in: root) + names(in: root) + companies(in: root) + appName(in: root)
            + localNetwork(in: root) + (declared.contains(.bluetooth) ? peripheralRole(in: root) : [])
        let finds = [Keys.servicesKey, Keys.companiesKey].contains { !((root[$0] as? [Any])?.isEmpty ?? true) }
        if declared.contains(.bluetooth), !finds {
            findings.append(
                finding(
                    "D1",
                    "Bluetooth is declared, but no accessory can be found: add service UUIDs to \(Keys.servicesKey), "
                        + "or company identifiers to \(Keys.companiesKey)"))
        }
        return findings
    }

    private func finding(_ rule: String, _ text: String, isFatal: Bool = true) -> AppFinding {
        AppFinding(rule, file, text, isFatal: isFatal)
    }

    /// A warning about a file in the oldest format.
    static func format(of data: Data, _ file: String, _ rule: String) -> [AppFinding] {
        guard PropertyListReader.isOpenStep(data) else { return [] }
        let text = "it is in the OpenStep text format, which has no numbers and no Booleans"
        return [AppFinding(rule, file, "\(text): convert it by `plutil -convert xml1`", isFatal: false)]
    }

    /// Keys that look like AccessorySetupKit's, and that Apple does not have: the phone ignores them.
    private func unknownKeys(in root: [String: Any]) -> [AppFinding] {
        let unknown = root.keys.filter { $0.lowercased().hasPrefix("nsaccessory") && !Keys.setupKeys.contains($0) }
        return unknown.sorted().map { key in
            let meant = Similarity.nearest(to: key, in: Keys.setupKeys).first
            let isMissing = meant.map { root[$0] == nil } ?? false
            let hint =
                meant.map { isMissing ? "write \($0)" : "remove it; \($0) is there" }
                ?? "AccessorySetupKit has \(Keys.setupKeys.joined(separator: ", "))"
            return finding("P1", "\(key) is not a key that the phone knows: \(hint)", isFatal: isMissing)
        }
    }

    private func technologies(
        in root: [String: Any], _ declared: inout Set<AppPropertyList.Technology>
    ) -> [AppFinding] {
        let present = Keys.supportsKeys.filter { root[$0] != nil }
        guard !present.isEmpty else {
            let text = "the key \(Keys.supportsKeys[0]) is missing: add it, with Bluetooth and/or WiFi"
            return [finding("P1", text)]
        }
        var findings: [AppFinding] = []
        for key in present {
            guard let texts = strings(root[key], key, "P1", &findings) else { continue }
            if texts.isEmpty { findings.append(finding("P1", "\(key) is empty: add Bluetooth and/or WiFi")) }
            for text in texts {
                if let technology = Keys.Technology(rawValue: text) {
                    declared.insert(technology)
                    continue
                }
                let meant = Keys.Technology.allCases.first { technology in
                    technology.rawValue.lowercased() == text.lowercased().filter { $0.isLetter }
                }
                let hint = meant.map { "write \($0.rawValue)" } ?? "use Bluetooth or WiFi"
                findings.append(finding("P1", "“\(text)” under \(key) is not a technology: \(hint)"))
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
                findings.append(finding("P2", "“\(text)” under \(key) is not a Bluetooth UUID"))
                continue
            }
            if text != text.uppercased() {
                findings.append(finding("P5", "\(text) under \(key) must be in upper case", isFatal: false))
            }
            if let other = known[uuid] {
                findings.append(
                    finding("P5", "\(other) and \(text) under \(key) are the same UUID: remove one", isFatal: false))
            }
            known[uuid] = text
        }
        return findings
    }

    private func names(in root: [String: Any]) -> [AppFinding] {
        let key = Keys.namesKey
        var findings: [AppFinding] = []
        let names = strings(root[key], key, "P3", &findings) ?? []
        if names.contains("") {
            findings.append(finding("P3", "a name under \(key) is empty and matches nothing: remove it"))
        }
        return findings
    }

    /// Checks the name of the app that the person reads (P7).
    private func appName(in root: [String: Any]) -> [AppFinding] {
        for key in Keys.nameKeys {
            guard let value = root[key] else { continue }
            guard let name = value as? String else { return [finding("P7", "\(key) must be a string")] }
            if !name.isEmpty { return [] }
        }
        let keys = Keys.nameKeys.joined(separator: " or ")
        return [
            finding("P7", "the app has no name, and prompts show its bundle identifier: add \(keys)", isFatal: false)
        ]
    }

    /// Checks the keys that the app needs to find services by Bonjour (W8).
    private func localNetwork(in root: [String: Any]) -> [AppFinding] {
        let (key, usage) = (Keys.bonjourServicesKey, Keys.localNetworkUsageKey)
        var findings: [AppFinding] = []
        let types = strings(root[key], key, "W8", &findings) ?? []
        for type in types where !isServiceType(Keys.serviceType(type)) {
            findings.append(
                finding("W8", "“\(type)” under \(key) is not a service type: write it like _lamp._tcp or _lamp._udp"))
        }
        if !types.isEmpty, root[usage] == nil {
            findings.append(
                finding("W8", "the prompt for the local network does not say why: add \(usage)", isFatal: false))
        }
        return findings
    }

    /// Whether a text is a service type: RFC 6763, 7.
    private func isServiceType(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, ["_tcp", "_udp"].contains(labels[1]), labels[0].first == "_" else { return false }
        let name = labels[0].dropFirst()
        return (1...15).contains(name.count)
            && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// Checks that an app with AccessorySetupKit does not mean to be a peripheral (C22).
    private func peripheralRole(in root: [String: Any]) -> [AppFinding] {
        let (modes, mode) = ("UIBackgroundModes", "bluetooth-peripheral")
        let usage = "NSBluetoothPeripheralUsageDescription"
        let signs = [
            (root[modes] as? [Any])?.contains { $0 as? String == mode } == true ? "\(mode) under \(modes)" : nil,
            root[usage] == nil ? nil : usage,
        ].compactMap(\.self)
        guard !signs.isEmpty else { return [] }
        return [
            finding(
                "C22",
                "\(signs.joined(separator: " and ")) \(signs.count == 1 ? "is" : "are") for apps that are peripherals: "
                    + "with Bluetooth under \(Keys.supportsKeys[0]), a CBPeripheralManager is unauthorized "
                    + "(assumed)",
                isFatal: false)
        ]
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
            if number == 0 {
                return finding("P4", "0 under \(key) is not a company identifier: in a descriptor, 0 means none")
            }
            if number != nil { return (value as? String).flatMap(decimal) }
            return finding("P4", "“\(value)” under \(key) is not a company identifier: write 16 bits, such as “004C”")
        }
    }

    /// The highest company identifier that is plausible. They are assigned in order: Wireshark 4.0 knows 3,405, and some
    /// 400 come each year.
    private static let highestPlausibleCompany = 0x10FF

    /// A company identifier that the SIG has not assigned as it is read, and perhaps as it looks (P4).
    private func decimal(_ text: String) -> AppFinding? {
        guard let (read, meant) = Keys.readings(ofCompany: text), read != 0xFFFF,
            read > PropertyListCheck.highestPlausibleCompany,
            meant <= PropertyListCheck.highestPlausibleCompany
        else { return nil }
        let what = "“\(text)” under \(Keys.companiesKey) is hexadecimal, \(read) in decimal, which no company has yet"
        return finding("P4", "\(what): for \(meant) write “\(Keys.text(ofCompany: meant))”", isFatal: false)
    }

    /// The value as an array of strings. If it has another type, nil, and a finding that names the key.
    private func strings(
        _ value: Any?, _ key: String, _ rule: String, _ findings: inout [AppFinding]
    ) -> [String]? {
        guard let value else { return [] }
        if let strings = value as? [String] { return strings }
        findings.append(finding(rule, "\(key) must be an array of strings"))
        return nil
    }
}
