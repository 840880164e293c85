import Foundation
import HILPhone
import TestSupport
import Testing

/// The checks of an app's files, without running the app.
@Suite struct AppCheckTests {
    private static let fixtures = fixture("")
    private static let hotspot = "com.apple.developer.networking.HotspotConfiguration"
    private static var good: [String: Any] {
        [
            "CFBundleName": "Dice", "NSAccessorySetupSupports": ["Bluetooth", "WiFi"],
            "NSAccessorySetupBluetoothServices": ["D1CE"],
        ]
    }

    /// Findings in a folder with these files.
    private func findings(_ files: [String: Data]) throws -> [AppFinding] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hil-check-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, data) in files {
            let url = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: url)
        }
        return AppCheck.findings(inFolder: folder.path)
    }

    private func findings(
        plist: [String: Any] = good, entitlements: [String: Any]? = nil, pictures: [String: String] = [:]
    ) throws -> [AppFinding] {
        func data(_ root: [String: Any]) throws -> Data {
            try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        }
        var files = ["Info.plist": try data(plist)]
        if let entitlements { files["App.entitlements"] = try data(entitlements) }
        for (name, source) in pictures {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(Self.fixtures)/\(source)"))
        }
        return try findings(files)
    }

    @Test("The dice app has no mistakes")
    func clean() throws {
        #expect(AppCheck.findings(inFolder: "\(Self.fixtures)/DiceApp") == [])
        #expect(try findings() == [])
    }

    @Test("A peripheral's keys beside AccessorySetupKit are a warning", .covers("C22"))
    func peripheralRole() throws {
        var plist = Self.good
        plist["UIBackgroundModes"] = ["bluetooth-central", "bluetooth-peripheral"]
        plist["NSBluetoothPeripheralUsageDescription"] = "Dice shows your rolls to others."
        let found = try findings(plist: plist)
        #expect(found.map(\.rule) == ["C22"] && !found[0].isFatal, "\(found)")
        #expect(found[0].text.hasPrefix("bluetooth-peripheral under UIBackgroundModes and NSBluetoothPeripheral"))
        plist["NSAccessorySetupSupports"] = ["WiFi"]
        plist["NSAccessorySetupBluetoothServices"] = nil
        #expect(try findings(plist: plist) == [])
    }

    @Test("An app without a name, or with one that is not a text, is a finding", .covers("P7"))
    func name() throws {
        for (name, text) in [(nil, "the app has no name"), ("", "the app has no name"), (7, "must be a string")]
            as [(Any?, String)]
        {
            var plist = Self.good
            plist["CFBundleName"] = name
            let found = try findings(plist: plist)
            #expect(found.map(\.rule) == ["P7"] && found[0].text.contains(text), "\(found)")
        }
        var plist = Self.good
        plist["CFBundleName"] = ""
        plist["CFBundleDisplayName"] = "Dice"
        #expect(try findings(plist: plist) == [])
    }

    @Test("A service type that is none, and a local network without a reason, are findings", .covers("W8"))
    func localNetwork() throws {
        var plist = Self.good
        plist["NSLocalNetworkUsageDescription"] = "Talks with your dice."
        plist["NSBonjourServices"] = ["_lamp._tcp", "_Lamp-2._udp."]
        #expect(try findings(plist: plist) == [])
        let wrong = [
            "lamp._tcp", "_lamp", "_lamp._http", "_lamp._tcp.local.", "__._tcp", "_a name._tcp",
            "_sixteen-letters-._tcp",
        ]
        plist["NSBonjourServices"] = wrong
        let found = try findings(plist: plist)
        #expect(found.count == wrong.count && found.allSatisfy { $0.rule == "W8" && $0.isFatal }, "\(found)")
        plist["NSBonjourServices"] = ["_lamp._tcp"]
        plist["NSLocalNetworkUsageDescription"] = nil
        #expect(try findings(plist: plist).map(\.isFatal) == [false])
        plist["NSBonjourServices"] = "_lamp._tcp"
        #expect(try findings(plist: plist).map(\.rule) == ["W8"])
    }

    @Test(
        "A missing, misspelt or wrongly typed technology is a finding that names the key", .covers("P1"))
    func technologies() throws {
        let key = "NSAccessorySetupSupports"
        let wrong: [(Any?, String)] = [
            (nil, "NSAccessorySetupSupports is missing"), ("Bluetooth", "must be an array of strings"),
            (["bluetooth"], "write Bluetooth"), (["Wi-Fi"], "write WiFi"), (["NFC"], "use Bluetooth or WiFi"),
            ([String](), "is empty"),
        ]
        for (value, text) in wrong {
            var plist = Self.good
            plist[key] = value
            let found = try findings(plist: plist).filter { $0.rule == "P1" }
            #expect(found.first?.text.contains(text) == true, "\(found)")
            #expect(found.first?.text.contains(key) == true && found.first?.isFatal == true)
        }
        let wifi = try findings(plist: Self.good.merging([key: ["WiFi"]]) { $1 })
        #expect(wifi.map(\.rule) == ["P1"])
    }

    @Test(
        "Every wrong service, name and company identifier is a finding, not only the first",
        .covers("P2", "P3", "P4", "P5", "D1"))
    func identifiers() throws {
        var plist = Self.good
        plist["NSAccessorySetupBluetoothServices"] = ["d1ce", "none", "0000D1CE-0000-1000-8000-00805F9B34FB"]
        plist["NSAccessorySetupBluetoothNames"] = ["Die", ""]
        plist["NSAccessorySetupBluetoothCompanyIdentifiers"] = ["12345", 0, true, "004C", 76] as [Any]
        let found = try findings(plist: plist)
        #expect(found.map(\.rule) == ["P5", "P2", "P5", "P3", "P4", "P4", "P4"], "\(found)")
        #expect(found.filter { !$0.isFatal }.map(\.rule) == ["P5", "P5"])
        #expect(try findings(plist: ["NSAccessorySetupSupports": ["Bluetooth"]]).map(\.rule) == ["P7", "D1"])
        let types = Self.good.merging(["NSAccessorySetupBluetoothNames": [7]]) { $1 }
        #expect(try findings(plist: types).first?.text.contains("NSAccessorySetupBluetoothNames") == true)
    }

    @Test("A company identifier that only a decimal number can mean is a warning", .covers("P4"))
    func decimalCompanies() throws {
        let key = "NSAccessorySetupBluetoothCompanyIdentifiers"
        let found = try findings(
            plist: Self.good.merging([key: ["1177", "0059", "4660", "FFFF", "004C", 1177]]) { $1 })
        #expect(found.map(\.rule) == ["P4"] && found[0].text.hasSuffix("for 1177 write “0499”"), "\(found)")
        #expect(!found[0].isFatal)
    }

    @Test("A key that Apple does not have is a finding with the key that is meant", .covers("P1"))
    func unknownKeys() throws {
        let services = "NSAccessorySetupBluetoothServices"
        var plist = Self.good
        plist["NSAccessorySetupBluetoothServiceUUIDs"] = ["D1CE"]
        let beside = try findings(plist: plist)
        #expect(beside.map(\.isFatal) == [false] && beside[0].text.contains("remove it; \(services)"), "\(beside)")
        plist[services] = nil
        let alone = try findings(plist: plist)
        #expect(alone.map(\.rule) == ["P1", "D1"] && alone[0].isFatal && alone[0].text.hasSuffix("write \(services)"))
        let other = try findings(plist: Self.good.merging(["NSAccessoryCompanionMode": true]) { $1 })
        #expect(other.map(\.isFatal) == [false] && other[0].text.contains("AccessorySetupKit has"), "\(other)")
    }

    @Test("The OpenStep format is read, and advised against", .covers("P1"))
    func openStep() throws {
        let list = Data("{ CFBundleName = Dice; NSAccessorySetupSupports = (WiFi); }".utf8)
        let found = try findings(["Info.plist": list, "App.entitlements": Data("{ \(Self.hotspot) = YES; }".utf8)])
        #expect(found.map(\.rule) == ["P1", "N1", "W1", "W1"], "\(found)")
        #expect(found[0].text.contains("OpenStep") && !found[0].isFatal && found[2].text.contains("must be a Boolean"))
    }

    @Test("An extension needs its point and its own entitlement; the app's keys are not its own", .covers("N7"))
    func extensions() throws {
        let point = "com.apple.accessory-data-provider"
        let entitlement = "com.apple.developer.accessory-data-provider"
        func found(_ plist: [String: Any], _ entitlements: [String: Any]? = nil) throws -> [AppFinding] {
            func data(_ root: [String: Any]) throws -> Data {
                try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
            }
            var files = ["Info.plist": try data(Self.good), "Provider/Info.plist": try data(plist)]
            if let entitlements { files["Provider/Provider.entitlements"] = try data(entitlements) }
            return try findings(files)
        }
        let good: [String: Any] = ["EXAppExtensionAttributes": ["EXExtensionPointIdentifier": point]]
        #expect(try found(good, [entitlement: true]) == [])
        #expect(try found(["CFBundleName": "no extension"]) == [])
        let other = ["EXAppExtensionAttributes": ["EXExtensionPointIdentifier": "com.apple.widgetkit-extension"]]
        #expect(try found(other, [:]) == [])
        let wrong: [[String: Any]] = [
            ["EXAppExtensionAttributes": ["EXExtensionPointIdentifier": point + "s"]],
            ["EXAppExtensionAttributes": [String: Any]()], ["EXAppExtensionAttributes": point],
            ["NSExtension": ["NSExtensionPointIdentifier": point]],
        ]
        for plist in wrong {
            let findings = try found(plist)
            #expect(findings.map(\.rule) == ["N7"] && findings[0].isFatal, "\(findings)")
            #expect(findings[0].file == "Provider/Info.plist")
        }
        let without = try found(good, [:])
        #expect(without.map(\.rule) == ["N7"] && without[0].text.contains(entitlement), "\(without)")
        let setup = try found(good.merging(["NSAccessorySetupSupports": ["WiFi"]]) { $1 })
        #expect(setup.map(\.rule) == ["P1"] && !setup[0].isFatal)
    }

    @Test("Entitlements that one build has and another has not are a warning in the one that lacks them", .covers("W1"))
    func contradictions() throws {
        func file(_ isOn: Bool) throws -> Data {
            try PropertyListSerialization.data(fromPropertyList: [Self.hotspot: isOn], format: .xml, options: 0)
        }
        let list = try PropertyListSerialization.data(fromPropertyList: Self.good, format: .xml, options: 0)
        let both = try findings([
            "Info.plist": list, "Debug.entitlements": try file(true), "R.entitlements": try file(true),
        ])
        #expect(both == [])
        let one = try findings([
            "Info.plist": list, "Debug.entitlements": try file(true), "R.entitlements": try file(false),
        ])
        #expect(one.map(\.file) == ["R.entitlements", "R.entitlements"], "\(one)")
        #expect(one.last?.text.contains("on in Debug.entitlements") == true && one.last?.isFatal == false)
    }

    @Test("A missing or unreadable property list is a finding, never a trap", .covers("P1"))
    func unreadable() throws {
        #expect(try findings([:]).map(\.rule) == ["P1"])
        for data in [Data(), Data([0, 1, 2]), Data("<plist><array/></plist>".utf8), Data("bplist00".utf8)] {
            #expect(try findings(["Info.plist": data]).map(\.rule) == ["P1"])
        }
    }

    @Test("Entitlements are Booleans; forwarding needs three, joining networks one", .covers("N1", "W1"))
    func entitlements() throws {
        let three = ["data-provider", "transport-extension", "transport-security"].map {
            "com.apple.developer.accessory-\($0)"
        }
        let hotspot = "com.apple.developer.networking.HotspotConfiguration"
        #expect(try findings(entitlements: [hotspot: true]) == [])
        #expect(try findings(entitlements: [:]).map(\.rule) == ["W1"])
        #expect(try findings(entitlements: [hotspot: "yes"]).map(\.rule) == ["W1", "W1"])
        let part = try findings(entitlements: [hotspot: true, three[0]: true, three[1]: false])
        #expect(part.map(\.rule) == ["N1"] && part[0].text.contains(three[1]) && part[0].text.contains(three[2]))
        let misspelt = try findings(entitlements: [hotspot: true, three[0] + "s": true])
        #expect(misspelt.map(\.rule) == ["N1"] && misspelt[0].text.contains(three[0]))
        #expect(try findings(["Info.plist": Data(), "App.entitlements": Data([1])]).map(\.rule) == ["P1", "N1"])
    }

    @Test("An opaque or small picture is advised against, a broken one is fatal, an icon is ignored", .covers("K17"))
    func pictures() throws {
        #expect(
            try findings(pictures: ["die@2x.png": "DiceApp/die@2x.png"]).map(\.text) == [
                "its 360×240 pixels are too few for @3x: add an @3x file with 540×360"
            ])
        let both = ["Pictures/die@2x.png": "DiceApp/die@2x.png", "Pictures/die@3x.png": "DiceApp/die@3x.png"]
        #expect(try findings(pictures: both) == [])
        let opaque = try findings(pictures: ["die.jpg": "Pictures/die.jpg"])
        #expect(opaque.map(\.rule) == ["K17", "K17"] && opaque[0].text.contains("opaque background"))
        #expect(opaque.allSatisfy { !$0.isFatal })
        let icons = ["AppIcon60.jpg": "Pictures/die.jpg", "A.appiconset/x.jpg": "Pictures/die.jpg"]
        #expect(try findings(pictures: icons) == [])
        let broken = try findings(pictures: ["die.png": "DiceApp/Info.plist"])
        #expect(broken.map(\.rule) == ["K17"] && broken[0].isFatal && broken[0].file == "die.png")
    }
}
