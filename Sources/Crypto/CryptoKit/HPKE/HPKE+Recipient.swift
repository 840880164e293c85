import FoundationEssentials

extension HPKE {
    /// The end that has the private key: it decrypts messages.
    public struct Recipient: Sendable {
        private var context: HPKEContext

        /// Recovers the secret that the sender encapsulated (RFC 9180, `SetupBaseR`).
        ///
        /// An encapsulated key for another private key is not an error here. It gives other keys, and messages cannot
        /// be opened.
        ///
        /// - Parameter info: The same bytes that the sender used.
        /// - Throws: `CryptoKitError` if `encapsulatedKey` is not a key of this cipher suite,
        ///   `HPKE.Errors.inconsistentCiphersuiteAndKey` if the private key has another type than the suite needs.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data
        ) throws {
            let secret = try DHKEM.decapsulate(encapsulatedKey, with: privateKey, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .base, sharedSecret: secret, info: info, presharedKey: nil, ciphersuite: ciphersuite)
        }

        /// Recovers the secret from a sender that knows a pre-shared key (`SetupPSKR`).
        ///
        /// - Throws: The errors of ``init(privateKey:ciphersuite:info:encapsulatedKey:)``;
        ///   `HPKE.Errors.inconsistentPSKInputs` or `.expectedPSK` if the pre-shared key or its identifier is empty.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            presharedKey psk: SymmetricKey, presharedKeyIdentifier pskID: Data
        ) throws {
            let secret = try DHKEM.decapsulate(encapsulatedKey, with: privateKey, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .base, sharedSecret: secret, info: info,
                presharedKey: PresharedKey(key: psk, identifier: pskID), ciphersuite: ciphersuite)
        }

        /// Recovers the secret from a sender whose public key is known (`SetupAuthR`).
        ///
        /// - Parameter authenticationKey: The sender's public key.
        /// - Throws: The errors of ``init(privateKey:ciphersuite:info:encapsulatedKey:)``.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            authenticatedBy authenticationKey: PrivateKey.PublicKey
        ) throws {
            let secret = try DHKEM.decapsulate(
                encapsulatedKey, with: privateKey, authenticatedBy: authenticationKey, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .authenticated, sharedSecret: secret, info: info, presharedKey: nil, ciphersuite: ciphersuite)
        }

        /// Recovers the secret from a sender that knows a pre-shared key and whose public key is known
        /// (`SetupAuthPSKR`).
        ///
        /// - Throws: The errors of the initializers that take one of the two keys.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            authenticatedBy authenticationKey: PrivateKey.PublicKey, presharedKey psk: SymmetricKey,
            presharedKeyIdentifier pskID: Data
        ) throws {
            let secret = try DHKEM.decapsulate(
                encapsulatedKey, with: privateKey, authenticatedBy: authenticationKey, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .authenticated, sharedSecret: secret, info: info,
                presharedKey: PresharedKey(key: psk, identifier: pskID), ciphersuite: ciphersuite)
        }

        /// Recovers the secret that the sender encapsulated with a KEM (RFC 9180, `SetupBaseR`).
        ///
        /// An encapsulated key for another private key is not an error here. It gives other keys, and messages cannot
        /// be opened.
        ///
        /// - Parameter info: The same bytes that the sender used.
        /// - Throws: `CryptoKitError` if `encapsulatedKey` is not a key of this cipher suite,
        ///   `HPKE.Errors.inconsistentCiphersuiteAndKey` if the private key has another type than the suite needs.
        public init<PrivateKey: HPKEKEMPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data
        ) throws {
            // This throws if the key has another type than the suite needs.
            _ = try privateKey.publicKey.hpkeRepresentation(kem: ciphersuite.kem)
            let secret = try privateKey.decapsulate(encapsulatedKey)
            context = try HPKEContext(
                mode: .base, sharedSecret: secret.bytes, info: info, presharedKey: nil, ciphersuite: ciphersuite)
        }

        /// Derives a secret of `outputByteCount` bytes. The sender gets the same secret for the same context.
        public func exportSecret(context: some DataProtocol, outputByteCount: Int) throws -> SymmetricKey {
            try self.context.export(context: Data(context), outputByteCount: outputByteCount)
        }

        /// Decrypts the next message, whose tag also covers `data`.
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
