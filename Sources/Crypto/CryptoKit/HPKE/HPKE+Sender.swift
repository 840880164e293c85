import FoundationEssentials

extension HPKE {
    /// The end that knows the recipient's public key.
    public struct Sender: Sendable {
        private var context: HPKEContext

        /// What the recipient needs to come to the same keys; no secret.
        public let encapsulatedKey: Data

        /// Encapsulates a fresh secret for the recipient (RFC 9180, `SetupBaseS`).
        ///
        /// - Parameter info: text or bytes that both ends know; other keys come of other bytes.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for a key of another kind than the suite's.
        public init<PublicKey: HPKEDiffieHellmanPublicKey>(
            recipientKey: PublicKey, ciphersuite: Ciphersuite, info: Data
        ) throws {
            try self.init(recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init())
        }

        /// Encapsulates a fresh secret for the recipient, which knows a key that was shared before (`SetupPSKS`).
        ///
        /// - Parameters:
        ///   - info: text or bytes that both ends know; other keys come of other bytes.
        ///   - psk: of at least 32 bytes that nobody can guess (section 9.5).
        ///   - pskID: what both ends call it.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for a key of another kind than the suite's,
        ///   `.inconsistentPSKInputs` or `.expectedPSK` where the pre-shared key or its name is empty.
        public init<PublicKey: HPKEDiffieHellmanPublicKey>(
            recipientKey: PublicKey, ciphersuite: Ciphersuite, info: Data, presharedKey psk: SymmetricKey,
            presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init(),
                presharedKey: PresharedKey(key: psk, identifier: pskID))
        }

        /// Encapsulates a fresh secret for the recipient, which knows the sender's public key (`SetupAuthS`).
        ///
        /// - Parameters:
        ///   - info: text or bytes that both ends know; other keys come of other bytes.
        ///   - authenticationKey: the sender's private key.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for a key of another kind than the suite's.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            recipientKey: PrivateKey.PublicKey, ciphersuite: Ciphersuite, info: Data,
            authenticatedBy authenticationKey: PrivateKey
        ) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init(),
                authenticatedBy: authenticationKey)
        }

        /// Encapsulates a fresh secret for the recipient, which knows both (`SetupAuthPSKS`).
        ///
        /// - Throws: as the initializers that take one of both.
        public init<PrivateKey: HPKEDiffieHellmanPrivateKey>(
            recipientKey: PrivateKey.PublicKey, ciphersuite: Ciphersuite, info: Data,
            authenticatedBy authenticationKey: PrivateKey, presharedKey psk: SymmetricKey,
            presharedKeyIdentifier pskID: Data
        ) throws {
            try self.init(
                recipientKey: recipientKey, ciphersuite: ciphersuite, info: info, ephemeral: .init(),
                authenticatedBy: authenticationKey, presharedKey: PresharedKey(key: psk, identifier: pskID))
        }

        /// With a given ephemeral key, so that published vectors can be checked.
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

        /// With a given ephemeral key, so that published vectors can be checked.
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

        /// Encapsulates a fresh secret for the recipient (RFC 9180, `SetupBaseS`), as a KEM does.
        ///
        /// - Parameter info: text or bytes that both ends know; other keys come of other bytes.
        /// - Throws: `HPKE.Errors.inconsistentCiphersuiteAndKey` for a key of another kind than the suite's.
        public init<PublicKey: HPKEKEMPublicKey>(
            recipientKey: PublicKey, ciphersuite: Ciphersuite, info: Data
        ) throws {
            // Checks that the key is of the suite's kind.
            _ = try recipientKey.hpkeRepresentation(kem: ciphersuite.kem)
            try self.init(try recipientKey.encapsulate(), ciphersuite: ciphersuite, info: info)
        }

        /// With a given encapsulation, so that published vectors can be checked.
        init(_ encapsulation: CryptoKit.KEM.EncapsulationResult, ciphersuite: Ciphersuite, info: Data) throws {
            context = try HPKEContext(
                mode: .base, sharedSecret: encapsulation.sharedSecret.bytes, info: info, presharedKey: nil,
                ciphersuite: ciphersuite)
            encapsulatedKey = encapsulation.encapsulated
        }

        /// A secret that the recipient can export too, of `outputByteCount` bytes.
        public func exportSecret(context: some DataProtocol, outputByteCount: Int) throws -> SymmetricKey {
            try self.context.export(context: Data(context), outputByteCount: outputByteCount)
        }

        /// Encrypts the next message; its tag covers `data` too.
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
