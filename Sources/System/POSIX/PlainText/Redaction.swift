/// Takes secrets out of texts for logs and reports: as they are, cut short, and as bytes in hexadecimal.
package struct Redaction: Sendable {
    /// What stands in place of a secret.
    package static let mark = "•••"
    /// So many bytes at the beginning of a secret give it away.
    private static let shortest = 4

    private let secrets: [String]

    /// - Parameter secrets: Passphrases. Shorter ones than four bytes are left alone.
    package init(_ secrets: [String]) { self.secrets = secrets.filter { $0.utf8.count >= Self.shortest } }

    /// Whether there is nothing to hide.
    package var isEmpty: Bool { secrets.isEmpty }

    /// The text without the secrets.
    package func apply(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            var text = text.replacing(secret, with: Self.mark)
            text = Self.hideCut(secret, in: text)
            for separator in [" ", ""] {
                for isUpper in [true, false] { text = Self.hide(Self.hex(secret, isUpper), separator, in: text) }
            }
            return text
        }
    }

    private static func hex(_ secret: String, _ isUpper: Bool) -> [String] {
        secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: isUpper) }
    }

    /// Hides the beginning of a secret before the sign that a text was cut.
    private static func hideCut(_ secret: String, in text: String) -> String {
        guard let cut = text.firstIndex(of: "…") else { return text }
        let before = text[..<cut]
        for count in stride(from: secret.count - 1, through: shortest, by: -1)
        where before.hasSuffix(secret.prefix(count)) {
            return before.dropLast(count) + mark + text[cut...]
        }
        return text
    }

    /// Hides bytes, and any beginning of them that is long enough.
    private static func hide(_ bytes: [String], _ separator: String, in text: String) -> String {
        var text = text
        for count in stride(from: bytes.count, through: shortest, by: -1) {
            text = text.replacing(bytes.prefix(count).joined(separator: separator), with: mark)
        }
        return text
    }
}
