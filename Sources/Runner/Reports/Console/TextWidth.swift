/// The width of text on a terminal.
enum TextWidth {
    /// The number of columns of plain text.
    static func columns(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + columns($1) } }

    /// The longest start of plain text that fits. A text that is cut ends with an ellipsis.
    static func cut(_ text: String, to limit: Int) -> String {
        if columns(text) <= limit { return text }
        var kept = ""
        var left = limit - 1
        for character in text {
            left -= columns(String(character))
            if left < 0 { break }
            kept.append(character)
        }
        return limit > 0 ? kept + "…" : ""
    }

    /// Combining marks and joiners have no column, East Asian wide characters and pictographs two.
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }
}
