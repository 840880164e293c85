import RadioModel

/// Holds what is heard against many descriptors at once: of all, only those are looked at whose service or company is there.
public struct DescriptorIndex: Sendable {
    /// In the order in which they were given.
    public let matchers: [DescriptorMatcher]
    /// Places of those with a service UUID, ascending.
    private let byService: [UUIDKey: [Int]]
    /// Places of those with a company identifier and no service UUID, ascending.
    private let byCompany: [UInt16: [Int]]
    /// Places of those with a name alone, which no app can show a picker for (D1).
    private let others: [Int]

    public init(_ descriptors: [DiscoveryDescriptor], policy: HostPolicy = HostPolicy()) {
        matchers = descriptors.map { DescriptorMatcher($0, policy: policy) }
        var (byService, byCompany, others) = ([UUIDKey: [Int]](), [UInt16: [Int]](), [Int]())
        for (place, matcher) in matchers.enumerated() where matcher.descriptor.usesBluetooth {
            if let service = matcher.service {
                byService[service, default: []].append(place)
            } else if let company = matcher.descriptor.companyIdentifier {
                byCompany[company, default: []].append(place)
            } else {
                others.append(place)
            }
        }
        (self.byService, self.byCompany, self.others) = (byService, byCompany, others)
    }

    /// The first descriptor that matches (D4); nil if none does.
    ///
    /// - Parameter isNear: Whether those count that ask for immediate range.
    public func firstMatch(_ advertisement: Advertisement, isNear: Bool = true) -> Int? {
        var heard = HeardAdvertisement(advertisement)
        var best = Int.max
        for service in heard.services { look(through: byService[service.key], for: &heard, isNear, &best) }
        if !byCompany.isEmpty {
            for company in heard.companies { look(through: byCompany[company.identifier], for: &heard, isNear, &best) }
        }
        look(through: others, for: &heard, isNear, &best)
        return best == .max ? nil : best
    }

    /// The first descriptor that matches a network (D9).
    public func firstMatch(_ network: WiFiNetwork) -> Int? { matchers.firstIndex { $0.matches(network) } }

    /// The first descriptor that matches a Wi-Fi Aware service (D10).
    public func firstMatch(_ service: WiFiAwareService) -> Int? { matchers.firstIndex { $0.matches(service) } }

    private func look(
        through places: [Int]?, for heard: inout HeardAdvertisement, _ isNear: Bool, _ best: inout Int
    ) {
        for place in places ?? [] {
            guard place < best else { return }
            guard isNear || matchers[place].descriptor.range == .default else { continue }
            if matchers[place].matches(&heard) { best = place }
        }
    }
}
