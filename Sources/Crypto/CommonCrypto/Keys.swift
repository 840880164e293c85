import HILCOpenSSL

// Source: Apple's CommonCrypto, CommonHMAC.h, CommonKeyDerivation.h, CommonRandom.h.

public typealias CCHmacAlgorithm = UInt32
public typealias CCPBKDFAlgorithm = UInt32
public typealias CCPseudoRandomAlgorithm = UInt32

public let kCCHmacAlgSHA1 = 0, kCCHmacAlgMD5 = 1, kCCHmacAlgSHA256 = 2, kCCHmacAlgSHA384 = 3, kCCHmacAlgSHA512 = 4,
    kCCHmacAlgSHA224 = 5
public let kCCPBKDF2 = 2
public let kCCPRFHmacAlgSHA1 = 1, kCCPRFHmacAlgSHA224 = 2, kCCPRFHmacAlgSHA256 = 3, kCCPRFHmacAlgSHA384 = 4,
    kCCPRFHmacAlgSHA512 = 5

/// Writes the authentication code of some bytes: as many bytes as the algorithm's digest has. An unknown algorithm writes
/// nothing.
public func CCHmac(
    _ algorithm: CCHmacAlgorithm, _ key: UnsafeRawPointer!, _ keyLength: Int, _ data: UnsafeRawPointer!,
    _ dataLength: Int, _ macOut: UnsafeMutableRawPointer!
) {
    let digests: [(name: String, length: Int)] = [
        ("SHA1", 20), ("MD5", 16), ("SHA256", 32), ("SHA384", 48), ("SHA512", 64), ("SHA224", 28),
    ]
    guard Int(algorithm) < digests.count, keyLength >= 0, dataLength >= 0, let macOut else { return }
    let digest = digests[Int(algorithm)]
    let key = UnsafeRawBufferPointer(start: key, count: key == nil ? 0 : keyLength)
    // OpenSSL refuses a key without an address, also an empty one.
    withUnsafeBytes(of: UInt8(0)) { nothing in
        _ = EVP_Q_mac(
            nil, "HMAC", nil, digest.name, nil, key.baseAddress ?? nothing.baseAddress, key.count,
            data?.assumingMemoryBound(to: UInt8.self), dataLength, macOut.assumingMemoryBound(to: UInt8.self),
            digest.length, nil)
    }
}

/// Derives a key from a password (RFC 8018). Returns ``kCCSuccess`` or ``kCCParamError``.
public func CCKeyDerivationPBKDF(
    _ algorithm: CCPBKDFAlgorithm, _ password: UnsafePointer<CChar>!, _ passwordLen: Int,
    _ salt: UnsafePointer<UInt8>!, _ saltLen: Int, _ prf: CCPseudoRandomAlgorithm, _ rounds: UInt32,
    _ derivedKey: UnsafeMutablePointer<UInt8>!, _ derivedKeyLen: Int
) -> Int32 {
    let digests: [OpaquePointer?] = [nil, EVP_sha1(), EVP_sha224(), EVP_sha256(), EVP_sha384(), EVP_sha512()]
    guard algorithm == CCPBKDFAlgorithm(kCCPBKDF2), Int(prf) < digests.count, let digest = digests[Int(prf)],
        rounds > 0, derivedKey != nil, derivedKeyLen > 0,
        let (count, saltCount) = lengths(passwordLen, saltLen),
        let (rounds, length) = lengths(Int(rounds), derivedKeyLen)
    else { return CCCryptorStatus(kCCParamError) }
    let isDone = PKCS5_PBKDF2_HMAC(password, count, salt, saltCount, rounds, digest, length, derivedKey) == 1
    return CCCryptorStatus(isDone ? kCCSuccess : kCCParamError)
}

/// Lengths as OpenSSL takes them; nil if one is out of its range.
private func lengths(_ one: Int, _ other: Int) -> (Int32, Int32)? {
    guard let one = Int32(exactly: one), let other = Int32(exactly: other), one >= 0, other >= 0 else { return nil }
    return (one, other)
}

/// Fills a buffer with random bytes. Returns ``kCCSuccess`` or ``kCCRNGFailure``.
@discardableResult
public func CCRandomGenerateBytes(_ bytes: UnsafeMutableRawPointer!, _ count: Int) -> CCCryptorStatus {
    let isDone = RAND_bytes_ex(nil, bytes?.assumingMemoryBound(to: UInt8.self), count, 0) == 1
    return CCCryptorStatus(isDone ? kCCSuccess : kCCRNGFailure)
}
