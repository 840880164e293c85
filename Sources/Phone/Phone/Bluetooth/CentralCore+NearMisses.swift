import Foundation
import RadioModel

extension CentralCore {
    /// The near misses of the scans that have found nothing.
    ///
    /// - Parameter identifier: Gives the identifier that apps see for a device.
    func nearMisses(_ identifier: (DeviceAddress) -> UUID) -> [NearMiss] {
        clients.sorted { $0.key < $1.key }.flatMap { _, client -> [NearMiss] in
            guard let scan = client.scan ?? client.lastScan, scan.told.isEmpty else { return [] }
            return scan.unmatched.all.compactMap { advertisement in
                scan.miss(
                    advertisement, mayBeUsed: client.mayUse(identifier(advertisement.address)),
                    inBackground: client.isInBackground)
            }
        }
    }
}

extension CentralCore.Scan {
    fileprivate func miss(_ advertisement: Advertisement, mayBeUsed: Bool, inBackground: Bool) -> NearMiss? {
        var reasons: [String] = []
        var held = 0
        let wanted = (services ?? []).map(\.namedText).joined(separator: " or ")
        let isUnlisted = !wanted.isEmpty && Set(services ?? []).isDisjoint(with: advertisement.serviceUUIDs)
        if isUnlisted {
            let listed = advertisement.serviceUUIDs.map(\.namedText).sorted().joined(separator: ", ")
            let data = Set(services ?? []).intersection(advertisement.serviceData.keys)
            reasons.append(
                "it lists \(listed.isEmpty ? "no service" : "the service \(listed)"), wanted \(wanted)"
                    + (data.isEmpty ? "" : ", for which it only has data"))
        } else {
            held += 1
        }
        if let solicited, solicited.isDisjoint(with: advertisement.solicitedUUIDs) {
            reasons.append("it does not look for \(solicited.map(\.namedText).sorted().joined(separator: " or "))")
        }
        if inBackground, wanted.isEmpty {
            reasons.append("the scan names no service, as a scan in the background must")
        }
        if mayBeUsed { held += 1 } else { reasons.append("the app may not use it: it is not set up for the app") }
        guard !reasons.isEmpty else { return nil }
        let search = wanted.isEmpty ? "the scan" : "the scan for \(wanted)"
        var miss = NearMiss(search: search, heard: advertisement.heardAs, reasons: reasons, held: held)
        if isUnlisted { miss.unlisted = .init(services: Set(services ?? []), device: advertisement.address) }
        return miss
    }
}
