import FoundationEssentials

/// The output of a function that authenticates messages with a key.
public protocol MessageAuthenticationCode: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable
where Element == UInt8 {
    /// The length in bytes.
    var byteCount: Int { get }
}

extension MessageAuthenticationCode {
    /// The bytes, in order.
    public func makeIterator() -> Array<UInt8>.Iterator {
        copiedBytes.makeIterator()
    }

    /// Whether both codes are equal. The time does not show where they differ.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.hasSameBytes(as: rhs)
    }

    /// Whether the code consists of these bytes. The time does not show where they differ.
    public static func == (lhs: Self, rhs: some DataProtocol) -> Bool {
        lhs.consists(of: rhs)
    }

    /// Feeds the bytes to a hasher.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The bytes in lower-case hexadecimal, after the name of the type. Types of other modules get this text.
    public var description: String { "\(Self.self): \(hexadecimal)" }
}

/// The output of HMAC. It is wiped when released, because key derivation uses it as a key.
public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
    let bytes: SecureBytes

    /// The length in bytes.
    public var byteCount: Int { bytes.count }

    /// Calls `body` with the bytes. The pointer is valid only during the call.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try bytes.withUnsafeBytes(body)
    }

    /// The bytes in lower-case hexadecimal, after the name of the function: `HMAC with SHA256: 5bdcc146…`.
    public var description: String { "HMAC with \(H.self): \(hexadecimal)" }
}
