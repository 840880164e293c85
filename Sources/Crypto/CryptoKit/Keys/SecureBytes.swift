import COpenSSL
import FoundationEssentials

/// Secret bytes in memory of their own, overwritten with zeros when the last owner lets go.
///
/// `@unchecked Sendable`: the bytes are written by the initializer only.
final class SecureBytes: @unchecked Sendable, ContiguousBytes {
    private let storage: UnsafeMutableRawBufferPointer

    /// Memory for `count` bytes, filled by `body`, which starts from zeros.
    init(count: Int, filledBy body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        storage = .allocate(byteCount: count, alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try body(storage)
    }

    /// Random bytes, for secrets.
    static func random(count: Int) throws -> SecureBytes {
        try SecureBytes(count: count) { buffer in
            try check(RAND_priv_bytes(buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(buffer.count)))
        }
    }

    /// A copy of `bytes`. Wiping the original is its owner's business.
    init(copying bytes: some ContiguousBytes) {
        storage = bytes.withUnsafeBytes { source in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
            copy.copyMemory(from: source)
            return copy
        }
    }

    /// A copy of `bytes`, however they lie in memory. Wiping the original is its owner's business.
    convenience init(gathering bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// One after the other.
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

    /// How many bytes are kept.
    var count: Int { storage.count }

    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(storage))
    }

    /// The caller's copy of the bytes, then what is no secret, without another copy on the way.
    func data(followedBy rest: Data) -> Data {
        var data = Data(capacity: count + rest.count)
        withUnsafeBytes { data.append(contentsOf: $0) }
        data.append(rest)
        return data
    }

    /// The bytes before a place, and those from there on.
    func split(at place: Int) -> (SecureBytes, SecureBytes) {
        withUnsafeBytes { bytes in
            (
                SecureBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[..<place])),
                SecureBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[place...]))
            )
        }
    }

    /// Whether both hold the same bytes, in a time that depends on their lengths only.
    static func equal(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
        guard one.count == other.count else { return false }
        guard let left = one.baseAddress, let right = other.baseAddress else { return true }
        return CRYPTO_memcmp(left, right, one.count) == 0
    }
}
