import FoundationEssentials
import HILCOpenSSL

/// A decapsulation key of ML-KEM (FIPS 203) with this module's arithmetic. It is wiped when released.
///
/// `@unchecked Sendable`: only the initializers write to it.
final class LatticePrivateKey: @unchecked Sendable {
    let publicKey: LatticePublicKey
    /// The secret vector, in transformed (NTT) form.
    private let vector: Polynomials
    /// The 32 bytes z, from which the result for an invalid ciphertext is made.
    private let rejection: SecureBytes

    /// Makes the key from its seed: `ML-KEM.KeyGen_internal`, algorithm 16.
    ///
    /// - Parameter seed: The 64 bytes d‖z.
    init(seed: SecureBytes, _ parameters: MLKEMParameters) {
        precondition(seed.count == MLKEMParameters.seedByteCount, "a seed of ML-KEM has 64 bytes")
        let rank = parameters.rank
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
        publicKey = LatticePublicKey(vector: product, matrix: matrix, seed: rho, parameters)
        rejection = z
    }

    /// Reads a key in the long form of FIPS 203, 2400 or 3168 bytes: secret vector, public key, hash of the public key,
    /// z.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `.invalidParameter` if the parts do not belong
    ///   together (7.3).
    init(expanded: some ContiguousBytes, _ parameters: MLKEMParameters) throws(CryptoKitError) {
        let bytes = SecureBytes(copying: expanded)
        let vectorByteCount = parameters.vectorByteCount
        let publicEnd = vectorByteCount + parameters.publicKeyByteCount
        guard bytes.count == publicEnd + 64 else { throw .incorrectKeySize }
        func part(_ range: Range<Int>) -> SecureBytes {
            bytes.withUnsafeBytes { SecureBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
        vector = Polynomials(parameters.rank)
        let isValid = part(0..<vectorByteCount).withUnsafeBytes { [vector] in vector.read(from: $0) }
        publicKey = try LatticePublicKey(
            bytes: part(vectorByteCount..<publicEnd).withUnsafeBytes { Array($0) }, parameters)
        rejection = part(publicEnd + 32..<publicEnd + 64)
        let isWhole = part(publicEnd..<publicEnd + 32).withUnsafeBytes { stored in
            publicKey.hash.withUnsafeBytes { SecureBytes.equal(stored, $0) }
        }
        guard isValid, isWhole else { throw .invalidParameter }
    }

    /// Recovers the encapsulated secret: `ML-KEM.Decaps_internal`, algorithm 18.
    ///
    /// For an invalid ciphertext the result is 32 bytes that nobody can distinguish from a secret. Both cases take the
    /// same time.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for another length.
    func decapsulate(_ ciphertext: [UInt8]) throws(CryptoKitError) -> SecureBytes {
        guard ciphertext.count == publicKey.parameters.ciphertextByteCount else { throw .incorrectParameterSize }
        let message = decrypt(ciphertext)
        let (secret, coins) = Keccak.sha3_512(message, publicKey.hash).split(at: 32)
        let refusal = Keccak.shake256(rejection, ciphertext, byteCount: 32)
        let again = publicKey.encrypt(message, coins: coins)
        let difference = CRYPTO_memcmp(ciphertext, again, ciphertext.count)
        return SecureBytes(count: 32) { result in
            secret.withUnsafeBytes { secret in
                refusal.withUnsafeBytes { refusal in
                    guard let one = secret.baseAddress, let other = refusal.baseAddress, let to = result.baseAddress
                    else { return }
                    Self.choose(one, other, difference: difference, to: to)
                }
            }
        }
    }

    /// Copies 32 bytes: those of `one` if `difference` is 0, else those of `other`. Without a branch, so that the time
    /// does not show which.
    ///
    /// It is not inlined, so that a test can check its instructions.
    @inline(never)
    private static func choose(
        _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, difference: Int32, to result: UnsafeMutableRawPointer
    ) {
        // All bits are 0 if there is no difference, else 1.
        var mask = UInt64(bitPattern: Int64((difference | (0 &- difference)) >> 31))
        // The compiler must not know that these are the only values: it would choose between the two addresses. It
        // cannot look into this call, which changes nothing.
        withUnsafeMutablePointer(to: &mask) { OPENSSL_cleanse($0, 0) }
        func copyWord(at offset: Int) {
            let one = one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let other = other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            result.storeBytes(of: one ^ (mask & (one ^ other)), toByteOffset: offset, as: UInt64.self)
        }
        copyWord(at: 0)
        copyWord(at: 8)
        copyWord(at: 16)
        copyWord(at: 24)
    }

    /// Decrypts a ciphertext to 32 bytes: `K-PKE.Decrypt`, algorithm 15.
    private func decrypt(_ ciphertext: [UInt8]) -> SecureBytes {
        let parameters = publicKey.parameters
        let first = Polynomials(parameters.rank)
        let second = Polynomials(1)
        ciphertext.withUnsafeBytes { bytes in
            let tail = Polynomials.byteCount(bits: parameters.messageBits)
            first.readCompressed(
                bits: parameters.vectorBits, from: UnsafeRawBufferPointer(rebasing: bytes.dropLast(tail)))
            second.readCompressed(
                bits: parameters.messageBits, from: UnsafeRawBufferPointer(rebasing: bytes.suffix(tail)))
        }
        first.transform()
        let product = Polynomials(1)
        product.setProduct(at: 0, of: vector, from: 0, by: 1, with: first)
        product.transformBack()
        second.subtract(product)
        return SecureBytes(count: Polynomials.byteCount(bits: 1)) { second.writeCompressed(bits: 1, to: $0) }
    }
}
