/// The Advanced Encryption Standard (FIPS 197).
public enum AES: Sendable {}
