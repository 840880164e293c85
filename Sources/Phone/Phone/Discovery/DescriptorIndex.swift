import RadioModel

/// Matches advertisements and networks against many descriptors at once.
///
/// Only descriptors whose service or company is advertised are looked at, and of those only the ones that their digest
/// does not rule out.
package struct DescriptorIndex: Sendable {
    /// One for each descriptor, in the given order.
    package let matchers: [DescriptorMatcher]
    /// Descriptors with a service UUID, in order.
    private let byService: [UUIDKey: [DescriptorDigest]]
    /// Descriptors with a company identifier and no service UUID, in order.
    private let byCompany: [UInt16: [DescriptorDigest]]
    /// Descriptors with only a name. No app can show a picker for them (D1).
    private let others: [DescriptorDigest]
    /// The blobs and masks of the digests.
    private let pool: [UInt8]
    private let hasNames: Bool

    package init(_ descriptors: [DiscoveryDescriptor], policy: HostPolicy = HostPolicy()) {
        matchers = descriptors.map { DescriptorMatcher($0, policy: policy) }
        hasNames = descriptors.contains { $0.nameSubstring != nil }
        var byService: [UUIDKey: [DescriptorDigest]] = [:]
        var byCompany: [UInt16: [DescriptorDigest]] = [:]
        var others: [DescriptorDigest] = []
        var pool: [UInt8] = []
        for (place, matcher) in matchers.enumerated() where matcher.descriptor.usesBluetooth {
            let digest = matcher.digest(at: place, policy.blobLength, &pool)
            if let service = matcher.service {
                byService[service, default: []].append(digest)
            } else if let company = matcher.descriptor.companyIdentifier {
                byCompany[company, default: []].append(digest)
            } else {
                others.append(digest)
            }
        }
        self.pool = pool
        (self.byService, self.byCompany, self.others) = (byService, byCompany, others)
    }

    /// The index of the first descriptor that matches an advertisement (D4); nil if none does.
    ///
    /// - Parameter isNear: Whether the accessory is in immediate range. If not, descriptors that ask for it do not
    ///   match.
    package func firstMatch(_ advertisement: Advertisement, isNear: Bool = true) -> Int? {
        var heard = HeardAdvertisement(advertisement)
        var best = Int.max
        for service in heard.services {
            guard let digests = byService[service.key] else { continue }
            look(through: digests, for: &heard, isNear, service: service.range, &best)
        }
        for company in heard.companies {
            guard let digests = byCompany[company.identifier] else { continue }
            look(through: digests, for: &heard, isNear, service: nil, &best)
        }
        look(through: others, for: &heard, isNear, service: nil, &best)
        return best == .max ? nil : best
    }

    /// The index of the first descriptor that matches a network (D9); nil if none does.
    package func firstMatch(_ network: WiFiNetwork) -> Int? { matchers.firstIndex { $0.matches(network) } }

    /// The index of the first descriptor that matches a Wi-Fi Aware service (D10); nil if none does.
    package func firstMatch(_ service: WiFiAwareService) -> Int? { matchers.firstIndex { $0.matches(service) } }

    /// Lowers `best` to the index of the first of these descriptors that matches, if one before it does.
    private func look(
        through digests: [DescriptorDigest], for heard: inout HeardAdvertisement, _ isNear: Bool,
        service: Range<Int>?, _ best: inout Int
    ) {
        guard !digests.isEmpty else { return }
        let names = hasNames ? heard.namePairs() : nil
        var next = 0
        while next < digests.count {
            let candidate = heard.withPayloads(pool) { payloads in
                digests.withUnsafeBufferPointer { digests in
                    digests[next...].firstIndex { digest in
                        (isNear || !digest.needsImmediateRange)
                            && digest.mayMatch(payloads, service: service, names: names)
                    }
                }
            }
            guard let candidate, digests[candidate].place < best else { return }
            let place = digests[candidate].place
            if matchers[place].matches(&heard) {
                best = place
                return
            }
            next = candidate + 1
        }
    }
}
