/// Makes text safe to show when it may come from outside: the name of a device or a network, a message of an app.
///
/// All code that writes text from outside to a terminal or a readable file uses it. Then a name on the air cannot
/// control the terminal, and cannot look like another line or another name.
package enum PlainText {
    /// One line: control characters, including line breaks, are shown as `#x1B`.
    package static func line(_ text: String) -> String { escaped(text, keepsLines: false) }

    /// Several lines: like ``line(_:)``, but line breaks and tabs stay.
    package static func lines(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// The start of a long text, and how much was left out: `aaa… 1,048,000 more characters`.
    ///
    /// - Parameter limit: The most characters to keep. At most four times as many bytes are kept, as a character may
    ///   have any length.
    package static func cut(_ text: String, to limit: Int) -> String {
        // A text that is short in bytes is short in characters.
        if text.utf8.count <= limit { return text }
        var end = text.startIndex
        var count = 0
        let room = text.utf8.index(text.startIndex, offsetBy: limit * 4, limitedBy: text.endIndex) ?? text.endIndex
        while count < limit, end < text.endIndex {
            let next = text.index(after: end)
            if next > room { break }
            (end, count) = (next, count + 1)
        }
        if end == text.endIndex { return text }
        let rest = text[end...].count
        return "\(text[..<end])… \(grouped(rest)) more character\(rest == 1 ? "" : "s")"
    }

    /// Describes bytes that could not be read: how many there are, how they start, and why they could not be read.
    ///
    /// - Parameter error: The error of the decoder.
    package static func unreadable(_ bytes: some Collection<UInt8>, _ error: any Error) -> String {
        let start = String(decoding: bytes.prefix(480), as: UTF8.self)
        return "\(grouped(bytes.count)) bytes, “\(line(cut(start, to: 120)))”: \(reason(error))"
    }

    /// Why decoding failed, in a few words.
    package static func reason(_ error: any Error) -> String {
        let why =
            switch error as? DecodingError {
            case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
                .valueNotFound(_, let context):
                context.debugDescription
            default: "\(error)"
            }
        return line(cut(why, to: 200))
    }

    /// A number with commas: `1,048,576`.
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        guard isSuspicious(text) else { return text }
        var result = String.UnicodeScalarView()
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            if keepsLines {
                if scalar == "\r", rest.first == "\n" { continue }
                if scalar == "\n" || scalar == "\t" {
                    result.append(scalar)
                    continue
                }
            }
            if isHarmless(scalar) {
                result.append(scalar)
            } else {
                let code = String(scalar.value, radix: 16, uppercase: true)
                result.append(contentsOf: "#x\(code)".unicodeScalars)
            }
        }
        return String(result)
    }

    /// Whether a text may need a change. Most texts do not. Every character that does contains one of these bytes.
    private static func isSuspicious(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            // A plain loop over bytes, because this runs for every line, also in debug builds.
            var place = 0
            while place < bytes.count {
                let byte = bytes[place]
                if byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xEF { return true }
                place += 1
            }
            return false
        }
    }

    /// False for control characters (Unicode category Cc), line and paragraph separators, characters that change the
    /// direction of the text after them (UAX 9, 2.1 to 2.5), and noncharacters, which XML forbids.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
