/// What an attack sends.
package struct AttackOrder: Sendable, Hashable, Codable {
    /// Decides all packets.
    package var seed: UInt64 = 1
    /// How many packets are sent.
    package var count = 10_000
    /// The packets instead, in order, as ``AttackPacket/text``; nil for those of the seed.
    package var packets: [String]?
    /// The device on the desk that is attacked; nil for the accessory of a scenario.
    package var device: AuditedDevice?

    package init() {}

    /// The options of `hil audit` that order the same packets; none for those that are sent without an option.
    package var options: [String] {
        let usual = AttackOrder()
        return (seed == usual.seed ? [] : ["--seed", "\(seed)"])
            + (count == usual.count ? [] : ["--packets", "\(count)"])
    }
}

/// The layer that an attack is for.
package enum AttackLayer: String, Sendable, Hashable, CaseIterable {
    case attributes, channels, security

    /// What its packets are, as the object of a sentence.
    package var words: String {
        switch self {
        case .attributes: "packets of the attribute protocol"
        case .channels: "packets of L2CAP"
        case .security: "packets of the security manager"
        }
    }
}
