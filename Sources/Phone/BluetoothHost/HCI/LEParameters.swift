import RadioModel

/// How LE packets are modulated. The raw value is the one of events.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.47.
package enum LEPHY: UInt8, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    case oneMegabit = 1
    case twoMegabit = 2
    case coded = 3

    package var description: String {
        switch self {
        case .oneMegabit: "1M PHY"
        case .twoMegabit: "2M PHY"
        case .coded: "Coded PHY"
        }
    }
}

/// Several PHYs, as commands have them.
package struct LEPHYSet: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let oneMegabit = LEPHYSet(rawValue: 1)
    package static let twoMegabit = LEPHYSet(rawValue: 2)
    package static let coded = LEPHYSet(rawValue: 4)

    /// How many PHYs of the specification there are.
    var count: Int { (rawValue & 7).nonzeroBitCount }
}

/// The address with which this host advertises, scans or connects.
///
/// Source: Core Specification 6.0, Vol 4, Part E, 7.8.5.
package enum OwnAddress: UInt8, Sendable, Hashable {
    case publicAddress = 0
    /// The address of `LE Set Random Address`, or of the advertising set.
    case random = 1
    /// A private address from the resolving list, otherwise the public address.
    case resolvableOrPublic = 2
    /// A private address from the resolving list, otherwise the random address.
    case resolvableOrRandom = 3
}

/// The longest link layer packets that this device sends.
///
/// Source: Core Specification 6.0, Vol 6, Part B, 4.5.10.
package struct TransmitLength: Sendable, Hashable {
    /// Bytes of data, 27 to 251.
    package var octets: UInt16
    /// 328 to 17040.
    package var microseconds: UInt16

    package init(octets: UInt16, microseconds: UInt16) {
        self.octets = octets
        self.microseconds = microseconds
    }

    /// The longest packets on the 1M PHY and the 2M PHY.
    package static let longest = TransmitLength(octets: 251, microseconds: 2120)
}

/// The longest link layer packets of a link in each direction.
///
/// Source: Core Specification 6.0, Vol 6, Part B, 4.5.10.
package struct DataLength: Sendable, Hashable {
    /// Bytes of data, 27 to 251.
    package var txOctets: UInt16
    /// Microseconds, 328 to 17040.
    package var txTime: UInt16
    package var rxOctets: UInt16
    package var rxTime: UInt16

    package init(txOctets: UInt16, txTime: UInt16, rxOctets: UInt16, rxTime: UInt16) {
        self.txOctets = txOctets
        self.txTime = txTime
        self.rxOctets = rxOctets
        self.rxTime = rxTime
    }
}

extension PacketReader {
    /// The PHY, or nil for a number without a meaning.
    mutating func phy() throws(Malformed) -> LEPHY? { LEPHY(rawValue: try uint8()) }

    mutating func dataLength() throws(Malformed) -> DataLength {
        DataLength(txOctets: try uint16(), txTime: try uint16(), rxOctets: try uint16(), rxTime: try uint16())
    }
}

extension [UInt8] {
    /// The parameters of a link in the order of commands: interval, latency, timeout.
    mutating func append(connection parameters: ConnectionParameters) {
        append(uint16: parameters.shortestInterval)
        append(uint16: parameters.longestInterval)
        append(uint16: parameters.latency)
        append(uint16: parameters.timeout)
    }

    mutating func append(range: ClosedRange<UInt16>) {
        append(uint16: range.lowerBound)
        append(uint16: range.upperBound)
    }
}
