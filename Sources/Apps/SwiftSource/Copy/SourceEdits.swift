/// Changes to a text that keep every line number.
struct SourceEdits {
    private var edits: [(range: Range<Int>, text: String)] = []

    /// Replaces a range, on its first line; the range's line ends follow it.
    ///
    /// - Parameters:
    ///   - range: In bytes of UTF-8. Later ranges of one text come later.
    ///   - text: Without a line end.
    mutating func replace(_ range: Range<Int>, with text: String) { edits.append((range, text)) }

    /// Blanks a range; what follows stays in its column.
    mutating func blank(_ range: Range<Int>) {
        replace(range, with: String(repeating: " ", count: range.count))
    }

    func applied(to source: [UInt8]) -> String {
        var result: [UInt8] = []
        var place = 0
        for edit in edits where edit.range.lowerBound >= place {
            result += source[place..<edit.range.lowerBound]
            result += edit.text.utf8
            result += source[edit.range].filter { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            place = edit.range.upperBound
        }
        result += source[place...]
        return String(decoding: result, as: UTF8.self)
    }
}
