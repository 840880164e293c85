import FoundationEssentials

/// A cryptographic hash function that takes its input in pieces.
public protocol HashFunction: Sendable {
    /// The type of the function's output.
    associatedtype Digest: CryptoKit.Digest

    /// The length in bytes of the blocks that the function processes.
    static var blockByteCount: Int { get }

    /// Makes a function without input.
    init()

    /// Adds input.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)

    /// The digest of all input so far. More input may follow.
    func finalize() -> Digest

    /// Writes the digest of all input so far, `Digest.byteCount` bytes, into memory that the caller wipes.
    func finalize(into output: UnsafeMutableRawBufferPointer)
}

extension HashFunction {
    /// Writes the digest of all input so far. This is the default for functions that have only ``finalize()``.
    public func finalize(into output: UnsafeMutableRawBufferPointer) {
        finalize().withUnsafeBytes { output.copyMemory(from: $0) }
    }

    /// The digest of `data`.
    public static func hash(data: some DataProtocol) -> Digest {
        var function = Self()
        function.update(data: data)
        return function.finalize()
    }

    /// Adds input.
    public mutating func update(data: some DataProtocol) {
        for region in data.regions {
            region.withUnsafeBytes { update(bufferPointer: $0) }
        }
    }
}
