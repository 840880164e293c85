/// The input and output capability of one end of a pairing. It decides the pairing method.
///
/// Source: Bluetooth Core Specification 6.0, Vol 3, Part H, 2.3.2, "IO capabilities".
public enum PairingCapability: String, Sendable, Hashable, Codable, CaseIterable {
    /// Shows a number, without any input.
    case displayOnly = "DisplayOnly"
    /// Shows a number, and has a button for yes and no.
    case displayYesNo = "DisplayYesNo"
    /// Has keys for a number, and shows nothing.
    case keyboardOnly = "KeyboardOnly"
    /// Neither shows nor asks: pairing just works.
    case noInputNoOutput = "NoInputNoOutput"
    /// Shows a number and has keys for one.
    case keyboardDisplay = "KeyboardDisplay"
}

/// How an attribute or a channel is protected.
///
/// Source: Bluetooth Core Specification 6.0, Vol 3, Part C, 10.2.1, "LE security mode 1".
public enum LinkProtection: Int, Sendable, Hashable, Codable, CaseIterable {
    /// Any link.
    case none = 1
    /// An encrypted link: any bond.
    case encrypted = 2
    /// A link with a key that people authenticated: they compared or entered a number.
    case authenticated = 3
    /// A link with an authenticated key of LE Secure Connections.
    case secureConnections = 4
}
