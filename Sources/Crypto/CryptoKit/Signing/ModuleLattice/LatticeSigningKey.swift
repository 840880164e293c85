/// A private key of ML-DSA (FIPS 204) with this module's arithmetic. It is wiped when released.
///
/// Signing tries again until the signature reveals nothing of the secret. The time shows the number of attempts, which
/// does not depend on the secret (FIPS 204, 3.2). `@unchecked Sendable`: only the initializer writes to it.
final class LatticeSigningKey: MLDSASigner, @unchecked Sendable {
    let publicKeyBytes: [UInt8]
    private let parameters: MLDSAParameters
    private let publicKey: LatticeVerifyingKey
    /// The 32 bytes from which the randomness of signatures is made, `K` in FIPS 204.
    private let secretSeed: SecureBytes
    /// The secret vectors and the low bits of the public one, in transformed form: `s1`, `s2` and `t0` in FIPS 204.
    private let first: SignaturePolynomials
    private let second: SignaturePolynomials
    private let low: SignaturePolynomials

    /// Makes the key from its seed of 32 bytes: `ML-DSA.KeyGen_internal`, algorithm 6.
    init(seed: SecureBytes, _ parameters: MLDSAParameters) {
        let (rows, columns) = (parameters.rows, parameters.columns)
        let (publicSeed, rest) = Keccak.shake256(seed, [UInt8(rows), UInt8(columns)], byteCount: 128).split(at: 32)
        let (noiseSeed, secretSeed) = rest.split(at: 64)
        let first = SignaturePolynomials.small(columns, seed: noiseSeed, from: 0, bound: parameters.noiseBound)
        let second = SignaturePolynomials.small(rows, seed: noiseSeed, from: columns, bound: parameters.noiseBound)
        let matrix = SignaturePolynomials.matrix(seed: publicSeed.copiedBytes, rows: rows, columns: columns)
        self.first = first.transformed()
        self.second = second.transformed()
        let sum = SignaturePolynomials.product(of: matrix, self.first).transformedBack().adding(second)
        // `Power2Round`, algorithm 35.
        let half: Int32 = 1 << (SignatureRing.droppedBits - 1)
        let high = sum.mapped { ($0 &+ half &- 1) >> SignatureRing.droppedBits }
        low = sum.combined(high) { $0 &- $1 << SignatureRing.droppedBits }.transformed()
        publicKeyBytes = publicSeed.copiedBytes + high.packed(bits: 10)
        publicKey = LatticeVerifyingKey(bytes: publicKeyBytes, parameters)
        self.secretSeed = secretSeed
        self.parameters = parameters
    }

    /// Signs a message: `ML-DSA.Sign`, algorithms 2 and 7.
    ///
    /// - Throws: `CryptoKitError.underlyingCoreCryptoError` if the context has more than 255 bytes.
    func sign(_ message: [UInt8], context: [UInt8]?) throws -> [UInt8] {
        guard (context ?? []).count <= 255 else { throw CryptoKitError.refusedKey }
        let representative = publicKey.representative(of: message, context: context)
        let seed = Keccak.shake256(secretSeed, try SecureBytes.random(count: 32), representative, byteCount: 64)
        var number = 0
        while true {
            if let signature = attempt(representative, seed, number) { return signature }
            number += parameters.columns
        }
    }

    /// One attempt to sign, with the masks from this number on; nil if the signature would show something of the
    /// secret.
    private func attempt(_ representative: SecureBytes, _ seed: SecureBytes, _ number: Int) -> [UInt8]? {
        let mask = SignaturePolynomials.mask(parameters.columns, seed: seed, from: number)
        let commitment = SignaturePolynomials.product(of: publicKey.matrix, mask.transformed()).transformedBack()
        let high = commitment.mapped { SignatureRing.decompose($0).high }
        let digest = parameters.digest(representative, high)
        let challenge = SignaturePolynomials.challenge(seed: digest, ones: parameters.challengeOnes).transformed()

        let response = first.multiplied(by: challenge).transformedBack().adding(mask)
        let rest = commitment.subtracting(second.multiplied(by: challenge).transformedBack())
        let restLow = rest.mapped { SignatureRing.standard(SignatureRing.decompose($0).low) }
        guard !response.reaches(SignatureRing.maskRange - parameters.reach),
            !restLow.reaches(SignatureRing.roundingRange - parameters.reach)
        else { return nil }

        let correction = low.multiplied(by: challenge).transformedBack()
        guard !correction.reaches(SignatureRing.roundingRange) else { return nil }
        // `MakeHint`, algorithm 39: 1 if the high bits differ.
        let hints = rest.combined(rest.adding(correction)) {
            (0 &- (SignatureRing.decompose($0).high ^ SignatureRing.decompose($1).high)) >> 31 & 1
        }
        guard (0..<hints.coefficientCount).count(where: { hints[$0] == 1 }) <= parameters.hintLimit else { return nil }
        let packed = response.packed(bits: 20) { SignatureRing.maskRange &- SignatureRing.center($0) }
        return digest + packed + hints.packedHints(limit: parameters.hintLimit)
    }
}
