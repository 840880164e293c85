import Foundation
import RadioModel
import Testing

@testable import HILBlueZ
@testable import HILPhone

/// Any advertisements of strangers that a phone hears.
@Suite(.serialized)
struct PhoneFuzzTests {
    @Test("For any advertisement, many descriptors find what each alone finds, and a picker does not trap")
    func advertisements() async throws {
        let service: [UInt8] = [0x11, 0x07] + (1...16)
        let corpus: [[UInt8]] = [
            [2, 1, 6], [3, 3, 0x0F, 0x18], service, [6, 9] + Array("Die 7".utf8), [4, 8] + Array("Die".utf8),
            [5, 0xFF, 0xFF, 0xFF, 0xA5, 0x17], [5, 0x16, 0x0F, 0x18, 1, 2], [6, 9] + Array("W\u{FC}rf".utf8),
            [2, 0x0A, 4], [3, 9, 0xFF, 0xFE], [3, 0x16, 0x0F, 0x18],
        ]
        let descriptors = PhoneFuzzTests.descriptors(service: BluetoothUUID(bytes: (1...16).reversed())!)
        let index = DescriptorIndex(descriptors)
        await Fuzzer(corpus: corpus).run("advertisements") { bytes, numbers in
            let data = AdvertisingData(decoding: bytes)
            var heard = Advertisement(
                address: DeviceAddress(bytes: [2, 0, 0, 0, 0, UInt8.random(in: 0...255, using: &numbers)])!,
                name: data.name, serviceUUIDs: data.serviceUUIDs, rssi: Int.random(in: -128...20, using: &numbers))
            (heard.manufacturerData, heard.serviceData) = (data.manufacturerData, data.serviceData)
            let expected = descriptors.firstIndex { PhoneFuzzTests.matches(heard, $0) }
            guard index.firstMatch(heard) == expected else {
                throw Fuzzer.Finding(
                    "\(String(describing: index.firstMatch(heard))) is not \(String(describing: expected))")
            }
            var machine = PickerMachine(
                PickerMachine.Configuration(
                    items: descriptors.map { PickerItem(name: "Die", descriptor: $0) }, policy: HostPolicy(),
                    identifier: { _ in UUID() }))
            _ = machine.handle(.start)
            _ = machine.handle(.heard(heard))
            guard machine.entries.count == (expected == nil ? 0 : 1) else { throw Fuzzer.Finding("it is not offered") }
        }
    }

    /// Some of each kind of criterion.
    private static func descriptors(service: BluetoothUUID) -> [DiscoveryDescriptor] {
        let battery = BluetoothUUID("180F")
        let changes: [(inout DiscoveryDescriptor) -> Void] = [
            { ($0.serviceUUID, $0.nameSubstring) = (battery, "Die") },
            {
                ($0.serviceUUID, $0.nameSubstring) = (service, "die")
                $0.nameCompareOptions = NSString.CompareOptions.caseInsensitive.rawValue
            }, { ($0.serviceUUID, $0.nameSubstring) = (service, "ü") },
            {
                $0.companyIdentifier = 0xFFFF
                ($0.manufacturerDataBlob, $0.manufacturerDataMask) = (Data([0xA0, 7]), Data([0xF0, 15]))
            },
            {
                $0.serviceUUID = battery
                ($0.serviceDataBlob, $0.serviceDataMask) = (Data([1]), Data([1]))
            }, { ($0.serviceUUID, $0.companyIdentifier) = (battery, 0xFFFF) }, { $0.serviceUUID = service },
        ]
        return changes.map { change in
            var descriptor = DiscoveryDescriptor()
            change(&descriptor)
            return descriptor
        }
    }

    /// The rules D4 to D7 as they are written, without optimisation.
    private static func matches(_ heard: Advertisement, _ descriptor: DiscoveryDescriptor) -> Bool {
        func isMasked(_ payload: Data?, _ blob: Data?, _ mask: Data?) -> Bool {
            guard let blob, let mask else { return true }
            guard let payload, blob.count <= payload.count else { return false }
            return zip(zip(payload, mask), blob).allSatisfy { $0.0 & $0.1 == $1 }
        }
        if let uuid = descriptor.serviceUUID {
            guard heard.serviceUUIDs.contains(uuid) || heard.serviceData[uuid] != nil else { return false }
            guard isMasked(heard.serviceData[uuid], descriptor.serviceDataBlob, descriptor.serviceDataMask) else {
                return false
            }
        }
        if let company = descriptor.companyIdentifier {
            guard let data = heard.manufacturerData[company] else { return false }
            guard isMasked(data, descriptor.manufacturerDataBlob, descriptor.manufacturerDataMask) else { return false }
        }
        guard let substring = descriptor.nameSubstring else { return true }
        let options = NSString.CompareOptions(rawValue: descriptor.nameCompareOptions)
        return heard.name?.range(of: substring, options: options) != nil
    }
}
