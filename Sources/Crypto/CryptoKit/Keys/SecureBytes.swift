import FoundationEssentials
import HILCOpenSSL

/// Secret bytes in their own memory, which is overwritten with zeros when the last owner releases it.
///
/// `@unchecked Sendable`: only the initializers write the bytes.
final class SecureBytes: @unchecked Sendable, ContiguousBytes {
    private let storage: UnsafeMutableRawBufferPointer

    /// Makes `count` zero bytes and calls `body` to fill them.
    init(count: Int, filledBy body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        storage = .allocate(byteCount: count, alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try body(storage)
    }

    /// Makes random bytes for secrets.
    ///
    /// - Parameter firstByteMask: The bits that the first byte may have.
    static func random(count: Int, firstByteMask: UInt8 = 0xFF) throws -> SecureBytes {
        try SecureBytes(count: count) { buffer in
            try check(RAND_priv_bytes(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count)))
            if count > 0 { buffer[0] &= firstByteMask }
        }
    }

    /// Copies `bytes`. The owner of the original must wipe it.
    init(copying bytes: some ContiguousBytes) {
        storage = bytes.withUnsafeBytes { source in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
            copy.copyMemory(from: source)
            return copy
        }
    }

    /// Copies `bytes`, which need not be contiguous in memory. The owner of the original must wipe it.
    convenience init(gathering bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// Joins two byte sequences.
    convenience init(joining first: some ContiguousBytes, _ second: some ContiguousBytes) {
        let (first, second) = (SecureBytes(copying: first), SecureBytes(copying: second))
        self.init(count: first.count + second.count) { bytes in
            first.withUnsafeBytes { bytes.copyMemory(from: $0) }
            second.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: bytes[first.count...]).copyMemory(from: $0)
            }
        }
    }

    deinit {
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    /// The number of bytes.
    var count: Int { storage.count }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(storage))
    }

    /// A copy of the bytes, followed by bytes that are not secret. No other copy is made on the way.
    func data(followedBy rest: Data) -> Data {
        var data = Data(capacity: count + rest.count)
        withUnsafeBytes { data.append(contentsOf: $0) }
        data.append(rest)
        return data
    }

    /// Copies of the first `place` bytes and of the rest.
    func split(at place: Int) -> (SecureBytes, SecureBytes) {
        withUnsafeBytes { bytes in
            (
                SecureBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<place])),
                SecureBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[place...]))
            )
        }
    }

    /// Whether both have the same bytes. The time depends only on their lengths.
    static func equal(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        guard let left = one.baseAddress, let right = other.baseAddress else { return true }
        return CRYPTO_memcmp(left, right, one.count) == 0
    }
}
