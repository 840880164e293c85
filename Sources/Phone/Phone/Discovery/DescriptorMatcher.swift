import Foundation
import RadioModel

/// Matches advertisements and networks against one descriptor. It ignores range, which takes several signal reports.
package struct DescriptorMatcher: Sendable {
    package let descriptor: DiscoveryDescriptor
    let service: UUIDKey?
    private let name: TextPattern?
    private let serviceData: MaskedBytes?
    private let manufacturerData: MaskedBytes?
    private let model: TextPattern?
    private let vendor: TextPattern?
    private let awareRole: WiFiAwareService.Role

    package init(_ descriptor: DiscoveryDescriptor, policy: HostPolicy = HostPolicy()) {
        self.descriptor = descriptor
        service = descriptor.serviceUUID.map(UUIDKey.init)
        name = descriptor.nameSubstring.map { TextPattern($0, options: descriptor.nameCompareOptions) }
        serviceData = MaskedBytes(
            descriptor.serviceDataBlob, mask: descriptor.serviceDataMask, length: policy.blobLength)
        manufacturerData = MaskedBytes(
            descriptor.manufacturerDataBlob, mask: descriptor.manufacturerDataMask, length: policy.blobLength)
        model = descriptor.wifiAwareModel.map { TextPattern($0.text, options: $0.options) }
        vendor = descriptor.wifiAwareVendor.map { TextPattern($0.text, options: $0.options) }
        let isPhoneRole = policy.wifiAwareRole == .ofPhone
        awareRole = (descriptor.wifiAwareRole == .subscriber) == isPhoneRole ? .publisher : .subscriber
    }

    /// Whether all Bluetooth criteria match (D4 to D7); false if the descriptor has none.
    ///
    /// If the descriptor also names a network, that network may be absent: Bluetooth is set up first.
    package func matches(_ advertisement: Advertisement) -> Bool {
        var heard = HeardAdvertisement(advertisement)
        return matches(&heard)
    }

    func matches(_ heard: inout HeardAdvertisement) -> Bool {
        guard descriptor.usesBluetooth else { return false }
        if let service {
            guard let found = heard.service(service) else { return false }
            guard serviceData?.match(found.range.map { heard.bytes[$0] }) ?? true else { return false }
        }
        if let company = descriptor.companyIdentifier {
            guard let found = heard.company(company) else { return false }
            guard manufacturerData?.match(heard.bytes[found.range]) ?? true else { return false }
        }
        return name.map { heard.nameContains($0) } ?? true
    }

    /// Whether a payload has the service's blob, or the company's.
    func matchesBlob(of service: Bool, _ payload: [UInt8]) -> Bool {
        (service ? serviceData : manufacturerData)?.match(payload[...]) ?? true
    }

    /// The descriptor's digest, for a quick first check.
    func digest(at place: Int, _ length: HostPolicy.BlobLength, _ pool: inout [UInt8]) -> DescriptorDigest {
        DescriptorDigest(descriptor, place: place, name: name, length, pool: &pool)
    }

    /// Whether a descriptor without Bluetooth criteria matches a network (D9). SSIDs are compared byte by byte.
    package func matches(_ network: WiFiNetwork) -> Bool {
        guard !descriptor.usesBluetooth, !network.ssid.isEmpty else { return false }
        if let ssid = descriptor.ssid { return network.ssid.isSameSSID(as: ssid) }
        if let prefix = descriptor.ssidPrefix { return !prefix.isEmpty && network.ssid.utf8.starts(with: prefix.utf8) }
        return false
    }

    /// Whether a descriptor without Bluetooth criteria matches a Wi-Fi Aware service (D10).
    package func matches(_ service: WiFiAwareService) -> Bool {
        guard !descriptor.usesBluetooth, descriptor.usesWiFiAware, service.role == awareRole else { return false }
        // Source: Wi-Fi Aware Specification 4.0, 2.2: the comparison of service names ignores case.
        if let name = descriptor.wifiAwareServiceName, name.lowercased() != service.name.lowercased() { return false }
        return DescriptorMatcher.matches(service.modelName, model)
            && DescriptorMatcher.matches(service.vendorName, vendor)
    }

    private static func matches(_ text: String?, _ pattern: TextPattern?) -> Bool {
        guard let pattern else { return true }
        guard let text else { return false }
        var subject = PatternSubject(text)
        return pattern.isFound(in: &subject)
    }
}

extension String {
    /// Whether both have the same UTF-8 bytes. An SSID is bytes, so letters that are equivalent in Unicode may differ.
    func isSameSSID(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
