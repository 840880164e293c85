/// Fits text into a given width: estimates its width, breaks it into lines, and cuts it.
///
/// The font is not known here. Latin letters have the widths of Helvetica (Adobe's font metrics), a little enlarged;
/// other scripts have estimated widths.
struct TextFit {
    /// The size of the font in points.
    let size: Double
    let isBold: Bool

    init(_ size: Double, isBold: Bool = false) {
        self.size = size
        self.isBold = isBold
    }

    /// The estimated width in points.
    func width(_ text: some StringProtocol) -> Double { text.reduce(0) { $0 + width($1) } }

    /// The text in at most `most` lines of that width. Text that does not fit ends with an ellipsis.
    func lines(_ text: String, width limit: Double, most: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var rest = words(TextFit.plain(text), within: limit)[...]
        while let word = rest.popFirst() {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if width(longer) <= limit {
                line = longer
            } else if line.isEmpty {
                let fitting = prefix(of: word, within: limit)
                line = String(fitting.isEmpty ? word.prefix(1) : fitting)
                if line.count < word.count { rest = [word.dropFirst(line.count)] + rest }
                lines.append(line)
                line = ""
            } else {
                rest = [word] + rest
                lines.append(line)
                line = ""
            }
            guard lines.count >= most else { continue }
            if rest.isEmpty { return lines }
            return lines.dropLast() + [
                cut("\(lines[most - 1])\(rest.isEmpty ? "" : " \(rest[rest.startIndex])")", limit)
            ]
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// The parts between which a line may break: words, and names in quotes if they fit into one line.
    private func words(_ text: String, within limit: Double) -> [Substring] {
        var words: [Substring] = []
        var rest = text[...]
        while let start = rest.firstIndex(where: { $0 != " " }) {
            rest = rest[start...]
            var end = rest.firstIndex(of: " ") ?? rest.endIndex
            if rest.first == "“", let quote = rest.firstIndex(of: "”") {
                let whole = rest[quote...].firstIndex(of: " ") ?? rest.endIndex
                if width(rest[..<whole]) <= limit { end = whole }
            }
            words.append(rest[..<end])
            rest = rest[end...]
        }
        return words
    }

    /// The text in lines as ``lines(_:width:most:)`` gives them, but of about equal width.
    func balancedLines(_ text: String, width limit: Double, most: Int) -> [String] {
        let widest = lines(text, width: limit, most: most)
        guard widest.count > 1, widest.last?.hasSuffix("…") != true else { return widest }
        let longest = words(TextFit.plain(text), within: limit).map { width($0) }.max() ?? 0
        for part in 11..<20 where limit * Double(part) / 20 >= longest {
            let lines = lines(text, width: limit * Double(part) / 20, most: widest.count)
            if lines.last?.hasSuffix("…") != true || text.hasSuffix("…") { return lines }
        }
        return widest
    }

    /// The text in one line. Text that does not fit ends with an ellipsis.
    func line(_ text: String, width limit: Double) -> String {
        let plain = TextFit.plain(text)
        return width(plain) <= limit ? plain : cut(plain, limit)
    }

    private func cut(_ text: String, _ limit: Double) -> String {
        let kept = prefix(of: text[...], within: limit - width("…"))
        return String(kept.prefix(upTo: kept.lastIndex { $0 != " " }.map { kept.index(after: $0) } ?? kept.endIndex))
            + "…"
    }

    private func prefix(of text: Substring, within limit: Double) -> Substring {
        var left = limit
        let end = text.firstIndex { character in
            left -= width(character)
            return left < 0
        }
        return text.prefix(upTo: end ?? text.endIndex)
    }

    private func width(_ character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return em(scalar) * size * (isBold ? 1.1 : 1.05)
    }

    /// Helvetica's character widths from the space to the tilde, in thousandths of the font size.
    private static let ascii: [Double] = [
        278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
        556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
        556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
        556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
        500, 500, 500, 334, 260, 334, 584,
    ]

    private func em(_ scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        case 0x20...0x7E: return TextFit.ascii[Int(scalar.value) - 0x20] / 1000
        case 0x2018...0x201A: return 0.25
        case 0x201C...0x201E: return 0.4
        case 0x0590...0x08FF: return 0.6
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0x20000...0x3FFFD:
            return 1
        case 0x2026: return 0.9
        default:
            if scalar.properties.isEmojiPresentation { return 1.3 }
            return scalar.properties.generalCategory == .nonspacingMark ? 0.3 : 0.68
        }
    }

    /// Text that cannot leave its line or its height.
    ///
    /// At most 400 characters are kept. Control characters become spaces, characters that change the direction of text
    /// are removed, and a letter keeps at most three marks.
    static func plain(_ text: String) -> String {
        var result = ""
        // A phone never shows more text than this.
        for character in text.prefix(400) {
            var marks = 0
            var kept = String.UnicodeScalarView()
            for scalar in character.unicodeScalars.prefix(16) {
                switch scalar.properties.generalCategory {
                case .nonspacingMark, .enclosingMark:
                    marks += 1
                    if marks <= 3 { kept.append(scalar) }
                case .control, .lineSeparator, .paragraphSeparator: kept.append(" ")
                // Of the format characters, only those that join letters and emoji are kept.
                case .format: if scalar.value == 0x200D || scalar.value == 0x200C { kept.append(scalar) }
                case .surrogate, .unassigned, .privateUse: kept.append("\u{FFFD}")
                default: kept.append(scalar)
                }
            }
            result.unicodeScalars.append(contentsOf: kept)
        }
        return result
    }

    /// Text escaped for XML, for use in content and in attributes.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in plain(text).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
