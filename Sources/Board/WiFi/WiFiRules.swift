import RadioModel

/// Checks the name and the key of a network before a daemon gets them.
///
/// Source: IEEE 802.11-2020, 9.4.2.2 and J.4.1.
package enum WiFiRules {
    /// - Returns: The bytes of the name.
    /// - Throws: ``RadioModel/RadioError/invalid(_:)`` unless the name has 1 to 32 bytes and the key fits the security.
    @discardableResult
    package static func check(
        ssid: String, in encoding: NameEncoding = .utf8, security: WiFiSecurity, passphrase: String?
    ) throws(RadioError) -> [UInt8] {
        guard let name = encoding.bytes(of: ssid) else {
            throw .invalid("the SSID “\(ssid)” has characters that \(encoding.rawValue) lacks")
        }
        guard (1...32).contains(name.count) else {
            throw .invalid("an SSID has 1 to 32 bytes, not \(name.count)")
        }
        switch (security, passphrase) {
        case (.open, nil), (.enhancedOpen, nil), (.wpa2Enterprise, nil): break
        case (.open, _?), (.enhancedOpen, _?): throw .invalid("an open network has no passphrase")
        case (.wpa2Enterprise, _?): throw .invalid("a WPA2-Enterprise network has users, and no passphrase")
        case (_, nil): throw .invalid("a protected network needs a passphrase")
        case (_, let passphrase?):
            guard isPassphrase(passphrase) || (isRawKey(passphrase) && security != .wpa3) else {
                throw .invalid("a passphrase has 8 to 63 printable ASCII characters, or 64 hexadecimal digits")
            }
        }
        return name
    }

    /// Whether the text has 8 to 63 characters from space to tilde.
    static func isPassphrase(_ text: String) -> Bool {
        (8...63).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Whether the text is a 256-bit key in hexadecimal digits.
    static func isRawKey(_ text: String) -> Bool {
        text.utf8.count == 64 && Hex.bytes(text.utf8) != nil
    }
}
