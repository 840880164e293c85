import FoundationEssentials

// Comparing and copying the bytes of digests and authentication codes.
extension ContiguousBytes {
    /// Whether both consist of the same bytes, in a time that does not show where they differ.
    @inline(__always)
    func hasSameBytes(as other: some ContiguousBytes) -> Bool {
        withUnsafeBytes { left in other.withUnsafeBytes { right in SecureBytes.equal(left, right) } }
    }

    /// The same, for bytes that may lie in several places.
    @inline(__always)
    func consists(of other: some DataProtocol) -> Bool { hasSameBytes(as: Array(other)) }

    /// A copy of the bytes.
    var copiedBytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
