/// Hybrid public key encryption (RFC 9180), base mode: whoever knows the recipient's public key may send.
public enum HPKE {}
