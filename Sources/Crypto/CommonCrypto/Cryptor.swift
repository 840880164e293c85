import HILCOpenSSL

// Source: Apple's CommonCrypto, CommonCryptor.h. The arithmetic is OpenSSL's.

/// A cipher at work.
private final class Cryptor {
    let context = EVP_CIPHER_CTX_new()
    /// The length of a block in bytes; 1 if the mode makes a stream cipher.
    let blockSize: Int
    private let isPadded: Bool
    private let isEncrypting: Bool
    /// How many bytes of an unfinished block are kept.
    private var kept = 0

    /// - Throws: ``Status``.
    init(
        _ operation: CCOperation, _ mode: Int, _ algorithm: CCAlgorithm, isPadded: Bool, iv: UnsafeRawPointer?,
        key: UnsafeRawPointer?, keyLength: Int
    ) throws(Status) {
        guard operation <= CCOperation(kCCDecrypt), let key else { throw Status(kCCParamError) }
        guard let name = try Self.name(mode, algorithm, keyLength), let cipher = EVP_get_cipherbyname(name) else {
            throw Status(kCCUnimplemented)
        }
        blockSize = Int(EVP_CIPHER_get_block_size(cipher))
        self.isPadded = isPadded && blockSize > 1
        isEncrypting = operation == CCOperation(kCCEncrypt)
        // Without one it is zeros, as Apple documents.
        let length = Int(EVP_CIPHER_get_iv_length(cipher))
        let vector =
            iv.map { Array(UnsafeRawBufferPointer(start: $0, count: length)) } ?? Array(repeating: 0, count: length)
        let bytes = key.assumingMemoryBound(to: UInt8.self)
        guard EVP_CipherInit_ex(context, cipher, nil, bytes, vector, isEncrypting ? 1 : 0) == 1 else {
            throw Status(kCCInvalidKey)
        }
        EVP_CIPHER_CTX_set_padding(context, self.isPadded ? 1 : 0)
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// OpenSSL's name of the cipher; nil for an unavailable one.
    private static func name(_ mode: Int, _ algorithm: CCAlgorithm, _ keyLength: Int) throws(Status) -> String? {
        let modes = [
            kCCModeECB: "ECB", kCCModeCBC: "CBC", kCCModeCFB: "CFB", kCCModeCTR: "CTR", kCCModeOFB: "OFB",
            kCCModeCFB8: "CFB8",
        ]
        guard let mode = modes[mode] else { return nil }
        switch Int(algorithm) {
        case kCCAlgorithmAES:
            guard [16, 24, 32].contains(keyLength) else { throw Status(kCCKeySizeError) }
            return "AES-\(keyLength * 8)-\(mode)"
        case kCCAlgorithm3DES:
            guard keyLength == kCCKeySize3DES else { throw Status(kCCKeySizeError) }
            return mode == "ECB" ? "DES-EDE3" : "DES-EDE3-\(mode)"
        default: return nil
        }
    }

    /// The most output bytes for `count` more input bytes.
    func outputLength(of count: Int, isFinal: Bool) -> Int {
        let all = kept + count
        guard blockSize > 1 else { return count }
        let whole = all / blockSize * blockSize
        return isFinal && isPadded && isEncrypting ? whole + blockSize : whole
    }

    /// - Returns: How many bytes were written.
    func update(
        _ data: UnsafeRawPointer?, _ count: Int, _ output: UnsafeMutableRawPointer?, _ room: Int
    ) throws(Status) -> Int {
        guard count >= 0, count < Int(Int32.max) - blockSize, count == 0 || data != nil else {
            throw Status(kCCParamError)
        }
        guard room >= outputLength(of: count, isFinal: false) else { throw Status(kCCBufferTooSmall) }
        guard count > 0 else { return 0 }
        // OpenSSL writes these bytes without checking the available room.
        var bytes = [UInt8](repeating: 0, count: count + blockSize)
        var written: Int32 = 0
        guard EVP_CipherUpdate(context, &bytes, &written, data?.assumingMemoryBound(to: UInt8.self), Int32(count)) == 1
        else { throw Status(kCCUnspecifiedError) }
        kept = blockSize > 1 ? kept + count - Int(written) : 0
        return try copy(bytes, Int(written), to: output, room)
    }

    /// Ends the cipher's work.
    ///
    /// - Returns: How many bytes were written.
    func final(_ output: UnsafeMutableRawPointer?, _ room: Int) throws(Status) -> Int {
        if blockSize > 1, !isPadded, kept > 0 { throw Status(kCCAlignmentError) }
        if isPadded, !isEncrypting, kept != blockSize { throw Status(kCCAlignmentError) }
        if isPadded, isEncrypting, room < blockSize { throw Status(kCCBufferTooSmall) }
        var bytes = [UInt8](repeating: 0, count: blockSize)
        var written: Int32 = 0
        guard EVP_CipherFinal_ex(context, &bytes, &written) == 1 else { throw Status(kCCDecodeError) }
        kept = 0
        return try copy(bytes, Int(written), to: output, room)
    }

    private func copy(
        _ bytes: [UInt8], _ count: Int, to output: UnsafeMutableRawPointer?, _ room: Int
    ) throws(Status) -> Int {
        guard count > 0 else { return 0 }
        guard let output, count <= room else { throw Status(kCCBufferTooSmall) }
        bytes.withUnsafeBytes { output.copyMemory(from: $0.baseAddress!, byteCount: count) }  // it is not empty
        return count
    }
}

/// The reason why a call failed.
private struct Status: Error {
    let code: CCCryptorStatus

    init(_ code: Int) { self.code = CCCryptorStatus(code) }
}

/// Runs `body` for the code that an app gets.
private func status(_ body: () throws(Status) -> Void) -> CCCryptorStatus {
    do throws(Status) { try body() } catch { return error.code }
    return CCCryptorStatus(kCCSuccess)
}

private func cryptor(_ reference: CCCryptorRef?) throws(Status) -> Cryptor {
    guard let reference else { throw Status(kCCParamError) }
    return Unmanaged<Cryptor>.fromOpaque(UnsafeRawPointer(reference)).takeUnretainedValue()
}

/// Encrypts or decrypts all at once.
///
/// - Returns: ``kCCSuccess``; ``kCCBufferTooSmall`` with the length that is needed; ``kCCAlignmentError`` for an
///   incomplete last block; ``kCCDecodeError`` for a wrong padding; ``kCCKeySizeError``, ``kCCParamError``, or
///   ``kCCUnimplemented``.
public func CCCrypt(
    _ op: CCOperation, _ alg: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer!, _ keyLength: Int,
    _ iv: UnsafeRawPointer!, _ dataIn: UnsafeRawPointer!, _ dataInLength: Int, _ dataOut: UnsafeMutableRawPointer!,
    _ dataOutAvailable: Int, _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    status { () throws(Status) in
        let isBookMode = options & CCOptions(kCCOptionECBMode) != 0
        let cryptor = try Cryptor(
            op, isBookMode ? kCCModeECB : kCCModeCBC, alg, isPadded: options & CCOptions(kCCOptionPKCS7Padding) != 0,
            iv: isBookMode ? nil : iv, key: key, keyLength: keyLength)
        let needed = cryptor.outputLength(of: dataInLength, isFinal: true)
        dataOutMoved?.pointee = needed
        guard dataOutAvailable >= needed else { throw Status(kCCBufferTooSmall) }
        let first = try cryptor.update(dataIn, dataInLength, dataOut, dataOutAvailable)
        let last = try cryptor.final(dataOut.map { $0 + first }, dataOutAvailable - first)
        dataOutMoved?.pointee = first + last
    }
}

/// Makes a cipher for data that comes in parts, in CBC mode, or in ECB mode if the options say so.
public func CCCryptorCreate(
    _ op: CCOperation, _ alg: CCAlgorithm, _ options: CCOptions, _ key: UnsafeRawPointer!, _ keyLength: Int,
    _ iv: UnsafeRawPointer!, _ cryptorRef: UnsafeMutablePointer<CCCryptorRef?>!
) -> CCCryptorStatus {
    let isBookMode = options & CCOptions(kCCOptionECBMode) != 0
    return CCCryptorCreateWithMode(
        op, CCMode(isBookMode ? kCCModeECB : kCCModeCBC), alg,
        CCPadding(options & CCOptions(kCCOptionPKCS7Padding) != 0 ? ccPKCS7Padding : ccNoPadding), iv, key, keyLength,
        nil, 0, 0, 0, cryptorRef)
}

/// Makes a cipher for data that comes in parts. Tweaks and rounds are not used. The app releases it.
public func CCCryptorCreateWithMode(
    _ op: CCOperation, _ mode: CCMode, _ alg: CCAlgorithm, _ padding: CCPadding, _ iv: UnsafeRawPointer!,
    _ key: UnsafeRawPointer!, _ keyLength: Int, _ tweak: UnsafeRawPointer!, _ tweakLength: Int, _ numRounds: Int32,
    _ options: CCModeOptions, _ cryptorRef: UnsafeMutablePointer<CCCryptorRef?>!
) -> CCCryptorStatus {
    status { () throws(Status) in
        guard let cryptorRef, padding <= CCPadding(ccPKCS7Padding) else { throw Status(kCCParamError) }
        let cryptor = try Cryptor(
            op, Int(mode), alg, isPadded: padding == CCPadding(ccPKCS7Padding),
            iv: mode == CCMode(kCCModeECB) ? nil : iv, key: key, keyLength: keyLength)
        cryptorRef.pointee = CCCryptorRef(Unmanaged.passRetained(cryptor).toOpaque())
    }
}

/// Ends a cipher.
@discardableResult
public func CCCryptorRelease(_ cryptorRef: CCCryptorRef!) -> CCCryptorStatus {
    if let cryptorRef { Unmanaged<Cryptor>.fromOpaque(UnsafeRawPointer(cryptorRef)).release() }
    return CCCryptorStatus(kCCSuccess)
}

/// Encrypts or decrypts more bytes.
@discardableResult
public func CCCryptorUpdate(
    _ cryptorRef: CCCryptorRef!, _ dataIn: UnsafeRawPointer!, _ dataInLength: Int,
    _ dataOut: UnsafeMutableRawPointer!, _ dataOutAvailable: Int, _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    status { () throws(Status) in
        dataOutMoved?.pointee = try cryptor(cryptorRef).update(dataIn, dataInLength, dataOut, dataOutAvailable)
    }
}

/// Writes the remaining bytes of the last block.
@discardableResult
public func CCCryptorFinal(
    _ cryptorRef: CCCryptorRef!, _ dataOut: UnsafeMutableRawPointer!, _ dataOutAvailable: Int,
    _ dataOutMoved: UnsafeMutablePointer<Int>!
) -> CCCryptorStatus {
    status { () throws(Status) in dataOutMoved?.pointee = try cryptor(cryptorRef).final(dataOut, dataOutAvailable) }
}

/// The most output bytes for `inputLength` more input bytes.
public func CCCryptorGetOutputLength(_ cryptorRef: CCCryptorRef!, _ inputLength: Int, _ final: Bool) -> Int {
    (try? cryptor(cryptorRef).outputLength(of: inputLength, isFinal: final)) ?? 0
}
