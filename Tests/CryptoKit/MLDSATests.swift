import FoundationEssentials
import Testing

@testable import CryptoKit

/// ML-DSA with this module's arithmetic and, if it exists, OpenSSL's. Source: FIPS 204.
@Suite struct MLDSATests {
    static let implementations = MLDSAImplementation.allCases.filter(\.isAvailable)
    static let sets = [MLDSAParameters.mlDSA65, .mlDSA87]
    private static let message = Array("Dinner at 8?".utf8)

    private static func seed(_ first: UInt8 = 0) -> SecureBytes { SecureBytes(gathering: first..<first + 32) }

    @Test("The public key of the seed 00, 01, … 1f is the same as OpenSSL 3.5's", arguments: implementations)
    func publicKey(_ implementation: MLDSAImplementation) throws {
        for (set, hash) in [
            (MLDSAParameters.mlDSA65, "d666806e11cee19a7c989f7445f90dd419cf4d2d51db8c0fdb4c0f0a542238c9"),
            (.mlDSA87, "91dc389cfaa01470b7f66eee45a4ae9026d154817c754dfe22298b3fa241ffcd"),
        ] {
            let key = try implementation.privateKey(seed: Self.seed(), set).publicKey
            #expect(key.count == set.publicKeyByteCount)
            #expect(SHA256.hash(data: key).data == hex(hash), "\(set.name)")
        }
    }

    @Test(
        "What one implementation signs, every other finds valid for the same message and context only",
        arguments: implementations, sets)
    func agreement(_ implementation: MLDSAImplementation, _ set: MLDSAParameters) throws {
        let (signer, publicKey) = try implementation.privateKey(seed: Self.seed(), set)
        let other = try implementation.privateKey(seed: Self.seed(1), set).publicKey
        for context in [nil, [], [7], [UInt8](repeating: 9, count: 255)] as [[UInt8]?] {
            let signature = try signer.sign(Self.message, context: context)
            #expect(signature.count == set.signatureByteCount)
            #expect(try signer.sign(Self.message, context: context) != signature, "signatures are random")
            for verifying in Self.implementations {
                let key = try verifying.publicKey(publicKey, set)
                #expect(key.isValid(signature, for: Self.message, context: context))
                #expect(!key.isValid(signature, for: Self.message + [0], context: context))
                #expect(!key.isValid(signature, for: Self.message, context: (context ?? []).dropLast() + [1]))
                #expect(!(try verifying.publicKey(other, set)).isValid(signature, for: Self.message, context: context))
            }
        }
    }

    @Test("A signature with a changed bit, of another length or with a context too long is not valid", arguments: sets)
    func alteredSignatures(_ set: MLDSAParameters) throws {
        let (signer, publicKey) = try MLDSAImplementation.own.privateKey(seed: Self.seed(), set)
        let key = try MLDSAImplementation.own.publicKey(publicKey, set)
        let signature = try signer.sign(Self.message, context: nil)
        for index in stride(from: 0, to: signature.count, by: 331) + [signature.count - 1] {
            var altered = signature
            altered[index] ^= 1 << UInt8(index % 8)
            #expect(!key.isValid(altered, for: Self.message, context: nil), "byte \(index)")
        }
        for wrong in [[], [1], Array(signature.dropLast()), signature + [0]] as [[UInt8]] {
            #expect(!key.isValid(wrong, for: Self.message, context: nil))
        }
        for value: UInt8 in [0, 0xFF] {
            let constant = [UInt8](repeating: value, count: signature.count)
            #expect(!key.isValid(constant, for: Self.message, context: nil))
        }
        let long = [UInt8](repeating: 0, count: 256)
        #expect(!key.isValid(signature, for: Self.message, context: long))
        #expect(throws: CryptoKitError.refusedKey) { try signer.sign(Self.message, context: long) }
    }

    /// A signature with another form of the same hints would be a second signature of the message.
    @Test(
        "Hints have only one form: places in rising order, then zeros",
        arguments: [
            ([1, 2, 0, 0, 2, 2], true), ([0, 0, 0, 0, 0, 0], true), ([3, 7, 1, 9, 2, 4], true),
            ([2, 1, 0, 0, 2, 2], false), ([1, 1, 0, 0, 2, 2], false), ([1, 2, 3, 0, 2, 2], false),
            ([1, 2, 0, 0, 2, 1], false), ([1, 2, 3, 4, 2, 5], false), ([1, 2, 3, 4, 4], false),
        ] as [([UInt8], Bool)])
    func hints(bytes: [UInt8], isValid: Bool) {
        let hints = SignaturePolynomials.hints(unpacking: bytes[...], count: 2, limit: 4)
        #expect((hints != nil) == isValid)
        if let hints { #expect(hints.packedHints(limit: 4) == bytes) }
    }

    @Test("Every residue is its high bits times 523776 plus its low bits, modulo the prime")
    func decomposition() {
        for residue in stride(from: Int32(0), to: SignatureRing.modulus, by: 127) {
            check(residue)
        }
        for multiple in Int32(0)...16 {
            for offset in Int32(-3)...3 {
                for middle in [0, SignatureRing.roundingRange] {
                    let residue = multiple * 2 * SignatureRing.roundingRange + middle + offset
                    if (0..<SignatureRing.modulus).contains(residue) { check(residue) }
                }
            }
        }
    }

    /// FIPS 204, algorithm 36, as it is written there.
    private func check(_ residue: Int32) {
        let distance = 2 * SignatureRing.roundingRange
        var low = residue % distance
        if low > distance / 2 { low -= distance }
        var high = (residue - low) / distance
        if residue - low == SignatureRing.modulus - 1 { (high, low) = (0, low - 1) }
        let result = SignatureRing.decompose(residue)
        #expect(result.high == high && result.low == low, "\(residue)")
    }

    @Test("The transform and its inverse give the product of two polynomials modulo X²⁵⁶ + 1")
    func transform() {
        let (f, g) = (SignaturePolynomials(1), SignaturePolynomials(1))
        for index in 0..<256 {
            f[index] = Int32(index * 32_000)
            g[index] = Int32(8_380_416 - index * 7)
        }
        let modulus = Int(SignatureRing.modulus)
        var wanted = [Int](repeating: 0, count: 256)
        for i in 0..<256 {
            for j in 0..<256 {
                let product = Int(f[i]) * Int(g[j]) % modulus
                let index = (i + j) % 256
                wanted[index] = (wanted[index] + (i + j < 256 ? product : modulus - product)) % modulus
            }
        }
        let product = f.transformed().multiplied(by: g.transformed()).transformedBack()
        for index in 0..<256 { #expect(Int(product[index]) == wanted[index]) }
    }
}
