// Source: Apple's CommonCrypto, CommonCryptor.h and CommonCryptoError.h.

public typealias CCCryptorStatus = Int32
public typealias CCStatus = Int32
public typealias CCOperation = UInt32
public typealias CCAlgorithm = UInt32
public typealias CCOptions = UInt32
public typealias CCMode = UInt32
public typealias CCPadding = UInt32
public typealias CCModeOptions = UInt32
/// A cipher at work; see `CCCryptorCreate`.
public typealias CCCryptorRef = OpaquePointer

public let kCCSuccess = 0, kCCParamError = -4300, kCCBufferTooSmall = -4301, kCCMemoryFailure = -4302,
    kCCAlignmentError = -4303, kCCDecodeError = -4304, kCCUnimplemented = -4305, kCCOverflow = -4306,
    kCCRNGFailure = -4307, kCCUnspecifiedError = -4308, kCCCallSequenceError = -4309, kCCKeySizeError = -4310,
    kCCInvalidKey = -4311

public let kCCEncrypt = 0, kCCDecrypt = 1
/// The algorithms. DES, CAST, RC4, RC2 and Blowfish are `kCCUnimplemented`: Debian's OpenSSL has them switched off.
public let kCCAlgorithmAES = 0, kCCAlgorithmAES128 = 0, kCCAlgorithmDES = 1, kCCAlgorithm3DES = 2, kCCAlgorithmCAST = 3,
    kCCAlgorithmRC4 = 4, kCCAlgorithmRC2 = 5, kCCAlgorithmBlowfish = 6
public let kCCOptionPKCS7Padding = 1, kCCOptionECBMode = 2
/// The modes. All others are `kCCUnimplemented`.
public let kCCModeECB = 1, kCCModeCBC = 2, kCCModeCFB = 3, kCCModeCTR = 4, kCCModeOFB = 7, kCCModeCFB8 = 10
public let ccNoPadding = 0, ccPKCS7Padding = 1
/// The only order of a counter's bytes, and the default.
public let kCCModeOptionCTR_BE = 2

public let kCCKeySizeAES128 = 16, kCCKeySizeAES192 = 24, kCCKeySizeAES256 = 32, kCCKeySize3DES = 24
public let kCCBlockSizeAES128 = 16, kCCBlockSize3DES = 8
