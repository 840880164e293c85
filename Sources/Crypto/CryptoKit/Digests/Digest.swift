import FoundationEssentials

/// The output of a hash function.
public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable
where Element == UInt8 {
    /// The length in bytes.
    static var byteCount: Int { get }
}

extension Digest {
    /// The bytes, in order.
    public func makeIterator() -> Array<UInt8>.Iterator {
        copiedBytes.makeIterator()
    }

    /// Whether both digests are equal. The time does not show where they differ.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.hasSameBytes(as: rhs)
    }

    /// Whether the digest consists of these bytes. The time does not show where they differ.
    public static func == (lhs: Self, rhs: some DataProtocol) -> Bool {
        lhs.consists(of: rhs)
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The bytes in lower-case hexadecimal, after the name of the function: `SHA256 digest: ba7816bf…`.
    public var description: String {
        let name = "\(Self.self)"
        return "\(name.hasSuffix("Digest") ? String(name.dropLast(6)) : name) digest: \(hexadecimal)"
    }
}
