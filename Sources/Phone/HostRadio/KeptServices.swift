import BoardProtocol
import RadioModel

/// The services of devices that have no Service Changed: a phone keeps them over links, because such a device cannot
/// report other ones.
///
/// Source: Core Specification 6.0, Vol 3, Part G, 2.5.2; ukBaz/python-bluezero#405.
struct KeptServices {
    private var tables: [DeviceAddress: [GATTService]] = [:]

    /// The services as the phone knows them: the kept ones if there are any, otherwise those that were discovered now.
    mutating func table(_ discovered: [GATTService], of device: DeviceAddress) -> [GATTService] {
        if let kept = tables[device] { return kept }
        if !discovered.reportsChanges { tables[device] = discovered }
        return discovered
    }

    mutating func forget(_ device: DeviceAddress) { tables[device] = nil }

    /// Follows what the radio reports.
    mutating func note(_ event: RadioEvent) {
        switch event {
        case .servicesChanged(let device): forget(device)
        case .addressChanged(let device, let identity):
            if let kept = tables.removeValue(forKey: device) { tables[identity] = kept }
        default: break
        }
    }
}
