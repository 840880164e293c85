import RadioModel

extension PickerMachine {
    /// The near misses of the picker: for each device or network the nearest item.
    var nearMisses: [NearMiss] {
        let devices = unmatched.all.compactMap { advertisement -> NearMiss? in
            if configuration.knownDevices.contains(configuration.identifier(advertisement.address)) {
                return NearMiss(
                    search: "the picker", heard: advertisement.heardAs, reasons: ["the app has it already"], held: 9)
            }
            let signals = signals[advertisement.address] ?? []
            return nearest(advertisement.heardAs, unlisted: { $0.unlisted(by: advertisement) }) { matcher in
                matcher.reasons(against: advertisement, signals: signals, policy: configuration.policy)
            }
        }
        let networks = unmatchedNetworks.all.compactMap { network -> NearMiss? in
            if configuration.knownNetworks.contains(where: network.ssid.isSameSSID) {
                return NearMiss(
                    search: "the picker", heard: network.heardAs, reasons: ["the app has it already"], held: 9)
            }
            return nearest(network.heardAs) { ($0.reason(against: network).map { [$0] } ?? [], 0) }
        }
        return devices + networks
    }

    /// The miss of the item with the most criteria that held; nil if no item asks for anything of this kind.
    private func nearest(
        _ heard: String, unlisted: (DescriptorMatcher) -> NearMiss.Unlisted? = { _ in nil },
        _ check: (DescriptorMatcher) -> (reasons: [String], held: Int)
    ) -> NearMiss? {
        let misses = zip(searchedItems, index.matchers).compactMap { item, matcher -> NearMiss? in
            let (reasons, held) = check(matcher)
            guard !reasons.isEmpty else { return nil }
            var miss = NearMiss(
                search: searchedItems.count > 1 ? "the picker for “\(item.name)”" : "the picker", heard: heard,
                reasons: reasons, held: held)
            miss.unlisted = unlisted(matcher)
            return miss
        }
        return NearMiss.sorted(misses).first
    }
}
