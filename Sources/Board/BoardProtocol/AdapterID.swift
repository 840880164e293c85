/// One of a board's Bluetooth adapters, by its number.
///
/// An accessory has an adapter of its own, and is known by it: what an accessory is asked, and what it tells, names the adapter.
public struct AdapterID: RawRepresentable, Sendable, Hashable, Comparable, Codable {
    /// 0 is the adapter that a board has from the start; the others are made when they are asked for.
    public let rawValue: Int

    /// Any number: what a board does not have is refused where it is asked for.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The adapter that a board has from the start.
    public static let first = AdapterID(rawValue: 0)
    /// How many adapters a board has at most.
    public static let limit = 8

    /// Whether a board can have it.
    public var exists: Bool { (0..<AdapterID.limit).contains(rawValue) }

    public static func < (left: AdapterID, right: AdapterID) -> Bool { left.rawValue < right.rawValue }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(Int.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension AdapterID: ExpressibleByIntegerLiteral, CustomStringConvertible {
    public init(integerLiteral number: Int) { self.init(rawValue: number) }

    public var description: String { "\(rawValue)" }
}
