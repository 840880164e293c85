import FoundationEssentials

/// The elliptic curve P-256 (NIST SP 800-186; secp256r1).
public enum P256: Sendable {
    /// Key agreement with ECDH (NIST SP 800-56A).
    public enum KeyAgreement: Sendable {
        /// A public key: a point of the curve other than the point at infinity.
        public struct PublicKey: CurvePublicKey {
            public let point: CurvePoint
            public static var curveName: CurveName { .p256 }
            public init(checked point: CurvePoint) { self.point = point }
        }

        /// A private key: a number from 1 to the order of the curve minus 1.
        public struct PrivateKey: CurveAgreementKey {
            public let scalar: CurveScalar
            public let publicKey: PublicKey

            public init(checked scalar: CurveScalar, publicKey: PublicKey) {
                self.scalar = scalar
                self.publicKey = publicKey
            }
        }
    }

    /// Signatures with ECDSA (FIPS 186-5), over SHA256 where no digest is given.
    public enum Signing: Sendable {
        /// A signature: the numbers r and s, 32 bytes each.
        public struct ECDSASignature: CurveSignature {
            public var rawRepresentation: Data
            public static var curveName: CurveName { .p256 }
            public init(checked rawRepresentation: Data) { self.rawRepresentation = rawRepresentation }
        }

        /// A public key: a point of the curve other than the point at infinity.
        public struct PublicKey: CurveVerifyingKey {
            public typealias Signature = ECDSASignature
            public typealias Hash = SHA256
            public let point: CurvePoint
            public static var curveName: CurveName { .p256 }
            public init(checked point: CurvePoint) { self.point = point }
        }

        /// A private key: a number from 1 to the order of the curve minus 1.
        public struct PrivateKey: CurveSigningKey {
            public let scalar: CurveScalar
            public let publicKey: PublicKey

            public init(checked scalar: CurveScalar, publicKey: PublicKey) {
                self.scalar = scalar
                self.publicKey = publicKey
            }
        }
    }
}
