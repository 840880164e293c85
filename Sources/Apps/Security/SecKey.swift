import Foundation

// Keys have CryptoKit's own types here.

@available(*, unavailable, message: "SecKey is not simulated: use CryptoKit's keys, such as P256.Signing.PrivateKey")
public final class SecKey {}

@available(*, unavailable, message: "SecIdentity is not simulated: there are no private keys in this phone's keychain")
public final class SecIdentity {}

@available(
    *, unavailable,
    message: "access control by passcode or face is not simulated: use kSecAttrAccessible, which needs no person"
)
public final class SecAccessControl {}
