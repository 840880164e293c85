import FoundationEssentials

/// Keys that never leave the Secure Enclave of an Apple device. They are declared so that the compiler says why an app
/// that uses them is not built here.
@available(
    *, unavailable,
    message: "this machine has no Secure Enclave: use P256 here, and SecureEnclave inside #if !os(Linux)"
)
public enum SecureEnclave: Sendable {
    /// Whether the device has a Secure Enclave.
    public static var isAvailable: Bool { false }

    /// The elliptic curve P-256.
    public enum P256: Sendable {
        /// Signatures with ECDSA.
        public enum Signing: Sendable {
            /// A private key in the Secure Enclave.
            public struct PrivateKey: Sendable {
                /// Makes a random key.
                public init() throws { fatalError("the compiler does not let this happen") }

                /// Finds a key again by the bytes that identify it.
                public init(dataRepresentation: Data) throws { fatalError("the compiler does not let this happen") }
            }
        }

        /// Key agreement with ECDH.
        public enum KeyAgreement: Sendable {
            /// A private key in the Secure Enclave.
            public struct PrivateKey: Sendable {
                /// Makes a random key.
                public init() throws { fatalError("the compiler does not let this happen") }

                /// Finds a key again by the bytes that identify it.
                public init(dataRepresentation: Data) throws { fatalError("the compiler does not let this happen") }
            }
        }
    }
}
