import Foundation
import HILPhone
import RadioModel
import RuleCoverage
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

    @Test(
        "XML and binary, both spellings of the key and all forms of identifiers are read", .covers("P1", "P4", "P5"),
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func reading(format: PropertyListSerialization.PropertyListFormat) throws {
        let list = try read(
            [
                "NSAccessorySetupKitSupports": ["Bluetooth"], Self.services: ["180f", "180A"],
                Self.companies: ["FFFF", "0x004c", 7] as [Any],
            ] as [String: Any], format)
        #expect(list.supports == [.bluetooth])
        #expect(list.services == [BluetoothUUID("180F")!, BluetoothUUID("180A")!])
        #expect(list.lowerCaseServices == ["180f"])
        #expect(list.companyIdentifiers == [0xFFFF, 0x004C, 7])
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
            "CFBundleVersion": "$(CURRENT_PROJECT_VERSION)",
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        let list = try withFile(data) {
            try AppPropertyList(
                contentsOf: $0, buildSettings: ["NAME": "Würfel", "PRODUCT_NAME": "My Dice", "DIE_NAME": "Die"])
        }
        #expect(list.displayName == "Würfel – My_Dice $5 $(")
        #expect(list.bluetoothUsage == "My Dice reads your rolls.")
        #expect(list.names == ["Die", "$(UNKNOWN:lower)", "$(UNKNOWN)"])
        #expect(list.missingBuildSettings == ["UNKNOWN"])
        let plain = try withFile(data) { try AppPropertyList(contentsOf: $0) }
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
