import FoundationEssentials

/// `LabeledExtract` and `LabeledExpand` of RFC 9180, section 4.
struct LabeledKDF {
    let kdf: HPKE.KDF
    let suiteIdentifier: Data

    private static let version = Data("HPKE-v1".utf8)

    /// `input` is never joined with the label in ordinary memory, since it may be secret.
    func extract(salt: some ContiguousBytes, label: String, input: some ContiguousBytes) -> SecureBytes {
        switch kdf {
        case .HKDF_SHA256:
            var function = HMAC<SHA256>(keyBytes: salt)
            function.update(data: Self.version + suiteIdentifier + Data(label.utf8))
            function.update(bytes: input)
            return function.finalizeSecret()
        }
    }

    func expand(key: SecureBytes, label: String, info: Data, outputByteCount: Int) -> SymmetricKey {
        let labeled =
            Data(UInt16(outputByteCount).bigEndianBytes) + Self.version + suiteIdentifier + Data(label.utf8) + info
        switch kdf {
        case .HKDF_SHA256:
            return HKDF<SHA256>.expand(pseudoRandomKey: key, info: labeled, outputByteCount: outputByteCount)
        }
    }
}
