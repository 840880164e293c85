import Foundation

/// A key that the phone and the accessory exchange. The security extension carries it.
public struct SecurityMessage: Sendable, Hashable {
    /// The kind of key, and so its direction.
    public enum KeyType: Sendable, Hashable {
        /// The accessory's public key, sent to the phone.
        case publicKey
        /// The key that the phone encapsulated for the public key, sent to the accessory.
        case encapsulatedKey
    }

    /// The algorithm by which the two ends agree on keys.
    public enum CipherSuite: Sendable, Hashable, CustomStringConvertible {
        /// X-Wing: X25519 combined with ML-KEM-768.
        case xWing
        /// Diffie-Hellman on the curve P-256.
        case p256

        /// The version of the key derivation.
        public enum Version: Sendable, Hashable, CustomStringConvertible {
            case version1

            /// The spelling in HPKE's `info`: `Version1`.
            public var description: String {
                switch self {
                case .version1: "Version1"
                }
            }
        }

        /// The spelling in HPKE's `info`: `XWing` or `P256`.
        public var description: String {
            switch self {
            case .xWing: "XWing"
            case .p256: "P256"
            }
        }
    }

    public let keyType: KeyType
    public let cipherSuite: CipherSuite
    public let version: CipherSuite.Version
    /// P-256: a public key is X‖Y, 64 bytes; an encapsulated key is 0x04, X, Y, 65 bytes. X-Wing: 1216 and 1120 bytes.
    public let key: Data
    /// The transports that reach the accessory. Any other than Bluetooth requires X-Wing.
    public let supportedTransports: [AccessoryTransport]
    /// The accessory's identifier in HPKE's `info`; if nil, the peripheral's identifier is used, in upper case.
    public let identifier: String?

    public init(
        keyType: KeyType, cipherSuite: CipherSuite, version: CipherSuite.Version, key: Data,
        supportedTransports: [AccessoryTransport] = [.bluetooth], identifier: String? = nil
    ) {
        self.keyType = keyType
        self.cipherSuite = cipherSuite
        self.version = version
        self.key = key
        self.supportedTransports = supportedTransports
        self.identifier = identifier
    }
}

extension SecurityMessage: CustomStringConvertible {
    /// The type, the suite and the length; never the key itself.
    public var description: String { "\(keyType) of \(cipherSuite)-\(version), \(key.count) bytes" }
}
