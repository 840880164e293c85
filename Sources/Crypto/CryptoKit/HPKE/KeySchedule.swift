import FoundationEssentials

/// The state of one end after the key schedule (RFC 9180, sections 5.1 to 5.3).
struct HPKEContext: Sendable {
    let ciphersuite: HPKE.Ciphersuite
    let key: SymmetricKey
    let baseNonce: [UInt8]
    let exporterSecret: SecureBytes
    private var sequence: UInt64 = 0

    /// The first byte of the key schedule's context; base mode has no pre-shared key and no sender's key.
    private static let baseMode: UInt8 = 0

    /// `KeySchedule`, in base mode.
    init(sharedSecret: SecureBytes, info: Data, ciphersuite: HPKE.Ciphersuite) {
        let labeled = LabeledKDF(kdf: ciphersuite.kdf, suiteIdentifier: ciphersuite.identifier)
        let none = Data()
        let pskIdentifierHash = labeled.extract(salt: none, label: "psk_id_hash", input: none)
        let infoHash = labeled.extract(salt: none, label: "info_hash", input: info)
        let context =
            Data([Self.baseMode]) + pskIdentifierHash.withUnsafeBytes { Data($0) }
            + infoHash.withUnsafeBytes { Data($0) }
        let secret = labeled.extract(salt: sharedSecret, label: "secret", input: none)
        func expand(_ label: String, _ count: Int) -> SymmetricKey {
            labeled.expand(key: secret, label: label, info: context, outputByteCount: count)
        }
        self.ciphersuite = ciphersuite
        key = expand("key", ciphersuite.aead.keyByteCount)
        baseNonce = expand("base_nonce", ciphersuite.aead.nonceByteCount).withUnsafeBytes { Array($0) }
        exporterSecret = expand("exp", ciphersuite.kdf.extractByteCount).bytes
    }

    /// `Context.Export`.
    ///
    /// - Throws: `CryptoKitError.incorrectParameterSize` for more bytes than HKDF gives.
    func export(context: Data, outputByteCount: Int) throws -> SymmetricKey {
        guard (0...255 * ciphersuite.kdf.extractByteCount).contains(outputByteCount) else {
            throw CryptoKitError.incorrectParameterSize
        }
        let labeled = LabeledKDF(kdf: ciphersuite.kdf, suiteIdentifier: ciphersuite.identifier)
        return labeled.expand(key: exporterSecret, label: "sec", info: context, outputByteCount: outputByteCount)
    }

    /// `ContextS.Seal`: ciphertext and tag.
    mutating func seal(_ message: some DataProtocol, authenticating data: some DataProtocol) throws -> Data {
        let nonce = try nextNonce()
        let box = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: data)
        sequence += 1
        return box.ciphertext + box.tag
    }

    /// `ContextR.Open`. A message that does not open does not count.
    mutating func open(_ ciphertext: some DataProtocol, authenticating data: some DataProtocol) throws -> Data {
        let nonce = try nextNonce()
        let tagByteCount = ciphersuite.aead.tagByteCount
        guard ciphertext.count >= tagByteCount else { throw HPKE.Errors.ciphertextTooShort }
        let box = try AES.GCM.SealedBox(
            nonce: nonce, ciphertext: ciphertext.dropLast(tagByteCount), tag: ciphertext.suffix(tagByteCount))
        let message = try AES.GCM.open(box, using: key, authenticating: data)
        sequence += 1
        return message
    }

    /// `ComputeNonce` for the current message.
    private func nextNonce() throws -> AES.GCM.Nonce {
        guard ciphersuite.aead != .exportOnly else { throw HPKE.Errors.exportOnlyMode }
        guard sequence < .max else { throw HPKE.Errors.outOfRangeSequenceNumber }
        var nonce = baseNonce
        for place in 0..<8 {
            nonce[nonce.count - 1 - place] ^= UInt8(truncatingIfNeeded: sequence >> (8 * UInt64(place)))
        }
        return try AES.GCM.Nonce(data: nonce)
    }
}
