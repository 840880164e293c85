import FoundationEssentials

extension HPKE {
    /// The end that holds the private key.
    public struct Recipient: Sendable {
        private var context: HPKEContext

        /// Opens what the sender encapsulated (RFC 9180, `SetupBaseR`).
        ///
        /// An encapsulated key for another private key gives other keys, not an error: what it protects does not open.
        ///
        /// - Parameter info: the bytes that the sender used.
        /// - Throws: `CryptoKitError` if `encapsulatedKey` is no key of this cipher suite,
        ///   `HPKE.Errors.inconsistentCiphersuiteAndKey` for a private key of another kind than the suite's.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data
        ) throws {
            let secret = try DHKEM.decapsulate(encapsulatedKey, with: privateKey, kem: ciphersuite.kem)
            context = HPKEContext(sharedSecret: secret, info: info, ciphersuite: ciphersuite)
        }

        /// Opens what the sender encapsulated (RFC 9180, `SetupBaseR`), as a KEM does.
        ///
        /// An encapsulated key for another private key gives other keys, not an error: what it protects does not open.
        ///
        /// - Parameter info: the bytes that the sender used.
        /// - Throws: `CryptoKitError` if `encapsulatedKey` is no key of this cipher suite,
        ///   `HPKE.Errors.inconsistentCiphersuiteAndKey` for a private key of another kind than the suite's.
        public init<PrivateKey: HPKEKEMPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data
        ) throws {
            // Checks that the key is of the suite's kind.
            _ = try privateKey.publicKey.hpkeRepresentation(kem: ciphersuite.kem)
            let secret = try privateKey.decapsulate(encapsulatedKey)
            context = HPKEContext(sharedSecret: secret.bytes, info: info, ciphersuite: ciphersuite)
        }

        /// A secret that the sender can export too, of `outputByteCount` bytes.
        public func exportSecret(context: some DataProtocol, outputByteCount: Int) throws -> SymmetricKey {
            try self.context.export(context: Data(context), outputByteCount: outputByteCount)
        }

        /// Decrypts the next message, whose tag covers `data` too.
        ///
        /// - Throws: `CryptoKitError.authenticationFailure` if it is not the sender's next message.
        public mutating func open(
            _ ciphertext: some DataProtocol, authenticating data: some DataProtocol
        ) throws -> Data {
            try context.open(ciphertext, authenticating: data)
        }

        /// Decrypts the next message.
        ///
        /// - Throws: `CryptoKitError.authenticationFailure` if it is not the sender's next message.
        public mutating func open(_ ciphertext: some DataProtocol) throws -> Data {
            try context.open(ciphertext, authenticating: Data())
        }
    }
}
