import FoundationEssentials

/// An encapsulation key of ML-KEM (FIPS 203) with this module's arithmetic.
///
/// `@unchecked Sendable`: only the initializers write to it.
final class LatticePublicKey: @unchecked Sendable {
    let parameters: MLKEMParameters
    /// The key in the form of FIPS 203.
    let bytes: [UInt8]
    /// The SHA3-256 hash of ``bytes``.
    let hash: SecureBytes
    /// The public vector, in transformed (NTT) form.
    private let vector: Polynomials
    /// The public matrix, in transformed (NTT) form. It is stored because making it costs as much as the rest of an
    /// encapsulation.
    private let matrix: Polynomials

    /// Reads a key.
    ///
    /// - Throws: `CryptoKitError.incorrectKeySize` for another length, `.underlyingCoreCryptoError` if a coefficient is
    ///   3329 or more (FIPS 203, 7.2).
    init(bytes: [UInt8], _ parameters: MLKEMParameters) throws(CryptoKitError) {
        guard bytes.count == parameters.publicKeyByteCount else { throw .incorrectKeySize }
        self.parameters = parameters
        vector = Polynomials(parameters.rank)
        let isValid = bytes.withUnsafeBytes { [vector] in
            vector.read(from: UnsafeRawBufferPointer(rebasing: $0.dropLast(32)))
        }
        guard isValid else { throw .refusedKey }
        matrix = Polynomials.matrix(seed: Array(bytes.suffix(32)), side: parameters.rank)
        hash = Keccak.sha3_256(bytes)
        self.bytes = bytes
    }

    /// Makes the key of a new private key from its vector and matrix.
    init(vector: Polynomials, matrix: Polynomials, seed: [UInt8], _ parameters: MLKEMParameters) {
        var bytes = [UInt8](repeating: 0, count: parameters.publicKeyByteCount)
        bytes.withUnsafeMutableBytes { bytes in
            vector.write(to: UnsafeMutableRawBufferPointer(rebasing: bytes.dropLast(32)))
            UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(32)).copyBytes(from: seed)
        }
        self.parameters = parameters
        self.bytes = bytes
        self.vector = vector
        self.matrix = matrix
        hash = Keccak.sha3_256(bytes)
    }

    /// Encapsulates a secret: `ML-KEM.Encaps_internal`, algorithm 17.
    ///
    /// - Parameter message: 32 random bytes.
    func encapsulate(_ message: SecureBytes) -> (sharedSecret: SecureBytes, ciphertext: [UInt8]) {
        let (secret, coins) = Keccak.sha3_512(message, hash).split(at: 32)
        return (secret, encrypt(message, coins: coins))
    }

    /// Encrypts a message: `K-PKE.Encrypt`, algorithm 14.
    ///
    /// - Parameters:
    ///   - message: 32 bytes.
    ///   - coins: 32 bytes from which all randomness is made.
    func encrypt(_ message: SecureBytes, coins: SecureBytes) -> [UInt8] {
        let rank = parameters.rank
        let blinding = Polynomials.small(rank, seed: coins, from: 0)
        let vectorError = Polynomials.small(rank, seed: coins, from: UInt8(rank))
        let messageError = Polynomials.small(1, seed: coins, from: UInt8(2 * rank))
        blinding.transform()

        let first = Polynomials(rank)
        for row in 0..<rank { first.setProduct(at: row, of: matrix, from: row, by: rank, with: blinding) }
        first.transformBack()
        first.add(vectorError)

        let second = Polynomials(1)
        second.setProduct(at: 0, of: vector, from: 0, by: 1, with: blinding)
        second.transformBack()
        second.add(messageError)
        let encoded = Polynomials(1)
        message.withUnsafeBytes { encoded.readMessage(from: $0) }
        second.add(encoded)

        var ciphertext = [UInt8](repeating: 0, count: parameters.ciphertextByteCount)
        ciphertext.withUnsafeMutableBytes { bytes in
            let tail = Polynomials.byteCount(bits: parameters.messageBits)
            first.writeCompressed(
                bits: parameters.vectorBits, to: UnsafeMutableRawBufferPointer(rebasing: bytes.dropLast(tail)))
            second.writeCompressed(
                bits: parameters.messageBits, to: UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(tail)))
        }
        return ciphertext
    }
}
