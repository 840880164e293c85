import FoundationEssentials

/// The elliptic curve P-256 (NIST SP 800-186; secp256r1).
public enum P256 {
    /// Key agreement, ECDH (NIST SP 800-56A).
    public enum KeyAgreement {
        /// A point of the curve that is not the point at infinity.
        public struct PublicKey: Equatable, Sendable {
            /// Always 65 bytes: 0x04, X, Y.
            let point: [UInt8]

            init(point: [UInt8]) {
                self.point = point
            }

            /// The key whose coordinates are X‖Y, 64 bytes.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` for a
            ///   point that is not on the curve.
            public init(rawRepresentation: some ContiguousBytes) throws {
                let coordinates = rawRepresentation.withUnsafeBytes { Array($0) }
                guard coordinates.count == 64 else { throw CryptoKitError.incorrectParameterSize }
                point = try P256Curve.uncompressed(point: [0x04] + coordinates)
            }

            /// The key in the uncompressed form of ANSI X9.63: 0x04, X, Y, 65 bytes.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` where it does
            ///   not start with 0x04, `.underlyingCoreCryptoError` for a point that is not on the curve.
            public init(x963Representation: some ContiguousBytes) throws {
                let bytes = x963Representation.withUnsafeBytes { Array($0) }
                guard bytes.count == 65 else { throw CryptoKitError.incorrectParameterSize }
                guard bytes[0] == 0x04 else { throw CryptoKitError.incorrectKeySize }
                point = try P256Curve.uncompressed(point: bytes)
            }

            /// The key in the compressed form of ANSI X9.63: 0x02 or 0x03, X, 33 bytes.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` for another first
            ///   byte, `.underlyingCoreCryptoError` for an X that belongs to no point of the curve.
            public init(compressedRepresentation: some ContiguousBytes) throws {
                let bytes = compressedRepresentation.withUnsafeBytes { Array($0) }
                guard bytes.count == 33 else { throw CryptoKitError.incorrectParameterSize }
                guard bytes[0] == 0x02 || bytes[0] == 0x03 else { throw CryptoKitError.incorrectKeySize }
                point = try P256Curve.uncompressed(point: bytes)
            }

            /// X‖Y, 64 bytes.
            public var rawRepresentation: Data { Data(point[1...]) }

            /// 0x04, X, Y, 65 bytes.
            public var x963Representation: Data { Data(point) }

            /// 0x02 or 0x03, after Y's last bit, then X; 33 bytes.
            public var compressedRepresentation: Data { Data([0x02 | (point[64] & 1)] + point[1...32]) }
        }

        /// A number from 1 to the order of the curve less one; wiped when the last copy is released.
        public struct PrivateKey: DiffieHellmanKeyAgreement {
            /// Always 32 bytes, most significant first.
            let scalar: SecureBytes

            /// The point that belongs to the number.
            public let publicKey: PublicKey

            /// A random key.
            public init() {
                do {
                    scalar = try P256Curve.randomScalar()
                    publicKey = PublicKey(point: try P256Curve.point(of: scalar))
                } catch {
                    preconditionFailure("OpenSSL could not make a P-256 key: \(error)")
                }
            }

            /// The key with these 32 bytes, most significant first.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` for zero
            ///   and for numbers not below the order of the curve.
            public init(rawRepresentation: some ContiguousBytes) throws {
                let bytes = SecureBytes(copying: rawRepresentation)
                guard bytes.count == P256Curve.scalarByteCount else {
                    throw CryptoKitError.incorrectParameterSize
                }
                scalar = bytes
                publicKey = PublicKey(point: try P256Curve.point(of: bytes))
            }

            /// The number, 32 bytes, most significant first. The copy is the caller's to keep secret.
            public var rawRepresentation: Data { scalar.withUnsafeBytes { Data($0) } }

            /// The X coordinate of the product of this number and that point, 32 bytes.
            public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                SharedSecret(bytes: try P256Curve.agree(scalar: scalar, point: publicKeyShare.point))
            }
        }
    }
}
