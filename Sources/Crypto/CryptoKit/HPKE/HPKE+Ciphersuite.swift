import FoundationEssentials

extension HPKE {
    /// Key encapsulation mechanisms (RFC 9180, section 7.1).
    public enum KEM: CaseIterable, Hashable, Sendable {
        /// DHKEM(P-256, HKDF-SHA256).
        case P256_HKDF_SHA256
        /// DHKEM(P-384, HKDF-SHA384).
        case P384_HKDF_SHA384
        /// DHKEM(P-521, HKDF-SHA512).
        case P521_HKDF_SHA512
        /// DHKEM(X25519, HKDF-SHA256).
        case Curve25519_HKDF_SHA256
        /// X-Wing: ML-KEM-768 and X25519 (draft-connolly-cfrg-xwing-kem-06, section 6).
        case XWingMLKEM768X25519

        /// The number in IANA's registry of HPKE.
        @_spi(HPKEAlgID) public var value: UInt16 {
            switch self {
            case .P256_HKDF_SHA256: 0x0010
            case .P384_HKDF_SHA384: 0x0011
            case .P521_HKDF_SHA512: 0x0012
            case .Curve25519_HKDF_SHA256: 0x0020
            case .XWingMLKEM768X25519: 0x647A
            }
        }

        /// The length of an encapsulated key in bytes, `Nenc`.
        @_spi(HPKEAlgID) public var nEnc: UInt16 {
            switch self {
            case .P256_HKDF_SHA256: 65
            case .P384_HKDF_SHA384: 97
            case .P521_HKDF_SHA512: 133
            case .Curve25519_HKDF_SHA256: 32
            case .XWingMLKEM768X25519: 1120
            }
        }

        /// The function that derives the shared secret from the result of a key agreement. X-Wing does not use it.
        var kdf: KDF {
            switch self {
            case .P256_HKDF_SHA256, .Curve25519_HKDF_SHA256, .XWingMLKEM768X25519: .HKDF_SHA256
            case .P384_HKDF_SHA384: .HKDF_SHA384
            case .P521_HKDF_SHA512: .HKDF_SHA512
            }
        }
    }

    /// Key derivation functions (RFC 9180, section 7.2).
    public enum KDF: CaseIterable, Hashable, Sendable {
        /// HKDF-SHA256.
        case HKDF_SHA256
        /// HKDF-SHA384.
        case HKDF_SHA384
        /// HKDF-SHA512.
        case HKDF_SHA512

        /// The number in IANA's registry of HPKE.
        @_spi(HPKEAlgID) public var value: UInt16 {
            switch self {
            case .HKDF_SHA256: 0x0001
            case .HKDF_SHA384: 0x0002
            case .HKDF_SHA512: 0x0003
            }
        }

        /// The length of an extracted key in bytes, `Nh`.
        var extractByteCount: Int {
            switch self {
            case .HKDF_SHA256: SHA256.byteCount
            case .HKDF_SHA384: SHA384.byteCount
            case .HKDF_SHA512: SHA512.byteCount
            }
        }
    }

    /// Algorithms for authenticated encryption (RFC 9180, section 7.3).
    public enum AEAD: CaseIterable, Hashable, Sendable {
        /// AES-128-GCM.
        case AES_GCM_128
        /// AES-256-GCM.
        case AES_GCM_256
        /// ChaCha20-Poly1305.
        case chaChaPoly
        /// No encryption: only secrets are exported.
        case exportOnly

        /// The number in IANA's registry of HPKE.
        @_spi(HPKEAlgID) public var value: UInt16 {
            switch self {
            case .AES_GCM_128: 0x0001
            case .AES_GCM_256: 0x0002
            case .chaChaPoly: 0x0003
            case .exportOnly: 0xFFFF
            }
        }

        /// The length of the key in bytes, `Nk`.
        @_spi(HPKEAlgID) public var keyByteCount: Int {
            switch self {
            case .AES_GCM_128: 16
            case .AES_GCM_256, .chaChaPoly: 32
            case .exportOnly: 0
            }
        }

        /// The length of the nonce in bytes, `Nn`.
        @_spi(HPKEAlgID) public var nonceByteCount: Int { self == .exportOnly ? 0 : 12 }

        /// The length of the tag in bytes, `Nt`.
        @_spi(HPKEAlgID) public var tagByteCount: Int { self == .exportOnly ? 0 : 16 }
    }

    /// A combination of a key encapsulation, a key derivation and an authenticated encryption.
    public struct Ciphersuite: Hashable, Sendable {
        /// How the two ends agree on a shared secret.
        public let kem: KEM
        /// How keys are derived from the shared secret.
        public let kdf: KDF
        /// How messages are encrypted.
        public let aead: AEAD

        /// Makes a cipher suite from its three parts.
        public init(kem: KEM, kdf: KDF, aead: AEAD) {
            self.kem = kem
            self.kdf = kdf
            self.aead = aead
        }

        /// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256 and AES-256-GCM.
        public static let P256_SHA256_AES_GCM_256 = Ciphersuite(
            kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

        /// DHKEM(P-384, HKDF-SHA384), HKDF-SHA384 and AES-256-GCM.
        public static let P384_SHA384_AES_GCM_256 = Ciphersuite(
            kem: .P384_HKDF_SHA384, kdf: .HKDF_SHA384, aead: .AES_GCM_256)

        /// DHKEM(P-521, HKDF-SHA512), HKDF-SHA512 and AES-256-GCM.
        public static let P521_SHA512_AES_GCM_256 = Ciphersuite(
            kem: .P521_HKDF_SHA512, kdf: .HKDF_SHA512, aead: .AES_GCM_256)

        /// DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305.
        public static let Curve25519_SHA256_ChachaPoly = Ciphersuite(
            kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .chaChaPoly)

        /// X-Wing, HKDF-SHA256 and AES-256-GCM.
        public static let XWingMLKEM768X25519_SHA256_AES_GCM_256 = Ciphersuite(
            kem: .XWingMLKEM768X25519, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

        /// The text “HPKE” and the numbers of the three parts (RFC 9180, section 5.1).
        var identifier: Data {
            Data("HPKE".utf8) + [kem.value, kdf.value, aead.value].flatMap(\.bigEndianBytes)
        }
    }
}

extension UInt16 {
    /// The two bytes of the number, most significant byte first.
    var bigEndianBytes: [UInt8] { [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)] }
}
