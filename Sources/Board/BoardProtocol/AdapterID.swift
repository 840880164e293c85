/// The number of one of a board's Bluetooth adapters.
///
/// Each accessory on a board has its own adapter. Commands to an accessory and its events name the adapter.
public struct AdapterID: RawRepresentable, Sendable, Hashable, Codable {
    /// 0 is the adapter that a board always has. The others are added on request.
    public let rawValue: Int

    /// Accepts any number. A board refuses a number that it does not have.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The adapter that every board has.
    public static let first = AdapterID(rawValue: 0)
    /// The host board's second Wi-Fi radio, which is that of a home's router.
    package static let homeRouter = AdapterID(rawValue: 1)
    /// The host board's further Wi-Fi radios, which are those of strangers.
    package static let strangers = (2...3).map { AdapterID(rawValue: $0) }
    /// The most adapters that a board can have.
    public static let limit = 8

    /// True if the number is below ``limit``.
    package var exists: Bool { (0..<AdapterID.limit).contains(rawValue) }

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
