/// A public key of ML-DSA (FIPS 204) with this module's arithmetic.
///
/// `@unchecked Sendable`: only the initializer writes to it.
final class LatticeVerifyingKey: MLDSAVerifier, @unchecked Sendable {
    private let parameters: MLDSAParameters
    /// The SHAKE256 hash of the key, 64 bytes, `tr` in FIPS 204.
    let hash: SecureBytes
    /// The public matrix, in transformed form.
    let matrix: SignaturePolynomials
    /// The public vector times 2¹³, in transformed form.
    private let vector: SignaturePolynomials

    /// - Parameter bytes: As many as keys of this set have. Any such bytes are a valid key.
    init(bytes: [UInt8], _ parameters: MLDSAParameters) {
        self.parameters = parameters
        hash = Keccak.shake256(bytes, byteCount: 64)
        matrix = .matrix(seed: Array(bytes.prefix(32)), rows: parameters.rows, columns: parameters.columns)
        vector = bytes.dropFirst(32).withUnsafeBytes {
            SignaturePolynomials(unpacking: $0, bits: 10) { $0 << SignatureRing.droppedBits }
        }.transformed()
    }

    /// The hash of the signed message, `μ` in FIPS 204.
    func representative(of message: [UInt8], context: [UInt8]?) -> SecureBytes {
        let context = context ?? []
        return Keccak.shake256(hash, [0, UInt8(context.count)], context, message, byteCount: 64)
    }

    /// Whether a signature belongs to a message: `ML-DSA.Verify`, algorithms 3 and 8.
    func isValid(_ signature: [UInt8], for message: [UInt8], context: [UInt8]?) -> Bool {
        guard signature.count == parameters.signatureByteCount, (context ?? []).count <= 255 else { return false }
        let digest = Array(signature.prefix(parameters.digestByteCount))
        let rest = signature.dropFirst(parameters.digestByteCount)
        let responseByteCount = parameters.columns * SignaturePolynomials.byteCount(bits: 20)
        let response = rest.prefix(responseByteCount).withUnsafeBytes {
            SignaturePolynomials(unpacking: $0, bits: 20) { SignatureRing.standard(SignatureRing.maskRange &- $0) }
        }
        guard !response.reaches(SignatureRing.maskRange - parameters.reach),
            let hints = SignaturePolynomials.hints(
                unpacking: rest.dropFirst(responseByteCount), count: parameters.rows, limit: parameters.hintLimit)
        else { return false }
        let challenge = SignaturePolynomials.challenge(seed: digest, ones: parameters.challengeOnes).transformed()
        let product = SignaturePolynomials.product(of: matrix, response.transformed())
        let commitment = product.combined(vector.multiplied(by: challenge)) { SignatureRing.shorten($0 &- $1) }
            .transformedBack()
        let high = commitment.combined(hints) { residue, hint in
            let (high, low) = SignatureRing.decompose(residue)
            // `UseHint`, algorithm 40.
            return hint == 0 ? high : (high + (low > 0 ? 1 : -1)) & 15
        }
        return parameters.digest(representative(of: message, context: context), high) == digest
    }
}

extension MLDSAParameters {
    /// The hash of a message's representative and of the high bits of a commitment, `c̃` in FIPS 204.
    func digest(_ representative: SecureBytes, _ high: SignaturePolynomials) -> [UInt8] {
        Keccak.shake256(representative, high.packed(bits: 4), byteCount: digestByteCount).copiedBytes
    }
}
