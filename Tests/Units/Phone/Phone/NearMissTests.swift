import Foundation
import HostRadio
import RadioModel
import Testing

@testable import HILPhone

@Suite("What was heard and not what was searched for")
struct NearMissTests {
    private static let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!
    private static let address = DeviceAddress("02:00:00:00:00:B0")!

    private static func descriptor(_ change: (inout DiscoveryDescriptor) -> Void) -> DiscoveryDescriptor {
        var descriptor = DiscoveryDescriptor()
        change(&descriptor)
        return descriptor
    }

    private static func heard(_ change: (inout Advertisement) -> Void = { _ in }) -> Advertisement {
        var heard = Advertisement(address: address, name: "Latch 2", serviceUUIDs: [service], rssi: -48)
        change(&heard)
        return heard
    }

    @Test(
        "Each criterion that does not hold is named with both values",
        arguments: [
            (
                descriptor {
                    $0.companyIdentifier = 0x1234
                    $0.manufacturerDataBlob = Data([2, 2])
                    $0.manufacturerDataMask = Data([0xFF, 2])
                }, heard { $0.manufacturerData = [0x1234: Data([1, 0])] },
                "manufacturer data 01 00, wanted 02 02 under mask FF 02"
            ),
            (
                descriptor { $0.companyIdentifier = 0x1234 }, heard { $0.manufacturerData = [0x004C: Data()] },
                "it has manufacturer data of 0x004C, wanted that of 0x1234"
            ),
            (
                descriptor { $0.serviceUUID = BluetoothUUID("180F") }, heard(),
                "it advertises the service \(service), wanted 180F"
            ),
            (
                descriptor {
                    $0.serviceUUID = service
                    $0.serviceDataBlob = Data([7])
                    $0.serviceDataMask = Data([0xFF])
                }, heard(), "it has no service data of \(service), wanted 07 under mask FF"
            ),
            (
                descriptor { $0.nameSubstring = "latch" }, heard(),
                "the name “Latch 2”, wanted one with “latch” in the same case"
            ),
            (
                descriptor { $0.nameSubstring = "Latch 2000" }, heard(),
                "the name “Latch 2”, wanted one with “Latch 2000”, which begins with it: it may be cut off"
            ),
            (
                descriptor { $0.nameSubstring = "Lamp" }, heard { $0.name = nil },
                "it advertises no name, wanted one with “Lamp”"
            ),
        ])
    func criteria(descriptor: DiscoveryDescriptor, heard: Advertisement, reason: String) {
        let matcher = DescriptorMatcher(descriptor)
        #expect(!matcher.matches(heard))
        #expect(matcher.reasons(against: heard, signals: [-48], policy: HostPolicy()).reasons == [reason])
    }

    @Test("What a descriptor matches has no reasons, and each criterion counts")
    func matching() {
        let descriptor = Self.descriptor {
            $0.serviceUUID = Self.service
            $0.nameSubstring = "Latch"
            $0.range = .immediate
        }
        let policy = HostPolicy()
        let near = DescriptorMatcher(descriptor).reasons(
            against: Self.heard(), signals: [-40, -45, -50], policy: policy)
        #expect(near.reasons == [] && near.held == 3)
        let far = DescriptorMatcher(descriptor).reasons(
            against: Self.heard(), signals: [-70, -70, -70], policy: policy)
        #expect(far.reasons == ["−70 dBm on average of 3, wanted −50 dBm for immediate range"] && far.held == 2)
    }

    @Test(
        "Names of networks that look alike are told apart by their bytes",
        arguments: [
            ("Lamp-7", "Lamp-7", false, nil), ("", "Lamp-7", false, "its name is hidden, wanted “Lamp-7”"),
            ("Lamp-8", "Lamp-7", false, "its name is “Lamp-8”, wanted “Lamp-7”"),
            ("Lamp-7", "Lamp-", true, nil),
            ("lamp-7", "Lamp-", true, "its name is “lamp-7”, wanted one that begins with “Lamp-”"),
            (
                "Lamp-7 ", "Lamp-7", false,
                "its name is “Lamp-7 ”, wanted “Lamp-7” (bytes 4C 61 6D 70 2D 37 20, wanted 4C 61 6D 70 2D 37)"
            ),
        ])
    func names(heard: String, wanted: String, isPrefix: Bool, reason: String?) {
        #expect(NearMiss.name(heard, wanted: wanted, isPrefix: isPrefix) == reason)
    }

    @Test("A picker that offers nothing tells the nearest first, and forgets what it offers later")
    func picker() {
        let item = PickerItem(
            name: "Latch",
            descriptor: Self.descriptor {
                $0.serviceUUID = Self.service
                $0.nameSubstring = "Latch 3"
            })
        var machine = PickerMachine(
            PickerMachine.Configuration(items: [item], timeout: nil, policy: HostPolicy(), identifier: { _ in UUID() }))
        _ = machine.handle(.start)
        let other = Advertisement(address: DeviceAddress("02:00:00:00:00:B1")!, name: "Speaker", rssi: -30)
        _ = machine.handle(.heard(other))
        _ = machine.handle(.heard(Self.heard()))
        #expect(
            NearMiss.sorted(machine.nearMisses).map(\.description) == [
                "the picker: heard Latch 2 (02:00:00:00:00:B0, −48 dBm), but the name “Latch 2”, wanted one with “Latch 3”",
                "the picker: heard Speaker (02:00:00:00:00:B1, −30 dBm), but it advertises no service, wanted "
                    + "\(Self.service); the name “Speaker”, wanted one with “Latch 3”",
            ])
        _ = machine.handle(.heard(Self.heard { $0.name = "Latch 3" }))
        #expect(machine.nearMisses.count == 1)
    }
}
