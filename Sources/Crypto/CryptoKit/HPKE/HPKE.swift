/// Hybrid public key encryption (RFC 9180): whoever knows the recipient's public key may send.
///
/// A sender may show besides that it knows a key shared before, or the private key of a public key that the recipient knows.
public enum HPKE {}
