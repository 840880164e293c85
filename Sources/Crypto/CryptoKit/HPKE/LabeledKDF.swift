import FoundationEssentials

/// Key derivation with labels: `LabeledExtract` and `LabeledExpand` of RFC 9180, section 4.
struct LabeledKDF {
    let kdf: HPKE.KDF
    let suiteIdentifier: Data

    private static let version = Data("HPKE-v1".utf8)

    /// `LabeledExtract`. `input` may be secret, so it is never joined with the label in ordinary memory.
    func extract(salt: some ContiguousBytes, label: String, input: some ContiguousBytes) -> SecureBytes {
        let prefix = Self.version + suiteIdentifier + Data(label.utf8)
        func extract<H: HashFunction>(by hash: H.Type) -> SecureBytes {
            var function = HMAC<H>(keyBytes: salt)
            function.update(data: prefix)
            function.update(bytes: input)
            return function.finalizeSecret()
        }
        return switch kdf {
        case .HKDF_SHA256: extract(by: SHA256.self)
        case .HKDF_SHA384: extract(by: SHA384.self)
        case .HKDF_SHA512: extract(by: SHA512.self)
        }
    }

    func expand(key: SecureBytes, label: String, info: Data, outputByteCount: Int) -> SymmetricKey {
        let info =
            Data(UInt16(outputByteCount).bigEndianBytes) + Self.version + suiteIdentifier + Data(label.utf8) + info
        return switch kdf {
        case .HKDF_SHA256: HKDF<SHA256>.expand(pseudoRandomKey: key, info: info, outputByteCount: outputByteCount)
        case .HKDF_SHA384: HKDF<SHA384>.expand(pseudoRandomKey: key, info: info, outputByteCount: outputByteCount)
        case .HKDF_SHA512: HKDF<SHA512>.expand(pseudoRandomKey: key, info: info, outputByteCount: outputByteCount)
        }
    }
}
