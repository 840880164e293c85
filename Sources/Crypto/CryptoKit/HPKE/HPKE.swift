/// Hybrid public key encryption (HPKE): anybody who knows the recipient's public key can send. Source: RFC 9180.
///
/// A sender can also prove that it knows a pre-shared key, or the private key of a public key that the recipient knows.
public enum HPKE: Sendable {}
