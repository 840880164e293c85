import Foundation
import HILPhone
import RadioModel
import TestSupport
import Testing

/// An app's property lists, good and bad.
@Suite struct PropertyListTests {
    private static let supports = "NSAccessorySetupSupports"
    private static let services = "NSAccessorySetupBluetoothServices"
    private static let names = "NSAccessorySetupBluetoothNames"
    private static let companies = "NSAccessorySetupBluetoothCompanyIdentifiers"

    /// Runs `body` with the path of a temporary file that contains `data`.
    private func withFile<Value>(_ data: Data, _ body: (String) throws -> Value) throws -> Value {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("hil-\(UUID()).plist")
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }

    private func read(
        _ root: Any, _ format: PropertyListSerialization.PropertyListFormat = .xml
    ) throws -> AppPropertyList {
        let data = try PropertyListSerialization.data(fromPropertyList: root, format: format, options: 0)
        return try withFile(data) { try AppPropertyList(contentsOf: $0) }
    }

    /// A binary list of arrays, each with `width` references to the next one.
    private static func nested(_ depth: Int, width: Int) -> Data {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<depth {
            offsets.append(UInt8(bytes.count))
            let next = level + 1 < depth ? level + 1 : level
            bytes += [0xA0 | UInt8(level + 1 < depth ? width : 0)]
            if level + 1 < depth { bytes += Array(repeating: UInt8(next), count: width) }
        }
        return list(bytes, offsets)
    }

    /// A binary list from its objects, with offsets and references of one byte.
    private static func list(_ objects: [UInt8], _ offsets: [UInt8]) -> Data {
        func number(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        return Data(
            objects + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + number(offsets.count) + number(0) + number(objects.count))
    }

    @Test(
        "A list of some hundred bytes that stands for more than any memory holds is refused at once",
        arguments: [
            // 2 to the 30th values; itself in itself; a string and an array longer than the file; 200 in each other.
            Self.nested(31, width: 2), Self.list(Array("bplist00".utf8) + [0xA1, 0], [8]),
            Self.list(Array("bplist00".utf8) + [0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [8]),
            Self.list(Array("bplist00".utf8) + [0xAF, 0x12, 0x04, 0xFF, 0xFF, 0xFF], [8]), Self.nested(100, width: 1),
            Data(("<plist>" + String(repeating: "<array>", count: 100_000)).utf8),
            Data(String(repeating: "(", count: 100_000).utf8), Data(count: 5 << 20),
        ])
    func hostile(data: Data) throws {
        let began = ContinuousClock.now
        #expect {
            try withFile(data) { _ = try AppPropertyList(contentsOf: $0) }
        } throws: {
            "\($0)".contains(".plist")
        }
        #expect(ContinuousClock.now - began < .seconds(5))
    }

    @Test("Values that are shared, nested and long are read as far as an app has them")
    func shared() throws {
        let many = (0..<2000).map { String(0x1000 + $0, radix: 16) }
        let list = try read(["NSAccessorySetupBluetoothServices": many, "more": [["x": many], ["x": many]]], .binary)
        #expect(list.services.count == 2000)
        #expect(try read(["CFBundleName": String(repeating: ":( {", count: 500)]).services == [])
    }

    @Test(
        "XML and binary, both spellings of the key and all forms of identifiers are read", .covers("P1", "P4", "P5"),
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func reading(format: PropertyListSerialization.PropertyListFormat) throws {
        let list = try read(
            [
                "NSAccessorySetupKitSupports": ["Bluetooth"], Self.services: ["180f", "180A"],
                Self.companies: ["FFFF", "0x004c", 7, "0089"] as [Any],
            ] as [String: Any], format)
        #expect(list.supports == [.bluetooth])
        #expect(list.services == [BluetoothUUID("180F")!, BluetoothUUID("180A")!])
        #expect(list.lowerCaseServices == ["180f"])
        #expect(list.companyIdentifiers == [0xFFFF, 0x004C, 7, 0x0089] && list.digitalCompanies == ["0089"])
    }

    @Test("The local network's keys are read; service types are compared without case and the last dot", .covers("W8"))
    func localNetwork() throws {
        let list = try read(
            ["NSLocalNetworkUsageDescription": "Why", "NSBonjourServices": ["_lamp._tcp.", "_Gadgets._udp"]]
                as [String: Any])
        #expect(list.localNetworkUsage == "Why" && list.bonjourServices == ["_lamp._tcp", "_gadgets._udp"])
        #expect(list.declares(serviceType: "_LAMP._tcp") && list.declares(serviceType: "_gadgets._udp."))
        #expect(!list.declares(serviceType: "_lamp._udp"))
        #expect(throws: AppBundleError.self) { try read(["NSBonjourServices": "_lamp._tcp"]) }
    }

    @Test("Build settings are replaced by the bundle's values, and those without a value are told", .covers("P1"))
    func buildSettings() throws {
        let root: [String: Any] = [
            "CFBundleDisplayName": "${NAME} – $(PRODUCT_NAME:c99extidentifier) $5 $(", "CFBundleName": "Dice",
            "NSBluetoothAlwaysUsageDescription": "$(PRODUCT_NAME) reads your rolls.",
            Self.names: ["$(DIE_NAME)", "$(UNKNOWN:lower)", "$(UNKNOWN)"],
            "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)", "CFBundleShortVersionString": "2.$(MINOR)",
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        let list = try withFile(data) {
            try AppPropertyList(
                contentsOf: $0,
                buildSettings: ["NAME": "Würfel", "PRODUCT_NAME": "My Dice", "DIE_NAME": "Die", "MINOR": "4"])
        }
        #expect(list.version == "2.4")
        #expect(list.displayName == "Würfel – My_Dice $5 $(")
        #expect(list.bluetoothUsage == "My Dice reads your rolls.")
        #expect(list.names == ["Die", "$(UNKNOWN:lower)", "$(UNKNOWN)"])
        #expect(list.missingBuildSettings == ["UNKNOWN"])
        let plain = try withFile(data) { try AppPropertyList(contentsOf: $0) }
        #expect(plain.version == nil, "and neither is such a version")
        #expect(plain.displayName == nil, "a name with a setting that nobody gave is not shown")
        #expect(plain.missingBuildSettings == ["NAME", "PRODUCT_NAME", "DIE_NAME", "UNKNOWN"])
    }

    /// A key, and a value that it must not have.
    private static var wrong: [(String, Any)] {
        let neverStrings: [Any] = [
            "Bluetooth", 1, true, Data([1]), ["a": "b"], [1], ["Bluetooth", 1] as [Any], [["a"]],
        ]
        let lists = [supports, "NSAccessorySetupKitSupports", services, names].flatMap { key in
            neverStrings.map { (key, $0) }
        }
        let numbers: [Any] = [
            "FFFF", 1, ["12345"], ["-1"], ["0x"], [""], ["XYZ"], [-1], [65_536], [7.5], [Data([1])], [["1"]], [Date()],
        ]
        return lists + numbers.map { (companies, $0) } + [
            (services, ["no UUID"]), (services, [""]), (services, ["180"]),
        ]
    }

    @Test("A wrong type under any key is an error with the file and the key", .covers("P1", "P2", "P3", "P4"))
    func wrongTypes() throws {
        for (key, value) in Self.wrong {
            for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
                let error = #expect(throws: AppBundleError.self, "\(key): \(value)") { try read([key: value], format) }
                #expect(error?.description.contains(key) == true, "\(value)")
                #expect(error?.description.contains(".plist") == true)
            }
        }
    }

    @Test("A missing, empty or truncated file, or one without a dictionary, is an error with its path")
    func unreadable() throws {
        let whole = try PropertyListSerialization.data(
            fromPropertyList: [Self.supports: ["Bluetooth"]], format: .binary, options: 0)
        let broken = [
            Data(), Data([0, 1, 2]), Data("<plist".utf8), whole.prefix(whole.count / 2),
            try PropertyListSerialization.data(fromPropertyList: ["an array"], format: .xml, options: 0),
        ]
        for data in broken {
            let error = #expect(throws: AppBundleError.self) {
                try withFile(data) { try AppPropertyList(contentsOf: $0) }
            }
            #expect(error?.description.contains(".plist") == true)
        }
        let error = #expect(throws: AppBundleError.self) { try AppPropertyList(contentsOf: "/nowhere/Info.plist") }
        #expect(error?.description.contains("/nowhere/Info.plist") == true)
    }

    @Test("An unknown technology counts as missing, and the crash's reason names it", .covers("P1"))
    func unknownTechnology() throws {
        let list = try read([Self.supports: ["bluetooth"]])
        #expect(list.supports.isEmpty)
        #expect(SetupRules.violation(in: list)?.reason.contains("“bluetooth”") == true)
    }
}
