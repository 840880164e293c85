import CryptoKit
import FoundationEssentials
import Testing

/// Names, conformances and texts that code written for Apple's CryptoKit counts on.
@Suite struct AppleNames {
    @Test("Errors are written as their names")
    func errors() {
        #expect("\(CryptoKitError.authenticationFailure)" == "authenticationFailure")
        #expect("\(CryptoKitError.underlyingCoreCryptoError(error: 3))" == "underlyingCoreCryptoError(error: 3)")
        #expect("\(CryptoKitASN1Error.invalidPEMDocument)" == "invalidPEMDocument")
        #expect("\(HPKE.Errors.expectedPSK)" == "expectedPSK")
        #expect("\(KEM.Errors.invalidSeed)" == "invalidSeed")
    }

    @Test("Types have their other names as well")
    func otherNames() throws {
        #expect(SHA2_256.self == SHA256.self)
        #expect(SHA2_384.self == SHA384.self)
        #expect(SHA2_512.self == SHA512.self)
        #expect(CryptoError.self == CryptoKitError.self)
        #expect(CryptoASN1Error.self == CryptoKitASN1Error.self)
        let error: CryptoKitMetaError = CryptoKitError.wrapFailure
        #expect(error is CryptoKitError)
        #expect(P256.KeyAgreement.PublicKey.HPKEEphemeralPrivateKey.self == P256.KeyAgreement.PrivateKey.self)
        #expect(P521.KeyAgreement.PublicKey.HPKEEphemeralPrivateKey.self == P521.KeyAgreement.PrivateKey.self)
        #expect(
            Curve25519.KeyAgreement.PublicKey.HPKEEphemeralPrivateKey.self == Curve25519.KeyAgreement.PrivateKey.self)
        #expect(XWingMLKEM768X25519.PublicKey.HPKEEphemeralPrivateKey.self == XWingMLKEM768X25519.PrivateKey.self)
    }

    @Test("Namespaces can be passed between tasks")
    func sendable() {
        func isSendable(_ type: (some Sendable).Type) -> Bool { true }
        #expect(isSendable(AES.self) && isSendable(AES.GCM.self) && isSendable(AES.KeyWrap.self))
        #expect(isSendable(ChaChaPoly.self) && isSendable(Curve25519.Signing.self) && isSendable(Insecure.self))
        #expect(isSendable(P256.Signing.self) && isSendable(P384.KeyAgreement.self) && isSendable(P521.self))
        #expect(isSendable(HPKE.self) && isSendable(HPKE.DHKEM.self) && isSendable(KEM.self))
        #expect(isSendable(MLKEM768.self) && isSendable(MLKEM1024.self) && isSendable(XWingMLKEM768X25519.self))
        #expect(isSendable(MLDSA65.self) && isSendable(MLDSA87.self))
    }

    @Test("A signature's bytes can be replaced; bytes of another length belong to no key")
    func replacedSignature() throws {
        let (key, data) = (P256.Signing.PrivateKey(), Data("data".utf8))
        var signature = try key.signature(for: data)
        let right = signature.rawRepresentation
        for wrong in [Data(), Data(count: 1), Data(count: 63), right + [0], Data(right.reversed())] {
            signature.rawRepresentation = wrong
            #expect(!key.publicKey.isValidSignature(signature, for: data))
            _ = signature.derRepresentation
        }
        signature.rawRepresentation = right
        #expect(key.publicKey.isValidSignature(signature, for: data))
    }

    /// A code of another module, which says only how many bytes it has and where they are.
    private struct OwnCode: MessageAuthenticationCode {
        let byteCount = 2
        func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try [UInt8]([0x0A, 0xFF]).withUnsafeBytes(body)
        }
    }

    @Test("A code of another module is written with the name of its type")
    func ownCode() {
        #expect(OwnCode().description == "OwnCode: 0aff")
        #expect(OwnCode() == Data([0x0A, 0xFF]))
    }
}
