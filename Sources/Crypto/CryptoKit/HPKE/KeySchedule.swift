import FoundationEssentials

/// The state of one end after the key schedule (RFC 9180, sections 5.1 to 5.3).
struct HPKEContext: Sendable {
    let ciphersuite: HPKE.Ciphersuite
    let key: SymmetricKey
    let baseNonce: [UInt8]
    let exporterSecret: SecureBytes
    private var sequence: UInt64 = 0

    /// Derives the keys of both ends from the shared secret: `KeySchedule`.
    ///
    /// - Throws: `HPKE.Errors` if a pre-shared key or its identifier is empty (`VerifyPSKInputs`).
    init(
        mode: HPKE.Mode, sharedSecret: SecureBytes, info: Data, presharedKey: HPKE.PresharedKey?,
        ciphersuite: HPKE.Ciphersuite
    ) throws {
        let labeled = LabeledKDF(kdf: ciphersuite.kdf, suiteIdentifier: ciphersuite.identifier)
        let none = Data()
        try presharedKey?.check()
        let pskIdentifierHash = labeled.extract(
            salt: none, label: "psk_id_hash", input: presharedKey?.identifier ?? none)
        let infoHash = labeled.extract(salt: none, label: "info_hash", input: info)
        let context =
            Data([mode.identifier(hasPresharedKey: presharedKey != nil)])
            + pskIdentifierHash.withUnsafeBytes { Data($0) } + infoHash.withUnsafeBytes { Data($0) }
        let secret = labeled.extract(
            salt: sharedSecret, label: "secret", input: presharedKey?.key.bytes ?? SecureBytes(copying: none))
        func expand(_ label: String, _ count: Int) -> SymmetricKey {
            labeled.expand(key: secret, label: label, info: context, outputByteCount: count)
        }
        self.ciphersuite = ciphersuite
        key = expand("key", ciphersuite.aead.keyByteCount)
        baseNonce = expand("base_nonce", ciphersuite.aead.nonceByteCount).withUnsafeBytes { Array($0) }
        exporterSecret = expand("exp", ciphersuite.kdf.extractByteCount).bytes
    }

    /// Derives a secret for the application: `Context.Export`.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for more bytes than HKDF can make.
    func export(context: Data, outputByteCount: Int) throws -> SymmetricKey {
        guard (0...255 * ciphersuite.kdf.extractByteCount).contains(outputByteCount) else {
            throw CryptoKitError.incorrectParameterSize
        }
        let labeled = LabeledKDF(kdf: ciphersuite.kdf, suiteIdentifier: ciphersuite.identifier)
        return labeled.expand(key: exporterSecret, label: "sec", info: context, outputByteCount: outputByteCount)
    }

    /// Encrypts the next message to ciphertext and tag: `ContextS.Seal`.
    mutating func seal(_ message: some DataProtocol, authenticating data: some DataProtocol) throws -> Data {
        let nonce = try nextNonce()
        let combined = try CipherContext.seal(message.count, with: algorithm, key, nonce: nonce) {
            context, ciphertext in
            try context.authenticate(data)
            try context.transform(message, into: ciphertext)
        }
        sequence += 1
        return Data(combined.dropFirst(nonce.count))
    }

    /// Decrypts the next message: `ContextR.Open`. A message that cannot be opened is not counted.
    mutating func open(_ ciphertext: some DataProtocol, authenticating data: some DataProtocol) throws -> Data {
        let nonce = try nextNonce()
        guard ciphertext.count >= ciphersuite.aead.tagByteCount else { throw HPKE.Errors.ciphertextTooShort }
        let message = try CipherContext.open(
            Data(nonce) + Data(ciphertext), with: algorithm, key, nonceByteCount: nonce.count
        ) { try $0.authenticate(data) }
        sequence += 1
        return message
    }

    private var algorithm: CipherContext.Algorithm { ciphersuite.aead == .chaChaPoly ? .chaChaPoly : .aesGCM }

    /// The nonce of the current message: `ComputeNonce`.
    private func nextNonce() throws -> [UInt8] {
        guard ciphersuite.aead != .exportOnly else { throw HPKE.Errors.exportOnlyMode }
        guard sequence < .max else { throw HPKE.Errors.outOfRangeSequenceNumber }
        var nonce = baseNonce
        for place in 0..<8 {
            nonce[nonce.count - 1 - place] ^= UInt8(truncatingIfNeeded: sequence >> (8 * UInt64(place)))
        }
        return nonce
    }
}
