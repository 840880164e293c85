import RadioModel

/// How much the sender of a credit-based request or response receives on its end of the channel.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.22.
package struct CreditBasedTerms: Sendable, Hashable {
    /// The longest SDU in bytes.
    package var mtu: UInt16
    /// The longest payload of a frame in bytes.
    package var mps: UInt16
    /// How many frames the other end may send at first.
    package var credits: UInt16

    package init(mtu: UInt16, mps: UInt16, credits: UInt16) {
        self.mtu = mtu
        self.mps = mps
        self.credits = credits
    }

    /// What is wrong with the lengths; nil if they are in the specification's range.
    ///
    /// - Parameter least: The smallest MTU and MPS: 23, or 64 of an enhanced channel.
    func problem(least: UInt16) -> String? {
        if mtu < least { return "an MTU of \(mtu) bytes; \(least) is the least" }
        guard (least...65533).contains(mps) else { return "an MPS of \(mps) bytes; \(least) to 65533 is the range" }
        return nil
    }
}

/// Why a command was rejected.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.1, table 4.4.
package enum RejectReason: Sendable, Hashable, CustomStringConvertible {
    case notUnderstood
    /// The frame was longer than the receiver's signalling MTU, in bytes.
    case mtuExceeded(UInt16)
    /// There is no such channel. The channels are those of the sender of the reject and of its receiver, 0 if unknown.
    case invalidChannel(local: UInt16, remote: UInt16)
    case other(UInt16)

    package var code: UInt16 {
        switch self {
        case .notUnderstood: 0
        case .mtuExceeded: 1
        case .invalidChannel: 2
        case .other(let code): code
        }
    }

    package var description: String {
        switch self {
        case .notUnderstood: "command not understood"
        case .mtuExceeded(let mtu): "signalling MTU of \(mtu) bytes exceeded"
        case .invalidChannel(let local, let remote):
            "invalid CID in request (\(Hex.field(local)) and \(Hex.field(remote)))"
        case .other(let code): "reason \(Hex.field(code))"
        }
    }
}

/// What an Information Request asks for.
///
/// Source: Core Specification 6.0, Vol 3, Part A, 4.10, table 4.14.
package struct InformationType: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The longest payload on the connectionless channel in bytes.
    package static let connectionlessMTU = InformationType(rawValue: 1)
    /// The extended features, 32 bits.
    package static let features = InformationType(rawValue: 2)
    /// The fixed channels, one bit for each.
    package static let fixedChannels = InformationType(rawValue: 3)

    /// The length of the value in bytes; nil for an unknown type.
    var length: Int? {
        switch self {
        case .connectionlessMTU: 2
        case .features: 4
        case .fixedChannels: 8
        default: nil
        }
    }

    package var description: String {
        switch self {
        case .connectionlessMTU: "connectionless MTU"
        case .features: "extended features"
        case .fixedChannels: "fixed channels"
        default: "information of type \(Hex.field(rawValue))"
        }
    }
}
