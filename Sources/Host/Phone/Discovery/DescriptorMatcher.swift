import Foundation
import RadioModel

/// Holds what is heard against one descriptor. Range is not its affair: that takes several reports.
public struct DescriptorMatcher: Sendable {
    public let descriptor: DiscoveryDescriptor
    private let blobLength: HostPolicy.BlobLength

    public init(_ descriptor: DiscoveryDescriptor, policy: HostPolicy = HostPolicy()) {
        self.descriptor = descriptor
        blobLength = policy.blobLength
    }

    /// Whether all Bluetooth criteria match (D4 to D7); false if there are none.
    ///
    /// A network that the descriptor names too need not be on the air: the Bluetooth side is set up first.
    public func matches(_ advertisement: Advertisement) -> Bool {
        guard descriptor.usesBluetooth else { return false }
        return matchesService(advertisement) && matchesCompany(advertisement) && matchesName(advertisement)
    }

    /// Whether a descriptor of Wi-Fi alone matches a network (D9).
    public func matches(_ network: WiFiNetwork) -> Bool {
        guard !descriptor.usesBluetooth else { return false }
        if let ssid = descriptor.ssid { return network.ssid == ssid }
        if let prefix = descriptor.ssidPrefix { return !prefix.isEmpty && network.ssid.hasPrefix(prefix) }
        return false
    }

    private func matchesService(_ advertisement: Advertisement) -> Bool {
        guard let uuid = descriptor.serviceUUID else { return true }
        let data = advertisement.serviceData[uuid]
        guard data != nil || advertisement.serviceUUIDs.contains(uuid) else { return false }
        return matches(data, blob: descriptor.serviceDataBlob, mask: descriptor.serviceDataMask)
    }

    private func matchesCompany(_ advertisement: Advertisement) -> Bool {
        guard let company = descriptor.companyIdentifier else { return true }
        guard let data = advertisement.manufacturerData[company] else { return false }
        return matches(data, blob: descriptor.manufacturerDataBlob, mask: descriptor.manufacturerDataMask)
    }

    private func matchesName(_ advertisement: Advertisement) -> Bool {
        guard let substring = descriptor.nameSubstring else { return true }
        guard let name = advertisement.name else { return false }
        let options = NSString.CompareOptions(rawValue: descriptor.nameCompareOptions)
        return name.range(of: substring, options: options) != nil
    }

    /// `(payload & mask) == blob` (D6).
    private func matches(_ payload: Data?, blob: Data?, mask: Data?) -> Bool {
        guard let blob, let mask else { return true }
        guard let payload, blob.count == mask.count else { return false }
        guard blobLength == .prefix ? blob.count <= payload.count : blob.count == payload.count else { return false }
        return zip(zip(payload, mask), blob).allSatisfy { $0.0 & $0.1 == $1 }
    }
}
