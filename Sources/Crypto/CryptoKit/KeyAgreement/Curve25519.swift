import FoundationEssentials
import HILCOpenSSL

/// The elliptic curve Curve25519 (RFC 7748).
public enum Curve25519: Sendable {
    /// Key agreement with X25519 (RFC 7748, section 5).
    public enum KeyAgreement: Sendable {
        /// A public key: the X coordinate of a point. Any 32 bytes are a valid key.
        public struct PublicKey: Sendable {
            /// Always 32 bytes, least significant byte first.
            let bytes: [UInt8]

            /// Reads a key.
            ///
            /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 32 bytes.
            public init(rawRepresentation: some ContiguousBytes) throws {
                let bytes = rawRepresentation.withUnsafeBytes { Array($0) }
                guard bytes.count == X25519.byteCount else { throw CryptoKitError.incorrectKeySize }
                self.bytes = bytes
            }

            /// The X coordinate, 32 bytes, least significant byte first.
            public var rawRepresentation: Data { Data(bytes) }
        }

        /// A private key of 32 random bytes. It is wiped when the last copy is released.
        public struct PrivateKey: DiffieHellmanKeyAgreement {
            private let scalar: SecureBytes
            private let key: X25519.Key

            /// The public key that belongs to this private key.
            public let publicKey: PublicKey

            /// Makes a random key.
            public init() {
                do { try self.init(scalar: SecureBytes.random(count: X25519.byteCount)) } catch {
                    preconditionFailure("OpenSSL could not make an X25519 key: \(error)")
                }
            }

            /// Reads a key.
            ///
            /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 32 bytes.
            public init(rawRepresentation: some ContiguousBytes) throws {
                try self.init(scalar: SecureBytes(copying: rawRepresentation))
            }

            init(scalar: SecureBytes) throws {
                guard scalar.count == X25519.byteCount else { throw CryptoKitError.incorrectKeySize }
                self.scalar = scalar
                key = try X25519.Key(scalar: scalar)
                publicKey = try PublicKey(rawRepresentation: key.publicKey())
            }

            /// The 32 bytes of the key. The caller must keep the copy secret.
            public var rawRepresentation: Data { scalar.withUnsafeBytes { Data($0) } }

            /// Computes the secret shared with the holder of the other private key, 32 bytes.
            ///
            /// As in Apple's CryptoKit, a point of small order is not refused: the secret is then 32 zeros, whatever the
            /// private key (RFC 7748, 6.1). HPKE and X-Wing refuse it.
            public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                do { return try nonzeroSecret(with: publicKeyShare) } catch CryptoKitError.invalidParameter {
                    return SharedSecret(bytes: SecureBytes(count: X25519.byteCount) { _ in })
                }
            }

            /// Computes the shared secret as above.
            ///
            /// - Throws: `CryptoKitError.invalidParameter` if it is zero.
            func nonzeroSecret(with publicKeyShare: PublicKey) throws -> SharedSecret {
                SharedSecret(bytes: try key.agree(with: publicKeyShare.bytes))
            }
        }
    }
}

/// X25519 in OpenSSL, with keys as plain bytes. The time does not depend on the scalar.
enum X25519 {
    static let byteCount = 32

    /// A key in OpenSSL's memory. OpenSSL wipes it when it is freed.
    ///
    /// Making a key from a scalar takes as long as a key agreement. `@unchecked Sendable`: the key does not change, and
    /// OpenSSL counts references to it with a lock.
    final class Key: @unchecked Sendable {
        private let pointer: OpaquePointer

        init(scalar: SecureBytes) throws {
            pointer = try check(
                scalar.withUnsafeBytes {
                    EVP_PKEY_new_raw_private_key(
                        EVP_PKEY_X25519, nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
                })
        }

        private init(point: [UInt8]) throws {
            pointer = try check(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, point, point.count))
        }

        deinit { EVP_PKEY_free(pointer) }

        /// The public key of this private key, 32 bytes.
        func publicKey() throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: byteCount)
            var length = bytes.count
            try check(EVP_PKEY_get_raw_public_key(pointer, &bytes, &length))
            return bytes
        }

        /// Computes the secret shared with the holder of `point`, 32 bytes.
        ///
        /// - Throws: `CryptoKitError.invalidParameter` if the secret is zero.
        func agree(with point: [UInt8]) throws -> SecureBytes {
            let peer = try Key(point: point)
            let context = try check(EVP_PKEY_CTX_new(pointer, nil))
            defer { EVP_PKEY_CTX_free(context) }
            try check(EVP_PKEY_derive_init(context))
            try check(EVP_PKEY_derive_set_peer(context, peer.pointer))
            return try SecureBytes(count: byteCount) { buffer in
                var length = buffer.count
                // OpenSSL fails here only if the secret is zero.
                guard EVP_PKEY_derive(context, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), &length) == 1
                else {
                    ERR_clear_error()
                    throw CryptoKitError.invalidParameter
                }
            }
        }
    }
}
