import Foundation
import HILPhone
import RadioModel

/// 100 descriptors, and an advertisement that matches none of them or only the last, so that all must be checked.
struct MatchingCase {
    static let count = 100

    let name: String
    let descriptors: [DiscoveryDescriptor]
    let advertisement: Advertisement
    /// The index of the descriptor that matches; nil if none does.
    let expected: Int?

    /// `count` samples in microseconds per advertisement, each the mean of many rounds; nil if the wrong descriptor
    /// matches.
    func samples(count: Int) -> [Double]? {
        let index = DescriptorIndex(descriptors)
        let rounds = 100
        var samples: [Double] = []
        for _ in 0..<count {
            var right = 0
            let began = ContinuousClock.now
            for _ in 0..<rounds where index.firstMatch(advertisement) == expected { right += 1 }
            samples.append((ContinuousClock.now - began) / .microseconds(1) / Double(rounds))
            guard right == rounds else { return nil }
        }
        return samples
    }

    static let all = [
        names("of one service, by names", "Die 7", options: []),
        names(
            "of one service, by names of up to 248 bytes", String(repeating: "Die 7 of the set, ", count: 13),
            options: []),
        names("of one service, by names without case", "DIE 7", options: .caseInsensitive),
        names(
            "of one service, by names without case and marks", "Würfel 7",
            options: [.caseInsensitive, .diacriticInsensitive]),
        names("of one service, by names beyond ASCII", "サイコロ七", options: [], stem: "サイコロ"),
        services, masks("of one company, by 24 bytes that differ in the middle", length: 24, place: 12),
        masks("of one company, by 248 bytes that differ in the middle", length: 248, place: 124), serviceData,
    ]

    private static let service = BluetoothUUID("D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47")!

    private static func heard(_ change: (inout Advertisement) -> Void) -> Advertisement {
        var advertisement = Advertisement(address: DeviceAddress("9C:5A:81:00:00:07")!, rssi: -50)
        change(&advertisement)
        return advertisement
    }

    private static func descriptors(_ change: (inout DiscoveryDescriptor, Int) -> Void) -> [DiscoveryDescriptor] {
        (0..<count).map { number in
            var descriptor = DiscoveryDescriptor()
            change(&descriptor, number)
            return descriptor
        }
    }

    /// Descriptors of one service. Their names differ at the end from each other and from the advertised name.
    private static func names(
        _ name: String, _ text: String, options: NSString.CompareOptions, stem: String = "Die "
    ) -> MatchingCase {
        MatchingCase(
            name: name,
            descriptors: descriptors { descriptor, number in
                descriptor.serviceUUID = service
                descriptor.nameSubstring = "\(stem)\(100 + number)"
                descriptor.nameCompareOptions = options.rawValue
            }, advertisement: heard { ($0.serviceUUIDs, $0.name) = ([service], text) }, expected: nil)
    }

    /// Descriptors with different services. The last one is advertised.
    private static let services = MatchingCase(
        name: "each of a service of its own",
        descriptors: descriptors { $0.serviceUUID = BluetoothUUID(bytes: [0x18, UInt8($1)]) },
        advertisement: heard { $0.serviceUUIDs = [BluetoothUUID(bytes: [0x18, UInt8(count - 1)])!] },
        expected: count - 1)

    /// Descriptors of one company. Their data differ in only one byte.
    private static func masks(_ name: String, length: Int, place: Int) -> MatchingCase {
        let rest = length - place - 1
        return MatchingCase(
            name: name,
            descriptors: descriptors { descriptor, number in
                descriptor.companyIdentifier = 0xFFFF
                descriptor.manufacturerDataBlob =
                    Data(repeating: 0xA0, count: place) + [UInt8(number)] + Data(repeating: 0xA0, count: rest)
                descriptor.manufacturerDataMask =
                    Data(repeating: 0xF0, count: place) + [0xFF] + Data(repeating: 0xF0, count: rest)
            }, advertisement: heard { $0.manufacturerData = [0xFFFF: Data(repeating: 0xA5, count: length)] },
            expected: nil)
    }

    /// Descriptors of one service and one company. Only the service data differ.
    private static let serviceData = MatchingCase(
        name: "of one service and company, by masked service data",
        descriptors: descriptors { descriptor, number in
            (descriptor.serviceUUID, descriptor.companyIdentifier) = (service, 0xFFFF)
            descriptor.serviceDataBlob = Data([1, 2, 3, UInt8(number)])
            descriptor.serviceDataMask = Data([0xFF, 0xFF, 0xFF, 0xFF])
        },
        advertisement: heard {
            $0.serviceData = [service: Data([1, 2, 3, 0xFF, 5])]
            $0.manufacturerData = [0xFFFF: Data([1])]
        }, expected: nil)
}
