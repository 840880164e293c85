/// SHA-256 under the name that distinguishes it from SHA-3.
public typealias SHA2_256 = SHA256
/// SHA-384 under the name that distinguishes it from SHA-3.
public typealias SHA2_384 = SHA384
/// SHA-512 under the name that distinguishes it from SHA-3.
public typealias SHA2_512 = SHA512

/// The name in swift-crypto, which has apps' code for Linux in mind.
public typealias CryptoError = CryptoKitError
/// The name in swift-crypto, which has apps' code for Linux in mind.
public typealias CryptoASN1Error = CryptoKitASN1Error
/// The error of operations that can fail in more than one way.
public typealias CryptoKitMetaError = any Error
