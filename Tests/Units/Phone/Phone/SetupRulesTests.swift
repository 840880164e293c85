import Foundation
import HILPhone
import RadioModel
import TestSupport
import Testing

/// Mistakes that crash an app before its picker opens, and mistakes that are warnings: rules P1 to P6, D1 to D3, K7,
/// K17.
@Suite struct SetupRulesTests {
    private let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!

    private var declared: AppPropertyList {
        var list = AppPropertyList()
        list.supports = [.bluetooth, .wifi]
        list.services = [service]
        list.names = ["Die"]
        list.companyIdentifiers = [0xFFFF]
        return list
    }

    private func item(_ change: (inout DiscoveryDescriptor) -> Void) -> PickerItem {
        var descriptor = DiscoveryDescriptor()
        descriptor.serviceUUID = service
        change(&descriptor)
        return PickerItem(name: "Bluetooth Die", descriptor: descriptor)
    }

    private func broken(_ list: AppPropertyList? = nil, _ change: (inout DiscoveryDescriptor) -> Void) -> String? {
        SetupRules.violation(in: [item { _ in }, item(change)], declared: list ?? declared)?.rule
    }

    @Test("An app must declare the technologies that it uses", .covers("P1", "P6"))
    func technologies() {
        #expect(SetupRules.violation(in: AppPropertyList())?.rule == "P1")
        var wifiOnly = declared
        wifiOnly.supports = [.wifi]
        #expect(broken(wifiOnly) { _ in } == "P1")
        var bluetoothOnly = declared
        bluetoothOnly.supports = [.bluetooth]
        #expect(broken(bluetoothOnly) { $0.ssid = "Die-7" } == "P6")
        #expect(broken { $0.ssid = "Die-7" } == nil)
    }

    @Test(
        "An app must declare the services, names and companies that it uses; the reason names the key",
        .covers("P2", "P3", "P4"))
    func identifiers() throws {
        #expect(broken { $0.serviceUUID = BluetoothUUID("180F") } == "P2")
        #expect(broken { $0.nameSubstring = "Dice" } == "P3")
        #expect(broken { $0.companyIdentifier = 0x004C } == "P4")
        #expect(broken { ($0.nameSubstring, $0.companyIdentifier) = ("Die", 0xFFFF) } == nil)
        var decimal = declared
        (decimal.companyIdentifiers, decimal.digitalCompanies) = ([0x1177], ["1177"])
        let meant = SetupRules.violation(in: [item { $0.companyIdentifier = 1177 }], declared: decimal)
        #expect(meant?.reason.hasSuffix("“1177” there is read as 0x1177, not as 1177: write “0499”") == true)
        let another = SetupRules.violation(in: [item { $0.companyIdentifier = 0x004C }], declared: decimal)
        #expect(another?.reason.contains("1177") == false)
        let other = item { $0.serviceUUID = BluetoothUUID("180F") }
        let violation = try #require(SetupRules.violation(in: [other], declared: declared))
        #expect(violation.reason.contains("NSAccessorySetupBluetoothServices"))
    }

    @Test("A blob needs a mask of the same length, and the service or company that it belongs to", .covers("D2"))
    func masks() {
        #expect(broken { $0.serviceDataBlob = Data([1]) } == "D2")
        #expect(broken { $0.serviceDataMask = Data([1]) } == "D2")
        #expect(broken { ($0.serviceDataBlob, $0.serviceDataMask) = (Data([1]), Data([1, 2])) } == "D2")
        #expect(broken { ($0.manufacturerDataBlob, $0.manufacturerDataMask) = (Data([1]), Data([1])) } == "D2")
        #expect(broken { ($0.serviceDataBlob, $0.serviceDataMask) = (Data([1]), Data([1])) } == nil)
    }

    @Test("An item has an SSID or a prefix, not both, and the prefix is not empty", .covers("D3"))
    func networks() {
        #expect(broken { ($0.ssid, $0.ssidPrefix) = ("Die-7", "Die-") } == "D3")
        #expect(broken { $0.ssidPrefix = "" } == "D3")
    }

    @Test("An item needs a service UUID, a company identifier or a network", .covers("D1", "K7"))
    func defects() {
        var policy = HostPolicy()
        let nameOnly = item { ($0.serviceUUID, $0.nameSubstring) = (nil, "Die") }
        #expect(SetupRules.defect(of: nameOnly, policy: policy) != nil)
        #expect(SetupRules.defect(of: item { $0.serviceUUID = nil }, policy: policy) != nil)
        #expect(SetupRules.defect(of: item { _ in }, policy: policy) == nil)
        policy.bluetoothDescriptorNeedsMore = true
        #expect(SetupRules.defect(of: item { _ in }, policy: policy) != nil)
        #expect(SetupRules.defect(of: item { $0.nameSubstring = "Die" }, policy: policy) == nil)
    }

    @Test("A lower-case service and an opaque picture are warnings", .covers("P5", "K17"))
    func warnings() {
        var list = declared
        list.lowerCaseServices = ["d1ce"]
        var opaque = item { _ in }
        opaque.picture = ProductPicture(
            path: "die.png", width: 180, height: 120, scale: 1, hasAlpha: true, hasOpaqueBackground: true)
        #expect(SetupRules.warnings(in: [opaque], declared: list).map(\.rule) == ["P5", "K17"])
        #expect(SetupRules.warnings(in: [item { _ in }], declared: declared).isEmpty)
    }
}
