import FoundationEssentials

/// HKDF: derives keys from a secret with a hash function. Source: RFC 5869.
public struct HKDF<H: HashFunction>: Sendable {
    /// Derives a key of `outputByteCount` bytes, with salt and info.
    public static func deriveKey(
        inputKeyMaterial: SymmetricKey, salt: some DataProtocol, info: some DataProtocol, outputByteCount: Int
    ) -> SymmetricKey {
        let pseudoRandomKey = extract(inputKeyMaterial: inputKeyMaterial, salt: salt)
        return expand(pseudoRandomKey: pseudoRandomKey, info: info, outputByteCount: outputByteCount)
    }

    /// Derives a key of `outputByteCount` bytes, with info and an empty salt.
    public static func deriveKey(
        inputKeyMaterial: SymmetricKey, info: some DataProtocol, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: Data(), info: info, outputByteCount: outputByteCount)
    }

    /// Derives a key of `outputByteCount` bytes, with salt and an empty info.
    public static func deriveKey(
        inputKeyMaterial: SymmetricKey, salt: some DataProtocol, outputByteCount: Int
    ) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: salt, info: Data(), outputByteCount: outputByteCount)
    }

    /// Derives a key of `outputByteCount` bytes, with an empty salt and an empty info.
    public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey {
        deriveKey(inputKeyMaterial: inputKeyMaterial, salt: Data(), info: Data(), outputByteCount: outputByteCount)
    }

    /// The first step, HKDF-Extract: makes a pseudorandom key from the input. Source: RFC 5869, section 2.2.
    public static func extract(
        inputKeyMaterial: SymmetricKey, salt: (some DataProtocol)?
    ) -> HashedAuthenticationCode<H> {
        var function = HMAC<H>(keyBytes: salt.map { Array($0) } ?? [])
        function.update(bytes: inputKeyMaterial)
        return function.finalize()
    }

    /// The second step, HKDF-Expand: makes `outputByteCount` bytes, at most 255 times the digest's length. Source: RFC
    /// 5869, section 2.3.
    public static func expand(
        pseudoRandomKey: some ContiguousBytes, info: (some DataProtocol)?, outputByteCount: Int
    ) -> SymmetricKey {
        let info = info.map { Array($0) } ?? []
        return SymmetricKey(
            bytes: expand(pseudoRandomKey: pseudoRandomKey, info: info, outputByteCount: outputByteCount))
    }

    private static func expand(
        pseudoRandomKey: some ContiguousBytes, info: [UInt8], outputByteCount: Int
    ) -> SecureBytes {
        let blockByteCount = H.Digest.byteCount
        precondition(
            (0...255 * blockByteCount).contains(outputByteCount),
            "HKDF can make at most 255 times the length of the digest (RFC 5869, 2.3)")
        let keyed = HMAC<H>(keyBytes: pseudoRandomKey)
        return SecureBytes(count: outputByteCount) { output in
            var previous = SecureBytes(copying: [UInt8]())
            for (index, start) in stride(from: 0, to: outputByteCount, by: blockByteCount).enumerated() {
                var function = keyed
                function.update(bytes: previous)
                function.update(data: info)
                function.update(data: [UInt8(index + 1)])
                previous = function.finalizeSecret()
                let end = min(start + blockByteCount, outputByteCount)
                previous.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: output[start..<end])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<(end - start)]))
                }
            }
        }
    }
}
