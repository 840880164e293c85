import COpenSSL
import FoundationEssentials

/// HMAC (RFC 2104) over a hash function.
public struct HMAC<H: HashFunction>: Sendable {
    /// The key that the code is made with.
    public typealias Key = SymmetricKey
    /// The code that the function gives.
    public typealias MAC = HashedAuthenticationCode<H>

    private var inner = H()
    private var outer = H()

    /// A function with the given key that has seen no input.
    public init(key: SymmetricKey) {
        self.init(keyBytes: key)
    }

    init(keyBytes: some ContiguousBytes) {
        let block = SecureBytes(count: H.blockByteCount) { block in
            keyBytes.withUnsafeBytes { key in
                if key.count > block.count {
                    var hash = H()
                    hash.update(bufferPointer: key)
                    hash.finalize(into: UnsafeMutableRawBufferPointer(rebasing: block[..<H.Digest.byteCount]))
                } else {
                    block.copyMemory(from: key)
                }
            }
        }
        Self.absorb(block, xor: 0x36, into: &inner)
        Self.absorb(block, xor: 0x5c, into: &outer)
    }

    private static func absorb(_ block: SecureBytes, xor pad: UInt8, into hash: inout H) {
        let padded = SecureBytes(count: block.count) { padded in
            block.withUnsafeBytes { for index in $0.indices { padded[index] = $0[index] ^ pad } }
        }
        padded.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    /// Takes more input.
    public mutating func update(data: some DataProtocol) {
        inner.update(data: data)
    }

    mutating func update(bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { inner.update(bufferPointer: $0) }
    }

    /// The code of everything taken so far.
    public func finalize() -> MAC {
        MAC(bytes: finalizeSecret())
    }

    func finalizeSecret() -> SecureBytes {
        let innerDigest = SecureBytes(count: H.Digest.byteCount) { inner.finalize(into: $0) }
        var outer = outer
        innerDigest.withUnsafeBytes { outer.update(bufferPointer: $0) }
        return SecureBytes(count: H.Digest.byteCount) { outer.finalize(into: $0) }
    }

    /// The code of `data` under `key`.
    public static func authenticationCode(for data: some DataProtocol, using key: SymmetricKey) -> MAC {
        var function = Self(key: key)
        function.update(data: data)
        return function.finalize()
    }

    /// Whether `code` belongs to `data` and `key`, in a time that does not tell where it differs.
    public static func isValidAuthenticationCode(
        _ code: some ContiguousBytes, authenticating data: some DataProtocol, using key: SymmetricKey
    ) -> Bool {
        let right = authenticationCode(for: data, using: key)
        return right.withUnsafeBytes { right in code.withUnsafeBytes { SecureBytes.equal(right, $0) } }
    }
}
