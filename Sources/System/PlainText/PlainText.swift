/// Text for people that may hold what came from outside: a device's name, a network's, a message of an app.
///
/// Whatever writes such text to a terminal or into a file that people open sends it through here, so that no name on the
/// air gets a say over the terminal, or can look like another line or another name.
package enum PlainText {
    /// One line: control characters, line breaks among them, are shown as `#x1B`.
    package static func line(_ text: String) -> String { escaped(text, keepsLines: false) }

    /// Several lines: as ``line(_:)``, and line breaks and tabs stay.
    package static func lines(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// The beginning of a long text, and how much more there was: `aaa… 1,048,000 more characters`.
    ///
    /// - Parameter limit: The most characters that are kept, and a quarter of the most bytes: a character may be of any length.
    package static func cut(_ text: String, to limit: Int) -> String {
        // Texts that are short in bytes are not counted.
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

    /// What to say of bytes that could not be read: how many there are, why, and how they begin.
    ///
    /// - Parameter error: What the decoder threw.
    package static func unreadable(_ bytes: some Collection<UInt8>, _ error: any Error) -> String {
        let start = String(decoding: bytes.prefix(480), as: UTF8.self)
        return "\(grouped(bytes.count)) bytes, “\(line(cut(start, to: 120)))”: \(reason(error))"
    }

    /// Why something could not be decoded, in a few words.
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

    /// `1,048,576`.
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
        // Most text needs nothing: control characters have one of these bytes.
        let isSuspicious = text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 || $0 == 0xEF }
        guard isSuspicious else { return text }
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

    /// Not a control character (Unicode's category Cc), no line or paragraph separator, nothing that turns the direction of
    /// what follows (UAX 9, 2.1 to 2.5), and no noncharacter, which XML forbids.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
