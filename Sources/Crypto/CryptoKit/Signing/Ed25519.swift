import FoundationEssentials
import HILCOpenSSL

extension Curve25519 {
    /// Signatures with Ed25519 (RFC 8032).
    public enum Signing: Sendable {
        /// A public key, 32 bytes.
        public struct PublicKey: Sendable {
            private let bytes: [UInt8]

            /// Reads a key. Checking a signature shows whether the bytes are a point.
            ///
            /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 32 bytes.
            public init(rawRepresentation: some ContiguousBytes) throws {
                let bytes = rawRepresentation.withUnsafeBytes { Array($0) }
                guard bytes.count == 32 else { throw CryptoKitError.incorrectKeySize }
                self.bytes = bytes
            }

            /// The key, 32 bytes.
            public var rawRepresentation: Data { Data(bytes) }

            /// Whether a signature of 64 bytes belongs to data and this key.
            public func isValidSignature(_ signature: some DataProtocol, for data: some DataProtocol) -> Bool {
                guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) else {
                    ERR_clear_error()
                    return false
                }
                return SignatureKey(key).isValid(Array(signature), for: Array(data))
            }
        }

        /// A private key of 32 random bytes. It is wiped when the last copy is released.
        public struct PrivateKey: Sendable {
            private let seed: SecureBytes
            private let key: SignatureKey
            /// The public key that belongs to this private key.
            public let publicKey: PublicKey

            /// Makes a random key.
            public init() {
                do { try self.init(seed: SecureBytes.random(count: 32)) } catch {
                    preconditionFailure("OpenSSL could not make an Ed25519 key: \(error)")
                }
            }

            /// Reads a key.
            ///
            /// - Throws: `CryptoKitError.incorrectKeySize` unless there are 32 bytes.
            public init(rawRepresentation: some ContiguousBytes) throws {
                try self.init(seed: SecureBytes(copying: rawRepresentation))
            }

            private init(seed: SecureBytes) throws {
                guard seed.count == 32 else { throw CryptoKitError.incorrectKeySize }
                self.seed = seed
                key = SignatureKey(
                    try check(
                        seed.withUnsafeBytes {
                            EVP_PKEY_new_raw_private_key(
                                EVP_PKEY_ED25519, nil, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
                        }))
                publicKey = try PublicKey(rawRepresentation: key.rawPublicKey(count: 32))
            }

            /// The 32 bytes of the key. The caller must keep the copy secret.
            public var rawRepresentation: Data { seed.withUnsafeBytes { Data($0) } }

            /// Signs data: 64 bytes. Two signatures of the same data are equal (RFC 8032); Apple's differ.
            public func signature(for data: some DataProtocol) throws -> Data { Data(try key.sign(Array(data))) }
        }
    }
}
