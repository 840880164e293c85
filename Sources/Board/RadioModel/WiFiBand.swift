/// A band of Wi-Fi. The radio of a phone knows both; that of an accessory often knows 2.4 GHz only.
///
/// Source: IEEE 802.11-2020, annex E.
public enum WiFiBand: String, Sendable, Hashable, Codable, CaseIterable {
    /// Channels 1 to 13.
    case band2GHz = "2.4 GHz"
    /// Channels 36 to 165.
    case band5GHz = "5 GHz"

    /// The band of a centre frequency in MHz.
    package init(frequency: Int) { self = frequency < 3000 ? .band2GHz : .band5GHz }
}

extension WiFiBand: CustomStringConvertible {
    public var description: String { rawValue }
}

extension Set<WiFiBand> {
    /// All bands.
    package static let all = Set(WiFiBand.allCases)

    /// Where a radio that knows these bands listens, as centre frequencies in MHz.
    ///
    /// - Parameter inUse: The channels in use, as centre frequencies in MHz; nil if they are not known.
    /// - Returns: At least one channel of these bands; nil for all channels of the radio.
    package func heard(of inUse: [Int]?) -> [Int]? {
        guard self != .all else { return inUse }
        let known = WiFiChannel.all.map(\.frequency).filter { contains(WiFiBand(frequency: $0)) }
        guard let inUse else { return known }
        let heard = inUse.filter { contains(WiFiBand(frequency: $0)) }
        return heard.isEmpty ? Array(known.prefix(1)) : heard
    }
}
