/// A parameter set of ML-DSA. Source: FIPS 204, section 4.
struct MLDSAParameters: Sendable {
    /// The name in FIPS 204 and in OpenSSL.
    let name: String
    /// The rows and columns of the matrix, `k` and `l` in FIPS 204.
    let rows, columns: Int
    /// The largest coefficient of a secret vector, `η` in FIPS 204.
    let noiseBound: Int32
    /// How many coefficients of a challenge are not zero, `τ` in FIPS 204.
    let challengeOnes: Int
    /// How many hints a signature may have, `ω` in FIPS 204.
    let hintLimit: Int
    /// The length of a signature's hash in bytes, `λ`/4 in FIPS 204.
    let digestByteCount: Int

    static let mlDSA65 = MLDSAParameters(
        name: "ML-DSA-65", rows: 6, columns: 5, noiseBound: 4, challengeOnes: 49, hintLimit: 55, digestByteCount: 48)
    static let mlDSA87 = MLDSAParameters(
        name: "ML-DSA-87", rows: 8, columns: 7, noiseBound: 2, challengeOnes: 60, hintLimit: 75, digestByteCount: 64)

    /// The length of a seed, 32 bytes.
    static let seedByteCount = 32
    /// The length of a public key, 1952 or 2592 bytes.
    var publicKeyByteCount: Int { 32 + rows * SignaturePolynomials.byteCount(bits: 10) }
    /// The length of a signature, 3309 or 4627 bytes.
    var signatureByteCount: Int {
        digestByteCount + columns * SignaturePolynomials.byteCount(bits: 20) + hintLimit + rows
    }
    /// The largest coefficient of the product of a challenge and a secret vector, `β` in FIPS 204.
    var reach: Int32 { Int32(challengeOnes) * noiseBound }
}
