import Foundation

/// A key on its way between phone and accessory. Apps know it as `SecurityMessage`.
public struct KeyMessage: Sendable, Hashable {
    /// What the key is.
    public enum KeyType: Sendable, Hashable {
        /// The accessory's public key, on its way to the phone.
        case publicKey
        /// What the phone encapsulated for it, on its way to the accessory.
        case encapsulatedKey
    }

    /// How the two ends agree on keys.
    public enum CipherSuite: Sendable, Hashable, CustomStringConvertible {
        /// X25519 and ML-KEM-768 together.
        case xWing
        /// Diffie and Hellman's agreement on the curve P-256.
        case p256

        /// The version of the key derivation.
        public enum Version: Sendable, Hashable, CustomStringConvertible {
            case version1

            /// As it stands in HPKE's `info`: `Version1`.
            public var description: String {
                switch self {
                case .version1: "Version1"
                }
            }
        }

        /// As it stands in HPKE's `info`: `XWing` or `P256`.
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
    /// P-256: a public key as X‖Y, 64 bytes; an encapsulated key as 0x04, X, Y, 65 bytes. X-Wing: 1216 and 1120 bytes.
    public let key: Data
    /// The transports that the accessory can be reached by. More than Bluetooth needs X-Wing.
    public let supportedTransports: [ForwardingTransport]
    /// What stands in HPKE's `info`; if nil, the peripheral's identifier does, in upper case.
    public let identifier: String?

    public init(
        keyType: KeyType, cipherSuite: CipherSuite, version: CipherSuite.Version, key: Data,
        supportedTransports: [ForwardingTransport] = [.bluetooth], identifier: String? = nil
    ) {
        self.keyType = keyType
        self.cipherSuite = cipherSuite
        self.version = version
        self.key = key
        self.supportedTransports = supportedTransports
        self.identifier = identifier
    }
}

extension KeyMessage: CustomStringConvertible {
    /// Type, suite and length; never the key.
    public var description: String { "\(keyType) of \(cipherSuite)-\(version), \(key.count) bytes" }
}
