import FoundationEssentials

/// The elliptic curve P-256 (NIST SP 800-186; secp256r1).
public enum P256 {
    /// Key agreement with ECDH (NIST SP 800-56A).
    public enum KeyAgreement {
        /// A public key: a point of the curve other than the point at infinity.
        public struct PublicKey: Sendable {
            /// Always 65 bytes: 0x04, X, Y.
            let point: [UInt8]

            init(point: [UInt8]) {
                self.point = point
            }

            /// Reads the coordinates X‖Y, 64 bytes.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` if
            ///   the point is not on the curve.
            public init(rawRepresentation: some ContiguousBytes) throws {
                let coordinates = rawRepresentation.withUnsafeBytes { Array($0) }
                guard coordinates.count == 64 else { throw CryptoKitError.incorrectParameterSize }
                point = try P256Curve.uncompressed(point: [0x04] + coordinates)
            }

            /// Reads the uncompressed form of ANSI X9.63, 65 bytes: 0x04, X, Y.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` if the first
            ///   byte is not 0x04, `.underlyingCoreCryptoError` if the point is not on the curve.
            public init(x963Representation: some ContiguousBytes) throws {
                let bytes = x963Representation.withUnsafeBytes { Array($0) }
                guard bytes.count == 65 else { throw CryptoKitError.incorrectParameterSize }
                guard bytes[0] == 0x04 else { throw CryptoKitError.incorrectKeySize }
                point = try P256Curve.uncompressed(point: bytes)
            }

            /// Reads the compressed form of ANSI X9.63, 33 bytes: 0x02 or 0x03, X.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.incorrectKeySize` for another
            ///   first byte, `.underlyingCoreCryptoError` if no point of the curve has this X coordinate.
            public init(compressedRepresentation: some ContiguousBytes) throws {
                let bytes = compressedRepresentation.withUnsafeBytes { Array($0) }
                guard bytes.count == 33 else { throw CryptoKitError.incorrectParameterSize }
                guard bytes[0] == 0x02 || bytes[0] == 0x03 else { throw CryptoKitError.incorrectKeySize }
                point = try P256Curve.uncompressed(point: bytes)
            }

            /// The coordinates X‖Y, 64 bytes.
            public var rawRepresentation: Data { Data(point[1...]) }

            /// The uncompressed form of ANSI X9.63, 65 bytes: 0x04, X, Y.
            public var x963Representation: Data { Data(point) }

            /// The compressed form of ANSI X9.63, 33 bytes: 0x02 if Y is even or 0x03 if it is odd, then X.
            public var compressedRepresentation: Data { Data([0x02 | (point[64] & 1)] + point[1...32]) }
        }

        /// A private key: a number from 1 to the order of the curve minus 1. It is wiped when the last copy is
        /// released.
        public struct PrivateKey: DiffieHellmanKeyAgreement {
            /// Always 32 bytes, most significant byte first.
            let scalar: SecureBytes

            /// The public key that belongs to this private key.
            public let publicKey: PublicKey

            /// Makes a random key.
            public init() {
                do {
                    scalar = try P256Curve.randomScalar()
                    publicKey = PublicKey(point: try P256Curve.point(of: scalar))
                } catch {
                    preconditionFailure("OpenSSL could not make a P-256 key: \(error)")
                }
            }

            /// Reads the number, 32 bytes, most significant byte first.
            ///
            /// - Throws: `CryptoKitError.incorrectParameterSize` for another length, `.underlyingCoreCryptoError` if
            ///   the number is zero or not below the order of the curve.
            public init(rawRepresentation: some ContiguousBytes) throws {
                let bytes = SecureBytes(copying: rawRepresentation)
                guard bytes.count == P256Curve.scalarByteCount else {
                    throw CryptoKitError.incorrectParameterSize
                }
                scalar = bytes
                publicKey = PublicKey(point: try P256Curve.point(of: bytes))
            }

            /// The number, 32 bytes, most significant byte first. The caller must keep the copy secret.
            public var rawRepresentation: Data { scalar.withUnsafeBytes { Data($0) } }

            /// Computes the shared secret, 32 bytes: the X coordinate of this number times the other end's point.
            public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                SharedSecret(bytes: try P256Curve.agree(scalar: scalar, point: publicKeyShare.point))
            }
        }
    }
}
