/// A 48-bit address of a radio, written as it is read: most significant byte first.
public struct HardwareAddress: Sendable, Hashable, CustomStringConvertible {
    /// The number, in the low 48 bits.
    public let value: UInt64

    /// - Parameter value: The number; bits above the 48th are dropped.
    public init(_ value: UInt64) { self.value = value & 0xFFFF_FFFF_FFFF }

    /// Reads six bytes, most significant first; nil for any other count.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 6 else { return nil }
        self.init(bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Six bytes, most significant first: the order of an 802.11 header.
    public var bytes: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(40 - 8 * $0)) } }

    /// Whether a frame to it is for more than one receiver: broadcast or multicast (802.11-2020, 9.2.4.3.2).
    public var isGroup: Bool { value >> 40 & 1 == 1 }

    public var description: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
