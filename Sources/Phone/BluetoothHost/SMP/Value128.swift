import RadioModel

/// Gives this many random bytes that nobody can predict.
package typealias RandomBytes = @Sendable (Int) -> [UInt8]

/// A value of 128 bits: a key, a random number, or a value that proves the knowledge of one.
///
/// The functions of the specification take its most significant byte first, packets its least significant byte first.
/// Source: Core Specification 6.0, Vol 3, Part H, 2.2.
package struct Value128: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The more significant half.
    package let high: UInt64
    /// The less significant half.
    package let low: UInt64

    package static let zero = Value128(high: 0, low: 0)

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// From 16 bytes, most significant first; nil for another number of bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(block: Array(bytes))
    }

    /// From the result of a cipher: 16 bytes, most significant first.
    init(block: [UInt8]) {
        self.init(
            high: UInt64(mostSignificantFirst: block.prefix(8)), low: UInt64(mostSignificantFirst: block.dropFirst(8)))
    }

    /// A new random value.
    static func random(_ random: RandomBytes) -> Value128 { Value128(block: random(16)) }

    /// The 16 bytes, most significant first, as in the specification's functions.
    package var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }

    /// The 16 bytes, least significant first, as in packets and in HCI commands.
    package var leastSignificantFirst: [UInt8] { bytes.reversed() }

    /// 32 hexadecimal digits, most significant first.
    package var description: String { Hex.text(bytes) }

    /// A key with zeros instead of its most significant bytes.
    ///
    /// Source: Core Specification 6.0, Vol 3, Part H, 2.3.4.
    ///
    /// - Parameter size: How many bytes are kept, 0 to 16.
    package func shortened(to size: Int) -> Value128 {
        func kept(_ bytes: Int) -> UInt64 { bytes >= 8 ? .max : bytes <= 0 ? 0 : 1 << UInt64(8 * bytes) - 1 }
        return Value128(high: high & kept(size - 8), low: low & kept(size))
    }

    /// Compares all bits in any case, so that the time does not show where secrets differ.
    package static func == (left: Value128, right: Value128) -> Bool {
        (left.high ^ right.high) | (left.low ^ right.low) == 0
    }

    static func ^ (left: Value128, right: Value128) -> Value128 {
        Value128(high: left.high ^ right.high, low: left.low ^ right.low)
    }
}

extension UInt64 {
    /// From up to eight bytes, most significant first.
    init(mostSignificantFirst bytes: some Sequence<UInt8>) { self = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

extension PacketReader {
    /// 16 bytes, least significant first.
    mutating func value128() throws(Malformed) -> Value128 {
        Value128(block: try bytes(16).reversed())
    }
}

extension [UInt8] {
    /// 16 bytes, least significant first.
    mutating func append(value128 value: Value128) { append(contentsOf: value.leastSignificantFirst) }
}
