import Foundation
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// Matching many descriptors at once gives the same result as each alone, and as Foundation: rules D4 to D7, D9, D10.
@Suite struct DescriptorIndexTests {
    private let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!

    /// The result of Foundation.
    private func foundation(_ pattern: String, _ text: String, _ options: NSString.CompareOptions) -> Bool {
        text.range(of: pattern, options: options) != nil
    }

    @Test("A name is searched as Foundation does, for all letters and options", .covers("D7"))
    func names() {
        let texts = [
            "Die 7", "DIE 7", "die", "", "Würfel 7", "Wu\u{308}rfel 7", "WÜRFEL", "wurfel", "Straße", "STRASSE", "Ⅶ",
            "Ｄｉｅ", "サイコロ", "さいころ", "🎲 7", "👨‍👩‍👧", "e\u{301}", "é", "e", "İ", "i", "ı", "\u{FFFD}", "a\r\nb",
            "aab", "abababc", "ǆ", "ﬁ", "fi", "Σς", "σ", "\u{0}", "7️⃣", "7",
        ]
        let single: [NSString.CompareOptions] = [
            .caseInsensitive, .literal, .backwards, .anchored, .numeric, .diacriticInsensitive, .widthInsensitive,
        ]
        let options =
            [[]] + single + [
                [.caseInsensitive, .diacriticInsensitive], [.anchored, .backwards], [.caseInsensitive, .anchored],
                [.caseInsensitive, .literal], [.caseInsensitive, .diacriticInsensitive, .widthInsensitive],
            ]
        for option in options {
            for pattern in texts {
                let compiled = TextPattern(pattern, options: option.rawValue)
                for text in texts {
                    var subject = PatternSubject(text)
                    let found = compiled.isFound(in: &subject)
                    #expect(
                        found == foundation(pattern, text, option),
                        "“\(pattern)” in “\(text)” under \(option.rawValue)")
                }
            }
        }
    }

    @Test("The first of many descriptors that matches is found", .covers("D4", "D5", "D6"))
    func index() {
        var numbers = SystemRandomNumberGenerator()
        let services = [service, BluetoothUUID("180F")!, BluetoothUUID("180A")!]
        for _ in 0..<300 {
            let descriptors = (0..<20).map { _ in random(services, &numbers) }
            let heard = advertisement(services, &numbers)
            let index = DescriptorIndex(descriptors)
            let isNear = Bool.random(using: &numbers)
            let expected = descriptors.firstIndex { descriptor in
                (isNear || descriptor.range == .default) && DescriptorMatcher(descriptor).matches(heard)
            }
            #expect(index.firstMatch(heard, isNear: isNear) == expected)
        }
    }

    private func random(_ services: [BluetoothUUID], _ numbers: inout some RandomNumberGenerator) -> DiscoveryDescriptor
    {
        var descriptor = DiscoveryDescriptor()
        descriptor.serviceUUID = Bool.random(using: &numbers) ? services.randomElement(using: &numbers) : nil
        descriptor.companyIdentifier = Bool.random(using: &numbers) ? UInt16.random(in: 1...2, using: &numbers) : nil
        descriptor.nameSubstring = Bool.random(using: &numbers) ? ["Die", "7", "die"].randomElement() : nil
        descriptor.range = Bool.random(using: &numbers) ? .immediate : .default
        if descriptor.companyIdentifier != nil, Bool.random(using: &numbers) {
            descriptor.manufacturerDataBlob = Data([UInt8.random(in: 0...1, using: &numbers)])
            descriptor.manufacturerDataMask = Data([1])
        }
        return descriptor
    }

    private func advertisement(
        _ services: [BluetoothUUID], _ numbers: inout some RandomNumberGenerator
    ) -> Advertisement {
        var heard = Advertisement(
            address: DeviceAddress("9C:5A:81:00:00:01")!, name: ["Die 7", "Cube", nil].randomElement(using: &numbers)!,
            serviceUUIDs: services.filter { _ in Bool.random(using: &numbers) })
        for company: UInt16 in 1...2 where Bool.random(using: &numbers) {
            heard.manufacturerData[company] = Data([UInt8.random(in: 0...3, using: &numbers)])
        }
        if Bool.random(using: &numbers) { heard.serviceData[services[0]] = Data() }
        return heard
    }

    @Test("Masks of any length match correctly in every byte, alone and among many", .covers("D6"))
    func masks() {
        for length in 1...40 {
            let payload = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) })
            var heard = Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!)
            heard.manufacturerData = [7: payload + [1]]
            heard.serviceData = [service: payload]
            let descriptors = (0...length).map { index in
                var descriptor = DiscoveryDescriptor()
                var blob = payload
                // Only the last descriptor's blob has no wrong byte.
                if index < length { blob[index] ^= 1 }
                descriptor.serviceUUID = service
                (descriptor.serviceDataBlob, descriptor.serviceDataMask) = (blob, Data(repeating: 0xFF, count: length))
                return descriptor
            }
            #expect(DescriptorIndex(descriptors).firstMatch(heard) == length)
            let companies = descriptors.map { descriptor in
                var company = DiscoveryDescriptor()
                company.companyIdentifier = 7
                company.manufacturerDataBlob = descriptor.serviceDataBlob
                company.manufacturerDataMask = descriptor.serviceDataMask
                return company
            }
            #expect(DescriptorIndex(companies).firstMatch(heard) == length)
            var exact = HostPolicy()
            exact.blobLength = .exact
            #expect(DescriptorIndex(descriptors, policy: exact).firstMatch(heard) == length)
            #expect(DescriptorIndex(companies, policy: exact).firstMatch(heard) == nil)
        }
        for length in 0...40 {
            let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            let mask = payload.indices.map { UInt8(truncatingIfNeeded: $0 &* 11 | 1) }
            let blob = zip(payload, mask).map { $0 & $1 }
            #expect(MaskedBytes(Data(blob), mask: Data(mask), length: .exact)?.match(payload[...]) == true)
            #expect(MaskedBytes(Data(blob), mask: Data(mask), length: .prefix)?.match((payload + [1])[...]) == true)
            #expect(MaskedBytes(Data(blob), mask: Data(mask), length: .exact)?.match((payload + [1])[...]) == false)
            for index in blob.indices {
                var other = blob
                other[index] ^= 1
                #expect(MaskedBytes(Data(other), mask: Data(mask), length: .prefix)?.match(payload[...]) == false)
            }
        }
        #expect(MaskedBytes(Data([1]), mask: Data([1]), length: .prefix)?.match(nil) == false)
    }

    @Test("SSIDs of 0 to 32 arbitrary bytes are compared byte by byte", .covers("D9"))
    func networkNames() {
        func network(_ ssid: String) -> WiFiNetwork {
            WiFiNetwork(
                ssid: ssid, bssid: DeviceAddress("02:00:00:00:00:01")!, frequency: 2412, signal: -40, security: .open)
        }
        func matches(_ ssid: String, prefix: String? = nil, exact: String? = nil) -> Bool {
            var descriptor = DiscoveryDescriptor()
            (descriptor.ssid, descriptor.ssidPrefix) = (exact, prefix)
            return DescriptorMatcher(descriptor).matches(network(ssid))
        }
        var numbers = SystemRandomNumberGenerator()
        for length in 0...32 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let ssid = String(decoding: bytes, as: UTF8.self)
            #expect(matches(ssid, exact: ssid) == !bytes.isEmpty)
            #expect(matches("Die-\(ssid)", prefix: "Die-"))
        }
        #expect(!matches("", exact: ""), "a hidden network has no name")
        #expect(!matches("W\u{FC}rfel", exact: "Wu\u{308}rfel"), "the letters look the same, but the bytes differ")
        #expect(!matches("e\u{301}-7", prefix: "\u{E9}"))
        #expect(matches("e\u{301}-7", prefix: "e"))
    }

    @Test("For Wi-Fi Aware, service, role, model and vendor must all match", .covers("D10"))
    func wifiAware() {
        let heard = WiFiAwareService(
            address: DeviceAddress("02:00:00:00:00:01")!, name: "_die._tcp", vendorName: "Dice Works",
            modelName: "Die 7")
        func matches(
            _ service: WiFiAwareService, _ policy: HostPolicy = HostPolicy(),
            _ change: (inout DiscoveryDescriptor) -> Void
        ) -> Bool {
            var descriptor = DiscoveryDescriptor()
            change(&descriptor)
            return DescriptorMatcher(descriptor, policy: policy).matches(service)
        }
        let caseless = NSString.CompareOptions.caseInsensitive.rawValue
        #expect(matches(heard) { $0.wifiAwareServiceName = "_DIE._tcp" })
        #expect(!matches(heard) { $0.wifiAwareServiceName = "_dice._tcp" })
        #expect(matches(heard) { $0.wifiAwareModel = .init("die", options: caseless) })
        #expect(!matches(heard) { $0.wifiAwareModel = .init("die") })
        #expect(!matches(heard) { ($0.wifiAwareModel, $0.wifiAwareVendor) = (.init("Die"), .init("Cards")) })
        #expect(!matches(heard) { _ in }, "a descriptor without criteria matches nothing")
        #expect(!matches(heard) { ($0.wifiAwareServiceName, $0.wifiAwareRole) = ("_die._tcp", .publisher) })
        var subscriber = heard
        subscriber.role = .subscriber
        #expect(matches(subscriber) { ($0.wifiAwareServiceName, $0.wifiAwareRole) = ("_die._tcp", .publisher) })
        var policy = HostPolicy()
        policy.wifiAwareRole = .ofAccessory
        #expect(matches(subscriber, policy) { $0.wifiAwareServiceName = "_die._tcp" })
        var silent = heard
        silent.modelName = nil
        #expect(!matches(silent) { $0.wifiAwareModel = .init("Die") })
    }
}
