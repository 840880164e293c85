import RadioModel

/// How a link is protected at this moment.
///
/// Source: Core Specification 6.0, Vol 3, Part C, 10.2.1.
package struct LinkSecurity: Sendable, Hashable {
    package var isEncrypted: Bool
    /// Whether people authenticated the key: they compared or entered a number.
    package var isAuthenticated: Bool
    /// Whether LE Secure Connections made the key.
    package var isSecureConnections: Bool
    /// The size of the key in bytes, 7 to 16; 0 without encryption.
    package var keySize: Int

    /// A link without encryption.
    package static let none = LinkSecurity(
        isEncrypted: false, isAuthenticated: false, isSecureConnections: false, keySize: 0)

    package init(isEncrypted: Bool, isAuthenticated: Bool, isSecureConnections: Bool, keySize: Int) {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.isSecureConnections = isSecureConnections
        self.keySize = keySize
    }

    /// Whether the link is protected at least so well.
    package func satisfies(_ protection: LinkProtection) -> Bool {
        switch protection {
        case .none: true
        case .encrypted: isEncrypted
        case .authenticated: isEncrypted && isAuthenticated
        case .secureConnections: isEncrypted && isAuthenticated && isSecureConnections
        }
    }
}
