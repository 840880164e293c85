/// The names of the Attribute Protocol's errors.
package enum AttributeErrorName {
    /// The name of an error: Core Specification 6.0, Vol 3, Part F, table 3.4, and Core Specification Supplement 12, Part B.
    /// Nil for an error that only the accessory's own specification explains.
    package static func of(_ code: UInt8) -> String? {
        names.indices.contains(Int(code)) ? names[Int(code)] : common[code]
    }

    /// From 0x00 on.
    private static let names: [String?] = [
        nil, "invalid handle", "read not permitted", "write not permitted", "invalid PDU",
        "insufficient authentication", "request not supported", "invalid offset", "insufficient authorization",
        "prepare queue full", "attribute not found", "attribute not long", "encryption key too short",
        "invalid attribute value length", "unlikely error", "insufficient encryption", "unsupported group type",
        "insufficient resources", "database out of sync", "value not allowed",
    ]
    private static let common: [UInt8: String] = [
        0xFC: "write request rejected", 0xFD: "descriptor improperly configured", 0xFE: "procedure already in progress",
        0xFF: "out of range",
    ]

    /// The error for people: `error 0x05 (insufficient authentication)`.
    package static func text(of code: UInt8) -> String {
        "error 0x\(Hex.text([code]))" + (of(code).map { " (\($0))" } ?? "")
    }
}
