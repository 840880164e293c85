/// A parameter set of ML-KEM. Source: FIPS 203, section 8.
struct MLKEMParameters: Sendable {
    /// The name in FIPS 203 and in OpenSSL.
    let name: String
    /// The rank of the module lattice, `k` in FIPS 203.
    let rank: Int
    /// Bits per coefficient in the first part of a ciphertext, `d_u` in FIPS 203.
    let vectorBits: Int
    /// Bits per coefficient in the second part of a ciphertext, `d_v` in FIPS 203.
    let messageBits: Int

    static let mlKEM768 = MLKEMParameters(name: "ML-KEM-768", rank: 3, vectorBits: 10, messageBits: 4)
    static let mlKEM1024 = MLKEMParameters(name: "ML-KEM-1024", rank: 4, vectorBits: 11, messageBits: 5)

    /// The length of the seed d‖z, 64 bytes.
    static let seedByteCount = 64

    /// The length of a vector without loss, in bytes.
    var vectorByteCount: Int { rank * Polynomials.byteCount(bits: 12) }
    /// The length of a public key, 1184 or 1568 bytes.
    var publicKeyByteCount: Int { vectorByteCount + 32 }
    /// The length of a ciphertext, 1088 or 1568 bytes.
    var ciphertextByteCount: Int {
        rank * Polynomials.byteCount(bits: vectorBits) + Polynomials.byteCount(bits: messageBits)
    }
}
