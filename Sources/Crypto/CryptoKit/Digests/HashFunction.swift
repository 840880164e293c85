import FoundationEssentials

/// A cryptographic hash function that takes its input piece by piece.
public protocol HashFunction: Sendable {
    /// What the function gives.
    associatedtype Digest: CryptoKit.Digest

    /// The length in bytes of the blocks that the function works on.
    static var blockByteCount: Int { get }

    /// A function that has seen no input.
    init()

    /// Takes more input.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)

    /// The digest of everything taken so far; more input may follow.
    func finalize() -> Digest

    /// Writes the digest of everything taken so far, `Digest.byteCount` bytes, into memory that the caller wipes.
    func finalize(into output: UnsafeMutableRawBufferPointer)
}

extension HashFunction {
    /// Writes the digest of everything taken so far, for a function that has nothing better than ``finalize()``.
    public func finalize(into output: UnsafeMutableRawBufferPointer) {
        finalize().withUnsafeBytes { output.copyMemory(from: $0) }
    }

    /// The digest of `data`.
    public static func hash(data: some DataProtocol) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// Takes more input.
    public mutating func update(data: some DataProtocol) {
        for region in data.regions {
            region.withUnsafeBytes { update(bufferPointer: $0) }
        }
    }
}
