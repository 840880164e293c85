import HILPOSIX

/// Escapes text for XML 1.0.
enum XMLText {
    /// Escapes the value of an attribute in double quotes.
    static func attribute(_ text: String) -> String {
        var result = ""
        for scalar in plain(text).unicodeScalars {
            switch scalar {
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            default: append(scalar, to: &result)
            }
        }
        return result
    }

    /// Escapes the content of an element.
    static func content(_ text: String) -> String {
        var result = ""
        for scalar in plain(text).unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// Plain text of at most `limit` Unicode scalars. A text that is cut ends with an ellipsis.
    static func cut(_ text: String, to limit: Int) -> String {
        // Removing colours makes the text shorter, so start with a longer part.
        let text = plain(String(text.unicodeScalars.prefix(4 * limit)))
        guard text.unicodeScalars.count > limit else { return text }
        return String(text.unicodeScalars.prefix(limit - 1)) + "…"
    }

    /// Escapes one scalar. `>` is always escaped, so that no content has `]]>`.
    private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\r": result += "&#13;"
        default: result.unicodeScalars.append(scalar)
        }
    }

    /// Removes colours, and writes control characters and what XML 1.0 forbids (section 2.2) as `#x1B`.
    static func plain(_ text: String) -> String { PlainText.lines(withoutColours(text)) }

    /// Drops control sequences (ECMA-48, 5.4): escape, `[`, parameters, one final character.
    private static func withoutColours(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = Array(text.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1B}", rest.first == "[" else {
                result.append(scalar)
                continue
            }
            let end = rest.dropFirst().firstIndex { !(0x20...0x3F).contains($0.value) }
            guard let end, (0x40...0x7E).contains(rest[end].value) else {
                result.append(scalar)
                continue
            }
            rest = rest[(end + 1)...]
        }
        return String(result)
    }
}
