import RadioModel

/// The number of an L2CAP channel at one end of a link (CID).
///
/// Source: Core Specification 6.0, Vol 3, Part A, 2.1.
package struct ChannelIdentifier: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Signalling of a classic link.
    package static let classicSignaling = ChannelIdentifier(rawValue: 0x0001)
    /// The attribute protocol of an LE link.
    package static let attributes = ChannelIdentifier(rawValue: 0x0004)
    /// Signalling of an LE link.
    package static let leSignaling = ChannelIdentifier(rawValue: 0x0005)
    /// The security manager of an LE link.
    package static let securityManager = ChannelIdentifier(rawValue: 0x0006)
    /// The security manager of a classic link.
    package static let classicSecurityManager = ChannelIdentifier(rawValue: 0x0007)

    package var description: String {
        switch self {
        case .classicSignaling: "classic signalling"
        case .attributes: "ATT"
        case .leSignaling: "LE signalling"
        case .securityManager: "SMP"
        case .classicSecurityManager: "SMP over BR/EDR"
        default: "CID \(Hex.field(rawValue))"
        }
    }
}

extension Hex {
    /// Four digits: `0x0040`.
    static func field(_ value: UInt16) -> String { "0x" + text([UInt8(value >> 8), UInt8(value & 0xFF)]) }
}
