import FoundationEssentials
import Testing

@testable import CryptoKit

/// Inputs that must not be accepted.
@Suite struct Refusals {
    @Test("A sealed box with any single bit flipped, or cut, does not open")
    func alteredBox() throws {
        let key = SymmetricKey(size: .bits256)
        let combined = try #require(try AES.GCM.seal(Data("Dinner at 8?".utf8), using: key).combined)
        for bit in 0..<(combined.count * 8) {
            var altered = combined
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            let box = try AES.GCM.SealedBox(combined: altered)
            #expect(throws: CryptoKitError.authenticationFailure, "bit \(bit)") { try AES.GCM.open(box, using: key) }
        }
        for length in 28..<combined.count {
            let box = try AES.GCM.SealedBox(combined: combined.prefix(length))
            #expect(throws: CryptoKitError.authenticationFailure) { try AES.GCM.open(box, using: key) }
        }
        for length in 0..<28 {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try AES.GCM.SealedBox(combined: combined.prefix(length))
            }
        }
        let box = try AES.GCM.SealedBox(combined: combined)
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(box, using: SymmetricKey(size: .bits256))
        }
        #expect(throws: CryptoKitError.authenticationFailure) {
            try AES.GCM.open(box, using: key, authenticating: Data([0]))
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try AES.GCM.open(box, using: SymmetricKey(size: .init(bitCount: 264)))
        }
    }

    @Test("A ChaChaPoly box with any single bit flipped, or cut, does not open")
    func alteredChaChaPolyBox() throws {
        let key = SymmetricKey(size: .bits256)
        for message in [Data(), Data("Dinner at 8?".utf8)] {
            let combined = try ChaChaPoly.seal(message, using: key).combined
            for bit in 0..<(combined.count * 8) {
                var altered = combined
                altered[bit / 8] ^= 1 << UInt8(bit % 8)
                let box = try ChaChaPoly.SealedBox(combined: altered)
                #expect(throws: CryptoKitError.authenticationFailure, "bit \(bit)") {
                    try ChaChaPoly.open(box, using: key)
                }
            }
            for length in 28..<combined.count {
                let box = try ChaChaPoly.SealedBox(combined: combined.prefix(length))
                #expect(throws: CryptoKitError.authenticationFailure) { try ChaChaPoly.open(box, using: key) }
            }
            let box = try ChaChaPoly.SealedBox(combined: combined)
            #expect(throws: CryptoKitError.authenticationFailure) {
                try ChaChaPoly.open(box, using: key, authenticating: Data([0]))
            }
            // The same key works with both algorithms, but neither opens a box of the other.
            let other = try AES.GCM.seal(message, using: key, nonce: .init(data: Data(box.nonce)))
            #expect(try AES.GCM.open(other, using: key) == message)
            let crossed = try ChaChaPoly.SealedBox(combined: #require(other.combined))
            #expect(throws: CryptoKitError.authenticationFailure) { try ChaChaPoly.open(crossed, using: key) }
            #expect(try ChaChaPoly.open(box, using: key) == message)
        }
        for length in 0..<28 {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try ChaChaPoly.SealedBox(combined: Data(count: length))
            }
        }
        for bits in [8, 128, 192, 248, 264, 512] {
            #expect(throws: CryptoKitError.incorrectKeySize) {
                try ChaChaPoly.seal(Data([1]), using: SymmetricKey(size: .init(bitCount: bits)))
            }
        }
    }

    @Test("Nonces and tags of wrong lengths are refused")
    func nonces() throws {
        let (gcm, chaCha) = (AES.GCM.Nonce(), ChaChaPoly.Nonce())
        for length in 0...200 {
            let data = Data(count: length)
            if length >= 12 {
                #expect(try Data(AES.GCM.Nonce(data: data)) == data)
                #expect(try Data(AES.GCM.Nonce(data: Array(data))) == data)
            } else {
                #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: data) }
                #expect(throws: CryptoKitError.incorrectParameterSize) { try AES.GCM.Nonce(data: Array(data)) }
            }
            if length != 12 {
                #expect(throws: CryptoKitError.incorrectParameterSize) { try ChaChaPoly.Nonce(data: data) }
            }
            if length != 16 {
                #expect(throws: CryptoKitError.incorrectParameterSize) {
                    try AES.GCM.SealedBox(nonce: gcm, ciphertext: data, tag: data)
                }
                #expect(throws: CryptoKitError.incorrectParameterSize) {
                    try ChaChaPoly.SealedBox(nonce: chaCha, ciphertext: data, tag: data)
                }
            }
        }
        let key = SymmetricKey(size: .bits128)
        for length in 12...200 {
            let box = try AES.GCM.seal(Data([1, 2, 3]), using: key, nonce: .init(data: Data(0..<UInt8(length))))
            #expect(try AES.GCM.open(box, using: key) == Data([1, 2, 3]), "a nonce of \(length) bytes")
        }
    }

    @Test(
        "Boxes made from slices and from parts open, from 0 bytes to 1 MiB",
        arguments: [0, 1, 256, 1 << 20])
    func sizes(count: Int) throws {
        let key = SymmetricKey(size: .bits256)
        let message = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let padded = Data([9, 9, 9]) + (try #require(try AES.GCM.seal(message, using: key).combined))
        let box = try AES.GCM.SealedBox(combined: padded.dropFirst(3))
        #expect(try AES.GCM.open(box, using: key) == message)
        let rejoined = try AES.GCM.SealedBox(nonce: box.nonce, ciphertext: box.ciphertext, tag: box.tag)
        #expect(rejoined.combined == padded.dropFirst(3))
    }

    @Test("The parts of a box made from a slice begin at index 0")
    func slices() throws {
        let key = SymmetricKey(size: .bits256)
        let gcm = try #require(try AES.GCM.seal(Data([1, 2, 3]), using: key).combined)
        let sliced = try AES.GCM.SealedBox(combined: (Data([9, 9, 9]) + gcm).dropFirst(3))
        #expect(try #require(sliced.combined).startIndex == 0)
        #expect(try AES.GCM.open(sliced, using: key) == Data([1, 2, 3]))
        let combined = try ChaChaPoly.seal(Data([1, 2, 3]), using: key).combined
        let box = try ChaChaPoly.SealedBox(combined: (Data([9, 9, 9]) + combined).dropFirst(3))
        #expect(box.combined.startIndex == 0)
        #expect(try ChaChaPoly.open(box, using: key) == Data([1, 2, 3]))
    }

    @Test("Private keys that are zero, not below the order, or of a wrong length are refused")
    func privateKeys() {
        let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        for raw in [Data(count: 32), order, Data(repeating: 0xff, count: 32)] {
            #expect(throws: PrimeCurve.invalid) {
                try P256.KeyAgreement.PrivateKey(rawRepresentation: raw)
            }
        }
        for length in [0, 31, 33, 64] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try P256.KeyAgreement.PrivateKey(rawRepresentation: Data(repeating: 1, count: length))
            }
        }
    }

    @Test("Public keys that are not on the curve, all zero, or of a wrong length are refused")
    func publicKeys() throws {
        let good = P256.KeyAgreement.PrivateKey().publicKey
        #expect(try P256.KeyAgreement.PublicKey(rawRepresentation: good.rawRepresentation).point == good.point)
        #expect(try P256.KeyAgreement.PublicKey(x963Representation: good.x963Representation).point == good.point)
        let compressed = try P256.KeyAgreement.PublicKey(compressedRepresentation: good.compressedRepresentation)
        #expect(compressed.point == good.point)
        for bit in 0..<(64 * 8) {
            var altered = good.rawRepresentation
            altered[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: PrimeCurve.invalid, "bit \(bit)") {
                try P256.KeyAgreement.PublicKey(rawRepresentation: altered)
            }
        }
        #expect(throws: PrimeCurve.invalid) {
            try P256.KeyAgreement.PublicKey(rawRepresentation: Data(count: 64))
        }
        for length in [0, 1, 33, 63, 65] {
            #expect(throws: CryptoKitError.incorrectParameterSize) {
                try P256.KeyAgreement.PublicKey(rawRepresentation: Data(repeating: 4, count: length))
            }
        }
        // The hybrid form of X9.63 and a wrong first byte of the compressed form are refused too.
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try P256.KeyAgreement.PublicKey(x963Representation: Data([0x06]) + good.rawRepresentation)
        }
        #expect(throws: CryptoKitError.incorrectKeySize) {
            try P256.KeyAgreement.PublicKey(compressedRepresentation: Data([0x04]) + good.rawRepresentation.prefix(32))
        }
    }
}
