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
            context = try HPKEContext(
                mode: .base, sharedSecret: secret, info: info, presharedKey: nil, ciphersuite: ciphersuite)
        }

        /// Opens what a sender encapsulated that knows a key shared before (`SetupPSKR`).
        ///
        /// - Throws: as ``init(privateKey:ciphersuite:info:encapsulatedKey:)``; `HPKE.Errors.inconsistentPSKInputs` or
        ///   `.expectedPSK` where the pre-shared key or its name is empty.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            presharedKey psk: SymmetricKey, presharedKeyIdentifier pskID: Data
        ) throws {
            let secret = try DHKEM.decapsulate(encapsulatedKey, with: privateKey, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .base, sharedSecret: secret, info: info,
                presharedKey: PresharedKey(key: psk, identifier: pskID), ciphersuite: ciphersuite)
        }

        /// Opens what the holder of a private key encapsulated whose public key is known (`SetupAuthR`).
        ///
        /// - Parameter authenticationKey: the sender's public key.
        /// - Throws: as ``init(privateKey:ciphersuite:info:encapsulatedKey:)``.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            privateKey: PrivateKey, ciphersuite: Ciphersuite, info: Data, encapsulatedKey: Data,
            authenticatedBy authenticationKey: PrivateKey.PublicKey
        ) throws {
            let secret = try DHKEM.decapsulate(
                encapsulatedKey, with: privateKey, authenticatedBy: authenticationKey, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .authenticated, sharedSecret: secret, info: info, presharedKey: nil, ciphersuite: ciphersuite)
        }

        /// Opens what a sender encapsulated that knows both (`SetupAuthPSKR`).
        ///
        /// - Throws: as the initializers that take one of both.
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
            context = try HPKEContext(
                mode: .base, sharedSecret: secret.bytes, info: info, presharedKey: nil, ciphersuite: ciphersuite)
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
