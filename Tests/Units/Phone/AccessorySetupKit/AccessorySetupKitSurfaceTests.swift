import AccessorySetupKit
import HILPhone
import TestSupport
import Testing

/// The framework's public types: raw values, defaults and copies as Apple documents them.
@Suite struct AccessorySetupKitSurfaceTests {
    @Test("Raw values are those of Apple's headers")
    func rawValues() {
        #expect(ASDiscoveryDescriptor.WiFiAwareServiceRole.subscriber.rawValue == 10)
        #expect(ASDiscoveryDescriptor.WiFiAwareServiceRole(rawValue: 20) == .publisher)
        #expect(ASPickerDisplaySettings.Options.filterDiscoveryResults.rawValue == 1)
        #expect(ASAccessory.RenameOptions.ssid.rawValue == 1)
        #expect(ASAccessory.SupportOptions.bluetoothPairingLE.rawValue == 2)
        #expect(ASAccessory.SupportOptions.bluetoothTransportBridging.rawValue == 4)
        #expect(ASPickerDisplayItem.SetupOptions([.rename, .confirmAuthorization]).rawValue == 3)
        #expect(ASAccessory.AccessoryState(rawValue: 10) == .awaitingAuthorization)
        #expect(ASAccessory.AccessoryState(rawValue: 11) == nil)
        #expect(ASError.Code(rawValue: 550) == .pickerRestricted && ASError.Code(rawValue: 2) == nil)
        #expect(ASError.userRestricted == ASError.Code.userRestricted)
        #expect(ASBluetoothCompanyIdentifier(0x004C) == ASBluetoothCompanyIdentifier(rawValue: 76))
        #expect((ASError(.discoveryTimeout) as NSError).domain == ASErrorDomain)
        #expect((ASError(.discoveryTimeout) as NSError).code == 200)
        let id: ASAccessory.WiFiAwarePairedDeviceID = UInt64.max
        #expect(id == 18_446_744_073_709_551_615)
    }

    @Test("A copy of a descriptor has all properties")
    func descriptor() throws {
        let descriptor = ASDiscoveryDescriptor()
        #expect(descriptor.wifiAwareServiceRole == .subscriber && descriptor.bluetoothRange == .default)
        descriptor.bluetoothCompanyIdentifier = ASBluetoothCompanyIdentifier(0xFFFF)
        descriptor.bluetoothManufacturerDataBlob = Data([1])
        descriptor.bluetoothManufacturerDataMask = Data([3])
        descriptor.bluetoothServiceUUID = CBUUID(string: "180F")
        descriptor.bluetoothServiceDataBlob = Data([4])
        descriptor.bluetoothServiceDataMask = Data([5])
        descriptor.bluetoothNameSubstring = "Die"
        descriptor.bluetoothNameSubstringCompareOptions = [.caseInsensitive, .anchored]
        descriptor.bluetoothRange = .immediate
        descriptor.ssidPrefix = "Die-"
        descriptor.supportedOptions = [.bluetoothHID]
        descriptor.wifiAwareServiceName = "_die._tcp"
        descriptor.wifiAwareServiceRole = .publisher
        descriptor.wifiAwareModelNameMatch = ASPropertyCompareString(string: "Die", compareOptions: .caseInsensitive)
        descriptor.wifiAwareVendorNameMatch = ASPropertyCompareString(string: "Dice", compareOptions: [])
        let copy = try #require(descriptor.copy() as? ASDiscoveryDescriptor)
        #expect(copy == descriptor && copy.hash == descriptor.hash)
        #expect(copy.wifiAwareModelNameMatch?.string == "Die")
        #expect(copy.wifiAwareModelNameMatch?.compareOptions == .caseInsensitive)
        #expect(copy.bluetoothNameSubstringCompareOptions == [.caseInsensitive, .anchored])
        copy.wifiAwareServiceName = nil
        #expect(copy != descriptor)
    }

    @Test("Display settings are empty by default, and the session keeps a copy")
    func displaySettings() async throws {
        let settings = ASPickerDisplaySettings.default
        #expect(settings.options.isEmpty && settings.discoveryTimeout.rawValue == 30)
        typealias Timeout = ASPickerDisplaySettings.DiscoveryTimeout
        #expect([Timeout.short, .medium, .long].map(\.rawValue) == [60, 120, 300])
        #expect(Timeout.unbounded.rawValue == .infinity && Timeout(rawValue: 7).rawValue == 7)
        let session = try await SetupStand().session()
        #expect(session.pickerDisplaySettings == nil)
        settings.options.insert(.filterDiscoveryResults)
        session.pickerDisplaySettings = settings
        settings.options = []
        #expect(session.pickerDisplaySettings?.options == .filterDiscoveryResults)
    }

    @Test("A new migration item and new accessory settings are empty")
    func items() async throws {
        let stand = try await SetupStand()
        let item = ASMigrationDisplayItem(
            name: "Old Die", productImage: try stand.picture(), descriptor: ASDiscoveryDescriptor())
        #expect(item.peripheralIdentifier == nil && item.hotspotSSID == nil && item.wifiAwarePairedDeviceID == 0)
        #expect(item.name == "Old Die" && item.setupOptions.isEmpty && item.renameOptions.isEmpty)
        #expect(ASAccessorySettings.default.ssid == nil)
        #expect(ASAccessorySettings.default.bluetoothTransportBridgingIdentifier == nil)
    }
}
