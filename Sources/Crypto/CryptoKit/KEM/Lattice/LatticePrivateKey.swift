import COpenSSL
import FoundationEssentials

/// A decapsulation key of ML-KEM-768 (FIPS 203), by our own arithmetic; wiped when released.
///
/// `@unchecked Sendable`: written by the initializers only.
final class LatticePrivateKey: @unchecked Sendable {
    /// 64 bytes: d‖z.
    static let seedByteCount = 64

    let publicKey: LatticePublicKey
    /// The secret vector, transformed.
    private let vector: Polynomials
    /// 32 bytes: what a ciphertext that is none decapsulates to comes from these.
    private let rejection: SecureBytes

    /// `ML-KEM.KeyGen_internal`, algorithm 16.
    ///
    /// - Parameter seed: 64 bytes, d‖z.
    init(seed: SecureBytes) {
        precondition(seed.count == LatticePrivateKey.seedByteCount, "a seed of ML-KEM has 64 bytes")
        let rank = LatticePublicKey.rank
        let (d, z) = seed.split(at: 32)
        let (publicSeed, noiseSeed) = Keccak.sha3_512(d, [UInt8(rank)]).split(at: 32)
        let rho = publicSeed.withUnsafeBytes { Array($0) }
        let matrix = Polynomials.matrix(seed: rho, side: rank)
        vector = Polynomials.small(rank, seed: noiseSeed, from: 0)
        vector.transform()
        let error = Polynomials.small(rank, seed: noiseSeed, from: UInt8(rank))
        error.transform()

        let product = Polynomials(rank)
        for row in 0..<rank { product.setProduct(at: row, of: matrix, from: row * rank, by: 1, with: vector) }
        product.map { Ring.multiply($0, Ring.radixSquared) }
        product.add(error)
        product.map(Ring.center)
        publicKey = LatticePublicKey(vector: product, matrix: matrix, seed: rho)
        rejection = z
    }

    /// A key in the long form of FIPS 203: secret vector, public key, its hash, z; 2400 bytes.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `.invalidParameter` where the parts do not belong
    ///   together (7.3).
    init(expanded: some ContiguousBytes) throws(CryptoKitError) {
        let bytes = SecureBytes(copying: expanded)
        let vectorByteCount = LatticePublicKey.rank * Polynomials.byteCount(bits: 12)
        let publicEnd = vectorByteCount + LatticePublicKey.byteCount
        guard bytes.count == publicEnd + 64 else { throw .incorrectKeySize }
        func part(_ range: Range<Int>) -> SecureBytes {
            bytes.withUnsafeBytes { SecureBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
        vector = Polynomials(LatticePublicKey.rank)
        let isValid = part(0..<vectorByteCount).withUnsafeBytes { [vector] in vector.read(from: $0) }
        publicKey = try LatticePublicKey(bytes: part(vectorByteCount..<publicEnd).withUnsafeBytes { Array($0) })
        rejection = part(publicEnd + 32..<publicEnd + 64)
        let isWhole = part(publicEnd..<publicEnd + 32).withUnsafeBytes { stored in
            publicKey.hash.withUnsafeBytes { SecureBytes.equal(stored, $0) }
        }
        guard isValid, isWhole else { throw .invalidParameter }
    }

    /// `ML-KEM.Decaps_internal`, algorithm 18: what was encapsulated, or, for a ciphertext that is none, 32 bytes that nobody
    /// can tell from it. The time does not tell which.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length than 1088 bytes.
    func decapsulate(_ ciphertext: [UInt8]) throws(CryptoKitError) -> SecureBytes {
        guard ciphertext.count == LatticePublicKey.ciphertextByteCount else { throw .incorrectParameterSize }
        let message = decrypt(ciphertext)
        let (secret, coins) = Keccak.sha3_512(message, publicKey.hash).split(at: 32)
        let refusal = Keccak.shake256(rejection, ciphertext, byteCount: 32)
        let again = publicKey.encrypt(message, coins: coins)
        // 0 if they are the same, else 0xFF, without a branch.
        let difference = CRYPTO_memcmp(ciphertext, again, ciphertext.count)
        let mask = UInt8(truncatingIfNeeded: (difference | -difference) >> 31)
        return SecureBytes(count: 32) { result in
            secret.withUnsafeBytes { secret in
                refusal.withUnsafeBytes { refusal in
                    for index in result.indices {
                        result[index] = secret[index] ^ (mask & (secret[index] ^ refusal[index]))
                    }
                }
            }
        }
    }

    /// `K-PKE.Decrypt`, algorithm 15: 32 bytes.
    private func decrypt(_ ciphertext: [UInt8]) -> SecureBytes {
        let first = Polynomials(LatticePublicKey.rank)
        let second = Polynomials(1)
        ciphertext.withUnsafeBytes { bytes in
            let tail = Polynomials.byteCount(bits: LatticePublicKey.messageBits)
            first.readCompressed(
                bits: LatticePublicKey.vectorBits, from: UnsafeRawBufferPointer(rebasing: bytes.dropLast(tail)))
            second.readCompressed(
                bits: LatticePublicKey.messageBits, from: UnsafeRawBufferPointer(rebasing: bytes.suffix(tail)))
        }
        first.transform()
        let product = Polynomials(1)
        product.setProduct(at: 0, of: vector, from: 0, by: 1, with: first)
        product.transformBack()
        second.subtract(product)
        return SecureBytes(count: Polynomials.byteCount(bits: 1)) { second.writeCompressed(bits: 1, to: $0) }
    }
}
