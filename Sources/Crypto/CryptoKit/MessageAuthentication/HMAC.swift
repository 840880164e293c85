import FoundationEssentials
import HILCOpenSSL

/// HMAC: authenticates messages with a key and a hash function. Source: RFC 2104.
public struct HMAC<H: HashFunction>: Sendable {
    /// The type of the key.
    public typealias Key = SymmetricKey
    /// The type of the authentication code.
    public typealias MAC = HashedAuthenticationCode<H>

    private var inner = H()
    private var outer = H()

    /// Makes a function with the given key and no input yet.
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

    /// Adds input.
    public mutating func update(data: some DataProtocol) {
        inner.update(data: data)
    }

    mutating func update(bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { inner.update(bufferPointer: $0) }
    }

    /// The code of all input so far.
    public func finalize() -> MAC {
        MAC(bytes: finalizeSecret())
    }

    func finalizeSecret() -> SecureBytes {
        let innerDigest = SecureBytes(count: H.Digest.byteCount) { inner.finalize(into: $0) }
        var outer = outer
        innerDigest.withUnsafeBytes { outer.update(bufferPointer: $0) }
        return SecureBytes(count: H.Digest.byteCount) { outer.finalize(into: $0) }
    }

    /// The code of `data` with `key`.
    public static func authenticationCode(for data: some DataProtocol, using key: SymmetricKey) -> MAC {
        var function = Self(key: key)
        function.update(data: data)
        return function.finalize()
    }

    /// Whether `code` belongs to `data` and `key`. The time does not show where it differs.
    ///
    /// The code's type determines the hash function: `HMAC.isValidAuthenticationCode(…)` needs no `<SHA256>`.
    public static func isValidAuthenticationCode(
        _ code: MAC, authenticating data: some DataProtocol, using key: SymmetricKey
    ) -> Bool {
        isValid(code, data, key)
    }

    /// Whether `code` belongs to the bytes of `buffer` and `key`. The time does not show where it differs.
    public static func isValidAuthenticationCode(
        _ code: MAC, authenticating buffer: UnsafeRawBufferPointer, using key: SymmetricKey
    ) -> Bool {
        isValid(code, buffer, key)
    }

    /// Whether the bytes `code` belong to `data` and `key`. The time does not show where they differ.
    public static func isValidAuthenticationCode(
        _ code: some ContiguousBytes, authenticating data: some DataProtocol, using key: SymmetricKey
    ) -> Bool {
        isValid(code, data, key)
    }

    private static func isValid(
        _ code: some ContiguousBytes, _ data: some DataProtocol, _ key: SymmetricKey
    ) -> Bool {
        let right = authenticationCode(for: data, using: key)
        return right.withUnsafeBytes { right in code.withUnsafeBytes { SecureBytes.equal(right, $0) } }
    }
}
