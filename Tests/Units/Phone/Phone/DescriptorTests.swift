import Foundation
import HILPhone
import RadioModel
import TestSupport
import Testing

/// How one descriptor matches advertisements and networks: rules D1 and D4 to D9.
@Suite struct DescriptorTests {
    private let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!
    private let battery = BluetoothUUID("180F")!

    private func advertisement(_ change: (inout Advertisement) -> Void) -> Advertisement {
        var advertisement = Advertisement(address: DeviceAddress("9C:5A:81:00:00:01")!)
        change(&advertisement)
        return advertisement
    }

    private func matches(
        _ advertisement: Advertisement, policy: HostPolicy = HostPolicy(), _ change: (inout DiscoveryDescriptor) -> Void
    ) -> Bool {
        var descriptor = DiscoveryDescriptor()
        change(&descriptor)
        return DescriptorMatcher(descriptor, policy: policy).matches(advertisement)
    }

    @Test("All criteria of one descriptor must match", .covers("D4"))
    func allCriteria() {
        let die = advertisement {
            $0.name = "Die 7"
            $0.serviceUUIDs = [service]
            $0.manufacturerData = [0xFFFF: Data([1])]
        }
        #expect(matches(die) { ($0.serviceUUID, $0.nameSubstring, $0.companyIdentifier) = (service, "Die", 0xFFFF) })
        #expect(!matches(die) { ($0.serviceUUID, $0.nameSubstring) = (battery, "Die") })
        #expect(!matches(die) { ($0.serviceUUID, $0.nameSubstring) = (service, "Dice") })
        #expect(!matches(die) { ($0.serviceUUID, $0.companyIdentifier) = (service, 0x004C) })
    }

    @Test("A service UUID of any length matches the list of services or the service data", .covers("D5"))
    func serviceUUID() {
        #expect(matches(advertisement { $0.serviceUUIDs = [battery] }) { $0.serviceUUID = battery })
        #expect(matches(advertisement { $0.serviceData = [battery: Data()] }) { $0.serviceUUID = battery })
        let long = BluetoothUUID("0000180f-0000-1000-8000-00805f9b34fb")
        #expect(matches(advertisement { $0.serviceUUIDs = [battery] }) { $0.serviceUUID = long })
        #expect(!matches(advertisement { $0.name = "180F" }) { $0.serviceUUID = battery })
    }

    @Test("Masked data matches the beginning of the payload, or all of it", .covers("D6"))
    func maskedData() {
        let die = advertisement { $0.manufacturerData = [0xFFFF: Data([0xA5, 0x17, 0x99])] }
        let blob: (inout DiscoveryDescriptor) -> Void = {
            $0.companyIdentifier = 0xFFFF
            $0.manufacturerDataBlob = Data([0xA0, 0x07])
            $0.manufacturerDataMask = Data([0xF0, 0x0F])
        }
        var exact = HostPolicy()
        exact.blobLength = .exact
        #expect(matches(die, blob))
        #expect(!matches(die, policy: exact, blob))
        let short = advertisement { $0.manufacturerData = [0xFFFF: Data([0xA5])] }
        #expect(!matches(short, blob), "the blob is longer than the payload")
        // A slice keeps its indices: its first byte is not at index 0.
        let slice = advertisement { $0.serviceData = [service: Data([0, 0, 0xA5, 0x17])[2...]] }
        #expect(
            matches(slice) {
                $0.serviceUUID = service
                $0.serviceDataBlob = Data([0xA0, 0x07])
                $0.serviceDataMask = Data([0xF0, 0x0F])
            })
        #expect(
            !matches(advertisement { $0.serviceUUIDs = [service] }) {
                $0.serviceUUID = service
                $0.serviceDataBlob = Data([1])
                $0.serviceDataMask = Data([1])
            }, "the service is listed, but has no data")
    }

    @Test("A name is compared with case, unless the options say otherwise", .covers("D7"))
    func names() {
        let die = advertisement { ($0.name, $0.serviceUUIDs) = ("Lucky Die 7", [service]) }
        #expect(matches(die) { ($0.serviceUUID, $0.nameSubstring) = (service, "Die") })
        #expect(!matches(die) { ($0.serviceUUID, $0.nameSubstring) = (service, "die") })
        #expect(
            matches(die) {
                ($0.serviceUUID, $0.nameSubstring) = (service, "die")
                $0.nameCompareOptions = NSString.CompareOptions.caseInsensitive.rawValue
            })
        let nameless = advertisement { $0.serviceUUIDs = [service] }
        #expect(!matches(nameless) { ($0.serviceUUID, $0.nameSubstring) = (service, "Die") })
    }

    @Test("A network matches by exact SSID or by prefix", .covers("D9"))
    func networks() {
        let address = DeviceAddress("02:00:00:00:00:01")!
        let network = WiFiNetwork(ssid: "Die-7", bssid: address, frequency: 2412, signal: -42, security: .wpa3)
        func matches(_ change: (inout DiscoveryDescriptor) -> Void) -> Bool {
            var descriptor = DiscoveryDescriptor()
            change(&descriptor)
            return DescriptorMatcher(descriptor).matches(network)
        }
        #expect(matches { $0.ssid = "Die-7" })
        #expect(!matches { $0.ssid = "Die-" })
        #expect(matches { $0.ssidPrefix = "Die-" })
        #expect(!matches { $0.ssidPrefix = "die-" })
        #expect(!matches { $0.ssidPrefix = "" })
        #expect(
            !matches { ($0.ssid, $0.serviceUUID) = ("Die-7", service) },
            "a descriptor with Bluetooth criteria does not match a network")
    }
}
