import HILPOSIX

/// Escapes text for GitHub Flavored Markdown (version 0.29, over CommonMark 0.29), so that it is shown literally and
/// never as markup.
enum MarkdownText {
    /// One line of at most `limit` characters, for a paragraph, a heading or a cell of a table.
    static func line(_ text: String, to limit: Int = 300) -> String {
        var result = ""
        for scalar in PlainText.line(cut(text, to: limit)).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default:
                // A backslash before any punctuation of ASCII is dropped (CommonMark 2.4), also in a table. What begins a
                // list, a heading or a quotation does so only at the start.
                if isMarkup(scalar) || result.isEmpty && isPunctuation(scalar) { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a character can be markup anywhere in a line. The colon and the point keep addresses from becoming links.
    private static func isMarkup(_ scalar: Unicode.Scalar) -> Bool {
        "\\`*_{}[]#.:!|~@$".unicodeScalars.contains(scalar)
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "!"..."/", ":"..."@", "["..."`", "{"..."~": true
        default: false
        }
    }

    /// The start of a text, of at most `limit` Unicode scalars. A text that is cut ends with an ellipsis.
    static func cut(_ text: String, to limit: Int) -> String {
        let start = text.unicodeScalars.prefix(limit + 1)
        return start.count > limit ? String(start.dropLast(2)) + "…" : text
    }

    /// One line in a fixed-width font.
    static func code(_ text: String) -> String { "<code>\(line(text))</code>" }

    /// Lines of at most `limit` characters in all, unchanged, in a fixed-width font.
    static func block(_ text: String, to limit: Int) -> String {
        let text = PlainText.lines(cut(text, to: limit))
        // The fence is longer than any run of backticks in the text, so no line of it ends the block (CommonMark 4.5).
        var (run, longest) = (0, 2)
        for scalar in text.unicodeScalars {
            run = scalar == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence)text\n\(text)\n\(fence)\n"
    }
}
