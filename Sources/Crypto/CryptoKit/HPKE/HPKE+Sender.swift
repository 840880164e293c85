import FoundationEssentials

extension HPKE {
    /// The end that knows the recipient's public key: it encrypts messages.
    public struct Sender: Sendable {
        private var context: HPKEContext

        /// The bytes from which the recipient makes the same keys. They are not secret.
        public let encapsulatedKey: Data

        /// Encapsulates a new secret for the recipient (RFC 9180, `SetupBaseS`).
        ///
        /// - Parameter info: Bytes that both ends know. Different bytes give different keys.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` if the key has another type than the suite needs.
        public init<PublicKey: HPKEDiffieHellmanPublicKey>(
            recipientKey: PublicKey, ciphersuite: Ciphersuite, info: Data
        ) throws {
            try self.init(recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init())
        }

        /// Encapsulates a new secret for a recipient that has the same pre-shared key (`SetupPSKS`).
        ///
        /// - Parameters:
        ///   - info: Bytes that both ends know. Different bytes give different keys.
        ///   - psk: The pre-shared key: at least 32 bytes that nobody can guess (section 9.5).
        ///   - pskID: The identifier of the pre-shared key, the same at both ends.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` if the key has another type than the suite needs,
        ///   `.inconsistentPSKInputs` or `.expectedPSK` if the pre-shared key or its identifier is empty.
        public init<PublicKey: HPKEDiffieHellmanPublicKey>(
            recipientKey: PublicKey, ciphersuite: Ciphersuite, info: Data, presharedKey psk: SymmetricKey,
            presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init(),
                presharedKey: PresharedKey(key: psk, identifier: pskID))
        }

        /// Encapsulates a new secret for a recipient that knows the sender's public key (`SetupAuthS`).
        ///
        /// - Parameters:
        ///   - info: Bytes that both ends know. Different bytes give different keys.
        ///   - authenticationKey: The sender's private key.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` if the key has another type than the suite needs.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            recipientKey: PrivateKey.PublicKey, ciphersuite: Ciphersuite, info: Data,
            authenticatedBy authenticationKey: PrivateKey
        ) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init(),
                authenticatedBy: authenticationKey)
        }

        /// Encapsulates a new secret for a recipient that has the pre-shared key and knows the sender's public key
        /// (`SetupAuthPSKS`).
        ///
        /// - Throws: The errors of the initializers that take one of the two keys.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            recipientKey: PrivateKey.PublicKey, ciphersuite: Ciphersuite, info: Data,
            authenticatedBy authenticationKey: PrivateKey, presharedKey psk: SymmetricKey,
            presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init(),
                authenticatedBy: authenticationKey, presharedKey: PresharedKey(key: psk, identifier: pskID))
        }

        /// Encapsulates with a given ephemeral key, to check published vectors.
        init<PublicKey: HPKEDiffieHellmanPublicKey>(
            recipientKey: PublicKey, ciphersuite: Ciphersuite, info: Data, ephemeral: PublicKey.EphemeralPrivateKey,
            presharedKey: PresharedKey? = nil
        ) throws {
            let (secret, encapsulated) = try DHKEM.encapsulate(
                to: recipientKey, ephemeral: ephemeral, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .base, sharedSecret: secret, info: info, presharedKey: presharedKey, ciphersuite: ciphersuite)
            encapsulatedKey = encapsulated
        }

        /// Encapsulates with a given ephemeral key, to check published vectors.
        init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            recipientKey: PrivateKey.PublicKey, ciphersuite: Ciphersuite, info: Data,
            ephemeral: PrivateKey.PublicKey.EphemeralPrivateKey, authenticatedBy authenticationKey: PrivateKey,
            presharedKey: PresharedKey? = nil
        ) throws {
            let (secret, encapsulated) = try DHKEM.encapsulate(
                to: recipientKey, ephemeral: ephemeral, authenticatedBy: authenticationKey, kem: ciphersuite.kem)
            context = try HPKEContext(
                mode: .authenticated, sharedSecret: secret, info: info, presharedKey: presharedKey,
                ciphersuite: ciphersuite)
            encapsulatedKey = encapsulated
        }

        /// Encapsulates a new secret for the recipient with a KEM (RFC 9180, `SetupBaseS`).
        ///
        /// - Parameter info: Bytes that both ends know. Different bytes give different keys.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` if the key has another type than the suite needs.
        public init<PublicKey: HPKEKEMPublicKey>(
            recipientKey: PublicKey, ciphersuite: Ciphersuite, info: Data
        ) throws {
            // This throws if the key has another type than the suite needs.
            _ = try recipientKey.hpkeRepresentation(kem: ciphersuite.kem)
            try self.init(try recipientKey.encapsulate(), ciphersuite: ciphersuite, info: info)
        }

        /// Uses a given encapsulation, to check published vectors.
        init(_ encapsulation: CryptoKit.KEM.EncapsulationResult, ciphersuite: Ciphersuite, info: Data) throws {
            context = try HPKEContext(
                mode: .base, sharedSecret: encapsulation.sharedSecret.bytes, info: info, presharedKey: nil,
                ciphersuite: ciphersuite)
            encapsulatedKey = encapsulation.encapsulated
        }

        /// Derives a secret of `outputByteCount` bytes. The recipient gets the same secret for the same context.
        public func exportSecret(context: some DataProtocol, outputByteCount: Int) throws -> SymmetricKey {
            try self.context.export(context: Data(context), outputByteCount: outputByteCount)
        }

        /// Encrypts the next message. Its tag also covers `data`.
        public mutating func seal(
            _ message: some DataProtocol, authenticating data: some DataProtocol
        ) throws -> Data {
            try context.seal(message, authenticating: data)
        }

        /// Encrypts the next message.
        public mutating func seal(_ message: some DataProtocol) throws -> Data {
            try context.seal(message, authenticating: Data())
        }
    }
}
