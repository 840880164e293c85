import AccessorySetupKit
import Foundation
import HILTiming
import HostRadio
import RadioModel
import SystemConfiguration
import TestSupport
import Testing

@testable import HILPhone
@testable import NetworkExtension

/// Which app is told the name of the network that the phone is on.
@Suite("The current network")
struct CurrentNetworkTests {
    /// An app that may ask for the current network.
    final class Curious: AppUnderTest {
        static let bundle: AppBundle = {
            var bundle = HotspotTests.App.bundle
            bundle.identifier = "com.example.curious"
            bundle.entitlements = entitlements
            return bundle
        }()
        private static let entitlements: String = {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("hil-wifi-info.entitlements").path
            let keys = ["com.apple.developer.networking.wifi-info": true]
            let data = try? PropertyListSerialization.data(fromPropertyList: keys, format: .xml, options: 0)
            _ = FileManager.default.createFile(atPath: file, contents: data)
            return file
        }()
        init() {}
    }

    private let radio = InMemoryRadio()
    private let phone: Phone

    init() {
        phone = Phone(radio: radio, clock: ManualClock())
        let network = WiFiNetwork(
            ssid: "Die 7", bssid: DeviceAddress("9C:5A:81:00:00:11")!, frequency: 2412, signal: -42, security: .wpa2)
        radio.add(.init(network, passphrase: "seven is a prime") { _ in Data() })
    }

    private func join() async throws {
        let configuration = NEHotspotConfiguration(ssid: "Die 7", passphrase: "seven is a prime", isWEP: false)
        try await phone.asCurrent { try await NEHotspotConfigurationManager.shared.apply(configuration) }
    }

    @Test("An app with the entitlement is told the network that it configured, and nothing before", .covers("W16"))
    func own() async throws {
        _ = try await phone.launch(Curious.self)
        #expect(await phone.asCurrent { await NEHotspotNetwork.fetchCurrent() } == nil)
        try await join()
        let network = try #require(await phone.asCurrent { await NEHotspotNetwork.fetchCurrent() })
        #expect(network.ssid == "Die 7" && network.bssid == "9c:5a:81:00:00:11")
        #expect(network.securityType == .personal && network.isSecure)
        phone.asCurrent {
            let info: CFDictionary? = CNCopyCurrentNetworkInfo("en0")
            #expect(info?[kCNNetworkInfoKeySSID] as? String == "Die 7")
            let older: NSDictionary? = CNCopyCurrentNetworkInfo("en0")
            #expect(older?[kCNNetworkInfoKeyBSSID] as? String == "9c:5a:81:00:00:11")
            let none: CFDictionary? = CNCopyCurrentNetworkInfo("en1")
            let names: NSArray? = CNCopySupportedInterfaces()
            #expect(none == nil && names?.firstObject as? String == "en0")
        }
    }

    @Test("Without the entitlement, or on a network that another app configured, there is none", .covers("W16"))
    func others() async throws {
        _ = try await phone.launch(HotspotTests.App.self)
        try await join()
        #expect(await phone.asCurrent { await NEHotspotNetwork.fetchCurrent() } == nil)
        #expect(
            phone.log.events.contains {
                if case .warning("W16", let text) = $0.kind { text.contains("wifi-info") } else { false }
            })
        _ = try await phone.launch(Curious.self)
        #expect(phone.network.link?.ssid == "Die 7")
        #expect(await phone.asCurrent { await NEHotspotNetwork.fetchCurrent() } == nil)
    }

    @Test("The network of an accessory is joined by the accessory, without asking the person", .covers("W1"))
    func accessory() async throws {
        _ = try await phone.launch(Curious.self)
        phone.person.isWilling = false
        let record = AccessoryRecord(displayName: "Die", ssid: "Die 7", descriptor: DiscoveryDescriptor())
        phone.store.set(record, for: Curious.bundle.identifier)
        let accessory = ASAccessory(record)
        try await phone.asCurrent {
            try await NEHotspotConfigurationManager.shared.joinAccessoryHotspot(
                accessory, passphrase: "seven is a prime")
        }
        #expect(phone.network.link?.ssid == "Die 7" && phone.shownScreens.isEmpty)
        await #expect(throws: (any Error).self) {
            try await phone.asCurrent {
                try await NEHotspotConfigurationManager.shared.joinAccessoryHotspotWithoutSecurity(accessory)
            }
        }
    }
}
