import FoundationEssentials
import HILCOpenSSL

/// The hash functions of FIPS 202 for key encapsulation. Their output may be secret and is wiped when released.
enum Keccak {
    /// The algorithms are fetched only once, because a fetch by name takes longer than hashing a short message.
    /// `nonisolated(unsafe)`: OpenSSL never changes them and counts references to them.
    nonisolated(unsafe) private static let sha3_256 = EVP_MD_fetch(nil, "SHA3-256", nil)
    nonisolated(unsafe) private static let sha3_512 = EVP_MD_fetch(nil, "SHA3-512", nil)
    nonisolated(unsafe) private static let shake128 = EVP_MD_fetch(nil, "SHAKE-128", nil)
    nonisolated(unsafe) private static let shake256 = EVP_MD_fetch(nil, "SHAKE-256", nil)

    /// The SHA3-256 hash of the parts, 32 bytes.
    static func sha3_256(_ parts: any ContiguousBytes...) -> SecureBytes { digest(sha3_256, parts, nil) }

    /// The SHA3-512 hash of the parts, 64 bytes.
    static func sha3_512(_ parts: any ContiguousBytes...) -> SecureBytes { digest(sha3_512, parts, nil) }

    /// The first `byteCount` bytes of SHAKE128 of the parts.
    static func shake128(_ parts: any ContiguousBytes..., byteCount: Int) -> SecureBytes {
        digest(shake128, parts, byteCount)
    }

    /// The first `byteCount` bytes of SHAKE256 of the parts.
    static func shake256(_ parts: any ContiguousBytes..., byteCount: Int) -> SecureBytes {
        digest(shake256, parts, byteCount)
    }

    private static func digest(
        _ function: OpaquePointer?, _ parts: [any ContiguousBytes], _ byteCount: Int?
    ) -> SecureBytes {
        // OpenSSL wipes the state when it is freed.
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("no memory for a SHA-3 context") }
        defer { EVP_MD_CTX_free(context) }
        precondition(EVP_DigestInit_ex2(context, function, nil) == 1, "OpenSSL has no SHA-3")
        for part in parts {
            let result = part.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
            precondition(result == 1, "OpenSSL could not continue with SHA-3")
        }
        return SecureBytes(count: byteCount ?? Int(EVP_MD_get_size(function))) { output in
            let bytes = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            let result =
                byteCount == nil
                ? EVP_DigestFinal_ex(context, bytes, nil) : EVP_DigestFinalXOF(context, bytes, output.count)
            precondition(result == 1, "OpenSSL could not end SHA-3")
        }
    }
}
